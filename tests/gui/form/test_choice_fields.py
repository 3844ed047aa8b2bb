from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QToolTip

from desktop.gui.form.field_factory import (
    CheckListField,
    ChipsField,
    ListField,
    checkbox_options,
    is_short,
)
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Option
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.nodes import ArrayNode, ScalarNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from desktop.gui.theme import Theme
    from tests.gui.form.conftest import ShowForm

DAYS = {"type": "array", "uniqueItems": True, "items": {"enum": ["mon", "tue", 3]}, "maxItems": 2}


def node(value: Any = ABSENT, schema: Any = DAYS) -> ArrayNode:
    model = FormModel({"properties": {"d": schema}})
    if value is not ABSENT:
        model.set_value({"d": value})
    found = model.find(("d",))
    assert isinstance(found, ArrayNode)
    return found


def test_ticks_make_the_list_and_a_full_list_takes_no_more(
    qtbot: QtBot, context: FormContext
) -> None:
    field = CheckListField(node(), context)
    qtbot.addWidget(field)
    field.announce_as("days")
    seen: list[Any] = [field.node.value()]
    for index in (2, 0, 1, 2):
        QTest.keyClick(field.boxes[index], Qt.Key.Key_Space)
        seen.append(field.node.value())
    assert seen == [ABSENT, [3], [3, "mon"], [3, "mon"], ["mon"]]
    assert field.boxes[1].isEnabled()
    assert field.boxes[0].accessibleName() == "days: mon"


def test_a_list_that_boxes_cannot_show_has_none() -> None:
    assert checkbox_options(node(["mon"]))
    for odd in (["mon", "mon"], ["sun"], ["3"]):
        assert checkbox_options(node(odd)) == []
    assert checkbox_options(node(schema={**DAYS, "uniqueItems": False})) == []
    many = {"enum": list(range(500))}
    assert checkbox_options(node(schema={**DAYS, "items": many})) == []


def choice(*values: Any, **more: Any) -> FieldSpec:
    return FieldSpec("c", "enum", options=tuple(Option(str(v), v) for v in values), **more)


def test_a_truth_value_has_three_states(qtbot: QtBot, context: FormContext) -> None:
    node = ScalarNode(FieldSpec("b", "boolean"))
    field = ChipsField(node, context)
    qtbot.addWidget(field)
    true, false = field.findChildren(QPushButton)
    seen: list[Any] = [node.value()]
    for chip in (true, false, false):
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        seen.append(node.value())
    assert seen == [ABSENT, True, False, ABSENT]


def test_chips_are_chosen_by_key(qtbot: QtBot, context: FormContext) -> None:
    node = ScalarNode(choice("a", 1))
    field = ChipsField(node, context)
    qtbot.addWidget(field)
    QTest.keyClick(field.findChildren(QPushButton)[1], Qt.Key.Key_Space)
    assert node.value() == 1


def test_numbers_of_a_list_stay_numbers(qtbot: QtBot, context: FormContext) -> None:
    node = ScalarNode(choice(1, "1", 1.0, True, "x", "y"))
    field = ListField(node, context)
    qtbot.addWidget(field)
    seen: list[str] = []
    for _ in range(4):
        QTest.keyClick(field.target(), Qt.Key.Key_Down)
        seen.append(repr(node.value()))
    assert seen == ["1", "'1'", "1.0", "True"]


def test_a_value_that_is_not_listed_is_kept_and_shown(qtbot: QtBot, context: FormContext) -> None:
    node = ScalarNode(choice("a", "b"), {"odd": 1})
    field = ListField(node, context)
    qtbot.addWidget(field)
    box = field.target()
    assert isinstance(box, QComboBox)
    assert box.currentText() == '{"odd": 1}'
    assert node.value() == {"odd": 1}


def test_the_wheel_changes_nothing(qtbot: QtBot, context: FormContext) -> None:
    node = ScalarNode(choice("a", "b", required=True))
    field = ListField(node, context)
    qtbot.addWidget(field)
    field.show()
    wheel = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field.target(), wheel)
    assert node.is_absent


def test_what_is_typed_into_a_closed_list_chooses_or_is_said_to_be_no_choice(
    qtbot: QtBot, context: FormContext
) -> None:
    node = ScalarNode(choice("exact", "fuzzy match", "by prefix", "none", "other", "more"))
    field = ListField(node, context)
    qtbot.addWidget(field)
    field.show()
    QTest.keyClicks(field.target(), "match")  # inside of a choice
    assert node.value() == "fuzzy match"
    box = field.target()
    assert isinstance(box, QComboBox)
    box.findChildren(QTimer)[0].timeout.emit()
    QTest.keyClicks(box, "zzz")
    assert node.value() == "fuzzy match"
    assert box.accessibleDescription() == "No choice has “zzz”"
    assert QToolTip.text() == "No choice has “zzz”"


def test_few_short_choices_are_chips() -> None:
    assert is_short(choice("a", "b"))
    assert not is_short(choice(*"abcde"))
    assert not is_short(choice("x" * 60))


def test_a_choice_that_only_has_the_focus_does_not_look_chosen(
    show_form: ShowForm, theme: Theme
) -> None:
    form = show_form({"properties": {"city": {"enum": ["New York", "Chicago"]}}})
    form.fields.focus_first()
    chip = QApplication.focusWidget()
    assert isinstance(chip, QPushButton)
    inside = QPoint(6, chip.height() // 2)

    def filling() -> str:
        return chip.grab().toImage().pixelColor(inside).name()

    assert filling() == theme.color("card").name()
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert filling() == theme.color("accent_soft").name()
