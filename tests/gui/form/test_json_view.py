from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.json_view import ArgumentsJsonView, JsonEditor, JsonField
from desktop.gui.form.model.field_spec import FieldSpec
from desktop.gui.form.model.nodes import JsonNode
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
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


def test_it_is_a_field_to_type_in_as_high_as_its_text(qtbot: QtBot, theme: Theme) -> None:
    editor = JsonEditor(theme)
    qtbot.addWidget(editor)
    editor.set_text("{}")
    editor.show()
    picture = editor.editor.grab().toImage()
    assert picture.pixelColor(picture.width() // 2, 0) == theme.color("control_border")
    assert editor.editor.height() < 4 * editor.editor.fontMetrics().lineSpacing()


def test_format_leaves_text_that_is_not_json(qtbot: QtBot, theme: Theme) -> None:
    editor = JsonEditor(theme)
    qtbot.addWidget(editor)
    editor.set_text("{oh")
    editor.format()
    assert editor.text == "{oh"


def test_typed_json_is_the_value(qtbot: QtBot, context: FormContext) -> None:
    field = JsonField(JsonNode(FieldSpec("j")), context)
    qtbot.addWidget(field)
    QTest.keyClicks(field.target(), "[1, null]")
    assert field.node.value() == [1, None]
    field.node.set_value({"a": 1})
    field.load()
    assert field.json.text == '{\n  "a": 1\n}'


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> ArgumentsJsonView:
    made = ArgumentsJsonView(theme)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def told(editor: ArgumentsJsonView) -> list[str]:
    found = editor.findings
    return [found.item(row).text() for row in range(found.count())]


def test_the_text_stands_for_an_object_or_for_nothing(editor: ArgumentsJsonView) -> None:
    for text, value in (('{"a": 1}', {"a": 1}), ("", {}), ("[1]", None), ("{", None)):
        editor.set_text(text)
        assert editor.value == value
        assert (editor.issue is None) == (value is not None)


@pytest.mark.parametrize("text", ["[1]", "5", "null", '"text"'])
def test_what_is_no_object_is_refused_in_words(editor: ArgumentsJsonView, text: str) -> None:
    editor.set_text(text)
    assert told(editor) == ["Line 1: The arguments must be a JSON object: { … }"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "a": 1,\n  "b" 2\n}', 2, "Not valid JSON yet (line 3, column 7):"),
        (
            '{\n  "a": 1,\n  "a": 2\n}',
            2,
            "Not valid JSON yet (line 3, column 3): duplicate key 'a'",
        ),
        ('{"a": NaN}', 0, "Not valid JSON yet (line 1, column 7): NaN is not JSON"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_column_and_marked(
    editor: ArgumentsJsonView, text: str, line: int, words: str
) -> None:
    editor.set_text(text)
    assert told(editor)[0].startswith(words)
    assert dict(editor.editor.marked) == {line: "danger"}
    assert not editor.format_button.isEnabled()
    assert editor.text == text


def test_findings_of_the_value_are_listed_marked_and_lead_to_their_line(
    editor: ArgumentsJsonView,
) -> None:
    editor.set_text('{\n  "a": 1,\n  "b": {"c": 2}\n}')
    odd = ValidationIssue(("b", "x"), "rule", "unknown", "warning")
    wrong = ValidationIssue(("b", "c"), "type", "must be text")
    editor.show_issues([odd, wrong])
    assert told(editor) == ["Line 3: b.c: must be text", "Line 3: Warning: b.x: unknown"]
    assert dict(editor.editor.marked) == {2: "danger"}
    editor.findings.setCurrentRow(0)
    QTest.keyClick(editor.findings, Qt.Key.Key_Return)
    assert editor.editor.textCursor().position() == editor.text.index('"c"')
    editor.show_issues(())
    assert editor.findings.isHidden()
    assert not editor.editor.marked


def test_format_can_be_undone(editor: ArgumentsJsonView) -> None:
    editor.set_text('{"a":1}')
    QTest.mouseClick(editor.format_button, Qt.MouseButton.LeftButton)
    assert editor.text == '{\n  "a": 1\n}'
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.text == '{"a":1}'
