"""A file that cannot be written is told in words, and nothing of it is changed.

Calls as lines that a program reads, without secrets.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop.gui.activity.export import export, export_as, history_lines
from desktop.history.records import FinishedCall, Query
from desktop.redaction.redactor import Redaction
from desktop.values.tool_types import ToolResult
from tests.gui.activity.calls import Made
from tests.history.calls import ended, keep, store_at
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


async def test_a_line_has_facts_arguments_and_result_and_what_this_run_knows_of_it(
    tmp_path: Path,
) -> None:
    made = Made()
    call = made.start(text="t0ken", a=1)
    made.step(call, step="sent", elapsed=0.1, detail="to t0ken")
    made.finish(call, done := ToolResult(success=True, output="t0ken!", execution_time=0.25))
    async with store_at(tmp_path / "history.sqlite3") as store:
        await keep(store, ended("s:before"), FinishedCall(call, done, {}, frozenset(["t0ken"])))
        lines = [
            line
            async for line in history_lines(
                store, Query(), made.recent, lambda _: Redaction(["t0ken"])
            )
        ]
    assert "t0ken" not in "".join(lines)
    first, second = map(json.loads, lines)
    assert (first["tool"], first["state"], first["seconds"]) == ("server:tool", "success", 0.25)
    assert first["arguments"] == {"text": "‹redacted›", "a": 1}
    assert [step["step"] for step in first["steps"]] == ["started", "sent", "finished"]
    assert first["result"]["data"]["output"] == "‹redacted›!"
    assert (second["tool"], "steps" in second) == ("s:before", False)


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
