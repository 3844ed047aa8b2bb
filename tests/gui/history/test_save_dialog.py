"""A call gets a name and expectations; what is wrong is said while it is typed.

A call is saved from anywhere, into the folder the person chose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.history.save_dialog import (
    SaveCallDialog,
    ask_for_name,
    expected_of,
    remember_folder,
    use_chosen_folder,
)
from desktop.history.saved_call import SavedCall
from desktop.history.saved_calls import SavedCalls
from desktop.tool_types import ErrorCode, ToolError, ToolResult
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

    Open = Callable[..., SaveCallDialog]


async def test_the_finished_call_is_in_the_folder_that_was_chosen(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    remember_folder(settings, str(tmp_path / "team"))
    calls = SavedCalls(tmp_path / "usual")
    use_chosen_folder(calls, settings)
    dialog = ask_for_name(parent, theme, calls, {"tool": "s:t", "arguments": {"n": 1}})
    dialog.name.setText("from the form")
    dialog.accept()
    await until(calls.changed, lambda: calls.entries)
    assert calls.entries[0].file.path == tmp_path / "team" / "from-the-form.json"


def test_without_a_choice_the_usual_folder_stays(settings: QSettings, tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path)
    use_chosen_folder(calls, settings)
    assert calls.folder == tmp_path


CALL: dict[str, Any] = {"tool": "s:t", "arguments": {"n": 1}}


@pytest.fixture
def open_dialog(qtbot: QtBot, theme: Theme) -> Open:
    parent = QWidget()
    qtbot.addWidget(parent)

    def make(call: dict[str, Any] = CALL, *rest: Any) -> SaveCallDialog:
        dialog = SaveCallDialog(parent, theme, call, *rest)
        dialog.open()
        return dialog

    return make


def saved_by(dialog: SaveCallDialog) -> list[SavedCall]:
    found: list[SavedCall] = []
    dialog.saved.connect(found.append)
    return found


def test_a_name_is_enough(open_dialog: Open) -> None:
    dialog = open_dialog()
    found = saved_by(dialog)
    assert not dialog.save.isEnabled()
    assert "name" in dialog.problem.text()
    QTest.keyClicks(dialog.name, "adds")
    assert dialog.problem.isHidden()
    QTest.keyClick(dialog.name, Qt.Key.Key_Return)
    assert found == [SavedCall(name="adds", tool="s:t", arguments={"n": 1})]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"contain": "x"}', "expect.contain is no expectation"),
        ('{"seconds": 0}', "expect.seconds"),
        ('{\n"contains" 3}', "Line 2"),
        ("[]", "expect"),
    ],
)
def test_what_is_wrong_is_said_and_cannot_be_saved(open_dialog: Open, text: str, said: str) -> None:
    dialog = open_dialog(CALL | {"name": "n"})
    found = saved_by(dialog)
    dialog.expect.editor.setPlainText(text)
    assert said in dialog.problem.text()
    assert not dialog.save.isEnabled()
    dialog.accept()
    assert found == []
    dialog.expect.editor.setPlainText("")
    assert dialog.save.isEnabled()


def test_the_result_it_had_becomes_what_is_expected(open_dialog: Open) -> None:
    dialog = open_dialog(CALL | {"name": "n"}, ToolResult(True, "3", structured={"result": 3}))
    found = saved_by(dialog)
    QTest.mouseClick(dialog.expect_result, Qt.MouseButton.LeftButton)
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert found[0].expect.equals == {"": {"result": 3}}


def test_a_secret_is_left_out_and_that_is_said(open_dialog: Open) -> None:
    call = {"tool": "s:t", "name": "n", "arguments": {"user": "ann", "password": "‹redacted›"}}
    dialog = open_dialog(call, None, [("password",)])
    found = saved_by(dialog)
    assert "password" in dialog.note.text()
    dialog.accept()
    assert found[0].arguments == {"user": "ann"}


def test_what_else_is_in_the_file_stays(open_dialog: Open) -> None:
    dialog = open_dialog(CALL | {"name": "n", "owner": "ann", "timeout": 5})
    found = saved_by(dialog)
    dialog.name.setText("renamed")
    dialog.accept()
    assert found[0].to_json() == CALL | {"name": "renamed", "owner": "ann", "timeout": 5.0}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (ToolResult(True, "text"), {"contains": "text"}),
        (ToolResult(True, "x" * 20_000), {}),
        (ToolResult(True, "3", structured=[1]), {"equals": {"": [1]}}),
        (ToolResult(False, error=ToolError("E", "e", ErrorCode.TIMEOUT)), {"error": "timeout"}),
    ],
)
def test_a_result_says_what_could_be_expected(result: ToolResult, expected: Any) -> None:
    assert expected_of(result) == expected
