"""A file that cannot be written is told in words, and nothing of it is changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop.gui.activity.exporting import export, export_as
from tests.live_servers import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


class Owner(QWidget):
    """Keeps what it is told to show."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []
        self.told = asyncio.Event()

    def show_error(self, message: str) -> None:
        self.errors.append(message)
        self.told.set()


async def test_lines_are_written_as_a_whole(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    file = tmp_path / "out.jsonl"
    lines = [f"{number}\n" for number in range(3)]
    await export(str(file), lambda: lines, lambda path, count: told.append((path, count)))
    assert file.read_text() == "0\n1\n2\n"
    assert told == [(str(file), 3)]


async def test_a_read_only_file_stays_and_the_owner_is_told(
    tmp_path: Path, qtbot: QtBot, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("WARNING .*: Export: .* cannot be written")
    file = tmp_path / "out.jsonl"
    file.write_text("before")
    file.chmod(0o400)
    owner = Owner()
    qtbot.addWidget(owner)
    asked: list[str] = []

    def lines() -> list[str]:
        asked.append("lines")
        return ["after\n"]

    def written(path: str, _count: int) -> None:
        asked.append(path)

    dialog = export_as(owner, "out", lines, written)
    assert asked == []
    dialog.fileSelected.emit(str(file))
    dialog.reject()
    await asyncio.wait_for(owner.told.wait(), LIMIT)
    assert "cannot be written" in owner.errors[0]
    assert file.read_text() == "before"
