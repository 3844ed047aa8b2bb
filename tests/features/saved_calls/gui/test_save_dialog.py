"""A call gets a name and expectations; what is wrong is said while it is typed.

A call is saved from anywhere, into the folder the person chose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from shiboken6 import isValid

from desktop.features.saved_calls.gui.expectation_rows import Row
from desktop.features.saved_calls.gui.save_dialog import (
    SaveCallDialog,
    ask_for_name,
    remember_folder,
    use_chosen_folder,
)
from desktop.features.saved_calls.gui.value_menu import ValueSource
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.values.tool_types import ToolResult
from tests.gui.waiting import arm
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.features.saved_calls.gui.save_dialog import ExpectationRow
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
    dialog = ask_for_name(parent, theme, calls, settings, {"tool": "s:t", "arguments": {"n": 1}})
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
    assert dialog.problem.property("role") == "muted"  # nothing was typed yet
    QTest.keyClicks(dialog.name, "a")
    QTest.keyClick(dialog.name, Qt.Key.Key_Backspace)
    assert dialog.problem.property("role") == "danger"
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
    dialog.expect.as_json.click()
    dialog.expect.json.editor.setPlainText(text)
    assert said in dialog.problem.text()
    assert not dialog.save.isEnabled()
    dialog.accept()
    assert found == []
    dialog.expect.as_json.click()  # refused: nothing that was typed is lost
    assert (dialog.expect.is_json, dialog.expect.json.text) == (True, text)
    dialog.expect.json.editor.setPlainText("")
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


def chosen(row: ExpectationRow, kind: str) -> None:
    row.kind.setCurrentIndex(row.kind.findData(kind))


def test_expectations_are_filled_in_row_by_row(open_dialog: Open) -> None:
    dialog = open_dialog(CALL | {"name": "n"})
    found = saved_by(dialog)
    form = dialog.expect
    assert [row.kind.currentData() for row in form.rows] == ["success"]
    chosen(form.rows[0], "equals")
    assert not dialog.save.isEnabled()
    QTest.keyClicks(form.rows[0].path, "items[0].name")
    QTest.keyClicks(form.rows[0].text, "milk")
    QTest.mouseClick(form.add, Qt.MouseButton.LeftButton)
    assert not dialog.save.isEnabled()
    assert form.rows[1].problem.text() == "Enter the text that has to be there."
    assert dialog.problem.isHidden()  # its row says it
    QApplication.processEvents()
    for row in form.rows:
        assert row.visibleRegion().boundingRect() == row.rect(), "a row is cut"
    QTest.keyClicks(form.rows[1].text, "done")
    form.add_row(Row("snapshot")).text.setText("id, items[*].at")
    form.add_row(Row("matches")).json.editor.setPlainText('{"type": "object"}')
    form.add_row(Row("seconds")).text.setText("2.5")
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert found[0].expect.to_json() == {
        "contains": ["done"],
        "equals": {"items[0].name": "milk"},
        "matches": {"type": "object"},
        "snapshot": {"ignore": ["id", "items[*].at"]},
        "seconds": 2.5,
    }


def test_a_row_is_taken_out_by_keyboard_and_the_focus_stays_in_the_form(open_dialog: Open) -> None:
    dialog = open_dialog(CALL | {"name": "n", "expect": {"contains": ["a", "b"]}})
    found = saved_by(dialog)
    remove = dialog.expect.rows[0].remove
    remove.setFocus(Qt.FocusReason.TabFocusReason)
    arm(remove)
    QTest.keyClick(remove, Qt.Key.Key_Space)
    assert [row.text.text() for row in dialog.expect.rows] == ["b"]
    dialog.accept()
    assert found[0].expect.contains == ("b",)


@pytest.mark.parametrize(
    "expect",
    [
        {"error": True},
        {"error": "timeout", "contains": ["x"]},
        {"equals": {"": [1, {"a": None}], "a": "7", "b": 7, "c": "x y", "d": '"q"', "e": ""}},
        {"matches": {"type": "array"}, "seconds": 0.25},
        {"snapshot": True},
        {"snapshot": {"ignore": ["a.b[*]"], "text": False}},
    ],
)
def test_what_a_file_expects_is_the_same_after_the_form(
    open_dialog: Open, expect: dict[str, Any]
) -> None:
    dialog = open_dialog(CALL | {"name": "n", "expect": expect})
    assert dialog.expect.value() == expect
    dialog.expect.as_json.click()
    dialog.expect.as_json.click()
    assert not dialog.expect.is_json
    found = saved_by(dialog)
    dialog.accept()
    assert found[0].expect.to_json() == expect


def test_two_rows_that_contradict_each_other_are_told(open_dialog: Open) -> None:
    dialog = open_dialog(CALL | {"name": "n"})
    row = dialog.expect.add_row(Row("error"))
    assert "cannot both succeed" in row.problem.text()
    assert not dialog.save.isEnabled()


def test_a_value_of_another_call_is_put_in_where_the_cursor_is(open_dialog: Open) -> None:
    sources = [ValueSource("create", (("id",),)), ValueSource("v1.2 & more")]
    dialog = open_dialog(CALL | {"name": "n"}, None, (), sources)
    found = saved_by(dialog)
    menu = dialog.insert.choices.findChildren(QMenu)[0]
    assert [action.text() for action in menu.actions()] == ["the whole result", "id"]
    editor = dialog.arguments.editor
    editor.setPlainText('{"id": }')
    cursor = editor.textCursor()
    cursor.setPosition(7)
    editor.setTextCursor(cursor)
    menu.actions()[1].trigger()
    assert dialog.arguments.text == '{"id": "${{ create.id }}"}'
    assert dialog.variables.isHidden()
    cursor.setPosition(8)
    editor.setTextCursor(cursor)
    dialog.insert.insert("v1.2 & more", ())
    dialog.accept()
    assert found[0].arguments == {"id": '${{ "v1.2 & more" }}${{ create.id }}'}


@pytest.mark.parametrize(
    ("text", "said", "can_be_saved"),
    [
        ("${{ create.id", "has no }}", False),
        ("${{ n.id }}", "its own result", False),
        ("${{ creat.id }}", "“creat”", True),
    ],
)
def test_a_placeholder_that_is_wrong_is_told_at_the_arguments(
    open_dialog: Open, text: str, said: str, can_be_saved: bool
) -> None:
    dialog = open_dialog(CALL | {"name": "n"}, None, (), [ValueSource("create")])
    dialog.arguments.editor.setPlainText(f'{{"id": "{text}"}}')
    assert said in dialog.variables.text()
    assert dialog.save.isEnabled() is can_be_saved


def test_the_dialog_ends_once_with_a_parent_that_nothing_else_holds(
    theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    calls = SavedCalls(tmp_path)
    for _ in range(2):
        parent = QWidget()
        there = ref(parent)
        dialog = ask_for_name(parent, theme, calls, settings, {"tool": "s:t"})
        del parent
        assert there() is None
        assert not isValid(dialog)


async def test_arguments_that_look_like_a_placeholder_are_kept_as_they_were_sent(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    calls = SavedCalls(tmp_path)
    sent = {"workflow": "run: ${{ secrets.X }}"}
    dialog = ask_for_name(parent, theme, calls, settings, {"tool": "s:t", "arguments": sent})
    dialog.name.setText("workflow")
    dialog.accept()
    await until(calls.changed, lambda: calls.entries)
    assert calls.entries[0].call.arguments == {"workflow": "run: $${{ secrets.X }}"}


def test_it_keeps_the_size_that_a_person_gave_it(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    first = ask_for_name(parent, theme, SavedCalls(tmp_path), settings, CALL)
    wanted = QSize(770, first.height() + 25)
    first.resize(wanted)
    first.reject()
    again = ask_for_name(parent, theme, SavedCalls(tmp_path), settings, CALL)
    assert again.size() == wanted
    again.reject()
