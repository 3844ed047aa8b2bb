from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.json_editor import JsonEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_mistake_is_named_with_its_place_while_typing(qtbot: QtBot, theme: Theme) -> None:
    editor = JsonEditor(theme)
    qtbot.addWidget(editor)
    QTest.keyClicks(editor.editor, '{"a": }')
    assert editor.status.text().startswith("Line 1, column 7")
    editor.set_text('{"a": 1}')
    assert editor.status.text() == ""


def test_format_sets_out_and_can_be_undone(qtbot: QtBot, theme: Theme) -> None:
    editor = JsonEditor(theme)
    qtbot.addWidget(editor)
    editor.set_text('{"a":[1,2],  "b":9007199254740993,"c":"long enough"}')
    with qtbot.waitSignal(editor.edited):
        QTest.mouseClick(editor.format_button, Qt.MouseButton.LeftButton)
    assert '\n  "b": 9007199254740993' in editor.text
    editor.editor.undo()
    assert editor.text.startswith('{"a":[1,2]')


def test_format_leaves_text_that_is_not_json(qtbot: QtBot, theme: Theme) -> None:
    editor = JsonEditor(theme)
    qtbot.addWidget(editor)
    editor.set_text("{oh")
    editor.format()
    assert editor.text == "{oh"
