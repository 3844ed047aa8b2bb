from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.base.errors import ConfigError
from desktop.base.tasks import spawn
from desktop.gui.results.saving import (
    SaveAllDialog,
    SaveDialog,
    in_turns,
    json_text,
    proposed_name,
    save_all,
    save_as,
)
from desktop.gui.results.structured import pretty_json
from desktop.values.tool_types import Content, ToolResult
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


async def test_the_loop_runs_between_the_steps() -> None:
    """The steps end only when the loop has done something else."""
    others = asyncio.Event()

    async def other() -> None:
        others.set()

    def steps() -> Iterator[int | None]:
        yield 1
        while not others.is_set():
            yield None
        yield 2

    task = spawn(other(), "other")
    assert await in_turns(steps()) == [1, 2]
    await task


async def test_the_work_stays_in_the_thread_of_the_loop() -> None:
    def steps() -> Iterator[int]:
        yield threading.get_ident()

    assert await in_turns(steps()) == [threading.get_ident()]


async def test_json_is_written_as_at_once() -> None:
    value: dict[str, object] = {"ü": [1, None, {"x": 1.5}], "empty": {}}
    assert await json_text(value) == pretty_json(value)


async def test_what_is_too_deep_is_nothing() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert await json_text(deep) == ""


CONTENT = (
    Content("text", "words"),
    Content("image", data=b"png", mime="image/png"),
    Content("resource", text="r", uri="file:///../../etc/passwd", mime="text/plain"),
    Content("resource", data=b"b", uri="demo://x/../..\\evil.bin"),
    Content("link", uri="https://example.com/", text="a link"),
)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_block_is_a_file_inside_the_new_folder(tmp_path: Path) -> None:
    result = ToolResult(success=True, content=CONTENT, structured={"a": 1})
    made = save_all(result, tmp_path, "../tool", proposed_name, '{"a": 1}')
    assert made == tmp_path / "tool"
    assert [path.name for path in tmp_path.iterdir()] == ["tool"]
    assert files(made) == {
        "01-text.txt": b"words",
        "02-image.png": b"png",
        "03-passwd.txt": b"r",
        "04-evil.bin": b"b",
        "05-example.com": b"https://example.com/\na link",
        "structuredContent.json": b'{"a": 1}',
    }


def test_nothing_that_is_there_is_touched(tmp_path: Path) -> None:
    result = ToolResult(success=True, output="x")
    folders = [save_all(result, tmp_path, "tool", proposed_name).name for _ in range(3)]
    assert folders == ["tool", "tool-2", "tool-3"]
    assert files(tmp_path / "tool") == {"01-text.txt": b"x"}


def test_a_folder_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be made"):
        save_all(ToolResult(success=True), tmp_path / "missing", "tool", proposed_name)


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
    async with asyncio.timeout(LIMIT):
        await dialog.writing


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
