from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton

from desktop.gui.form.choice_fields import ChipsField, ListField, is_short
from desktop.gui.form.fields import ABSENT, FieldSpec, Option
from desktop.gui.form.nodes import ScalarNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


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


def test_few_short_choices_are_chips() -> None:
    assert is_short(choice("a", "b"))
    assert not is_short(choice(*"abcde"))
    assert not is_short(choice("x" * 60))
