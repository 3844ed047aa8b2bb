from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.gui.results.saving import SaveAllDialog, SaveDialog, proposed_name, save_as
from desktop.tool_types import Content, ToolResult

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def choose(dialog: SaveDialog | SaveAllDialog, path: Path) -> None:
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, 5)


@pytest.mark.parametrize(
    ("wanted", "mime", "name"),
    [
        ("", "image/png", "image.png"),
        ("../../etc/passwd", "", "passwd"),
        ("C:\\windows\\x.txt", "text/plain", "x.txt"),
        ("demo://a/report?x=/y", "text/plain; charset=utf-8", "report.txt"),
        ("..", "", "image"),
        ("a\nb<c>", "", "a_b_c_"),
        ("x" * 500, "", "x" * 80),
        ("CON.txt", "", "_CON.txt"),
        ("console", "", "console"),
    ],
)
def test_a_server_proposes_no_more_than_a_harmless_name(wanted: str, mime: str, name: str) -> None:
    assert proposed_name(wanted, mime, "image") == name


async def test_the_content_is_asked_for_once_and_replaces_the_file(
    window: QWidget, tmp_path: Path
) -> None:
    file = tmp_path / "x.txt"
    file.write_bytes(b"old")
    asked: list[int] = []
    await choose(save_as(window, "x.txt", lambda: bytes([len(asked)]) + b"new"), file)
    assert file.read_bytes() == b"\0new"
    assert names(tmp_path) == ["x.txt"]


async def test_a_file_that_cannot_be_written_is_told_of(
    window: QWidget, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("not saved")
    (tmp_path / "x.txt").mkdir()
    await choose(save_as(window, "x.txt", lambda: b"x"), tmp_path / "x.txt")
    box = window.findChildren(QMessageBox)[0]
    assert "x.txt was not saved" in box.text()
    assert "folder" in box.text()
    assert box.textFormat() == Qt.TextFormat.PlainText
    box.close()


async def test_everything_is_saved_into_a_new_folder(window: QWidget, tmp_path: Path) -> None:
    result = ToolResult(success=True, content=(Content("text", "a"), Content("image", data=b"b")))
    dialog = SaveAllDialog(window, result, "tool")
    dialog.open()
    await choose(dialog, tmp_path)
    assert names(tmp_path / "tool") == ["01-text.txt", "02-image"]


async def test_a_folder_that_is_gone_is_told_of(
    window: QWidget, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("not saved")
    dialog = SaveAllDialog(window, ToolResult(success=True, output="x"), "tool")
    dialog.open()
    await choose(dialog, tmp_path / "gone")
    box = window.findChildren(QMessageBox)[0]
    assert "tool was not saved" in box.text()
    box.close()
