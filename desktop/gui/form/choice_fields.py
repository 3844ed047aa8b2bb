"""Fields for a choice: a few as chips, many as a list. Values keep their JSON type.

Null is a choice like the others where the schema allows it; choosing nothing sends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QPushButton, QWidget

from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.form.fields import ABSENT, FieldSpec, Option
from desktop.gui.form.json_shape import same
from desktop.gui.form.json_text import write_json
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from desktop.gui.form.nodes import ScalarNode

MOST_CHIPS: Final = 4
_MOST_LETTERS: Final = 44


def choices_of(spec: FieldSpec) -> list[Option]:
    """What can be chosen, in the order shown."""
    options = list(spec.options)
    if spec.kind == "boolean":
        options = [Option("true", True), Option("false", False)]
    if spec.kind == "const":
        options = [Option(write_json(spec.schema["const"], None), spec.schema["const"])]
    if spec.nullable:
        options.append(Option("null", None))
    return options


def is_short(spec: FieldSpec) -> bool:
    """Whether the choices fit on one line as chips."""
    options = choices_of(spec)
    letters = sum(len(option.label) for option in options)
    return len(options) <= MOST_CHIPS and letters <= _MOST_LETTERS


class ChipsField(Field):
    """A choice of a few, all in sight; choosing it once more sends nothing."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = choices_of(node.spec)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        for index, option in enumerate(self._options):
            chip = QPushButton(option.label.replace("&", "&&"))
            chip.setCheckable(True)
            style(chip, "chip")
            self._group.addButton(chip, index)
            row.addWidget(chip)
        row.addStretch()
        self.load()
        self._group.idClicked.connect(self._choose)

    def load(self) -> None:
        value = self.node.value()
        chosen = _index(self._options, value)
        for index, chip in enumerate(self._group.buttons()):
            chip.setChecked(index == chosen)

    def target(self) -> QWidget:
        return self._group.checkedButton() or self._group.button(0)

    def announce_as(self, name: str) -> None:
        for option, chip in zip(self._options, self._group.buttons(), strict=True):
            chip.setAccessibleName(f"{name}: {option.label}")

    def _choose(self, index: int) -> None:
        is_chosen = self._group.button(index).isChecked()
        self.node.set_value(self._options[index].value if is_chosen else ABSENT)
        self.load()
        self.edited.emit()


class _CalmBox(QComboBox):
    """The wheel scrolls the page; it does not change a value under the pointer."""

    def wheelEvent(self, event: QWheelEvent, /) -> None:
        event.ignore()


class ListField(Field):
    """A choice of many; a value that is not among them is kept and shown."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = choices_of(node.spec)
        self._options.insert(0, Option(self.tr("Choose…"), ABSENT))
        if _index(self._options, node.value()) is None:
            self._options.insert(1, Option(write_json(node.value(), None), node.value()))
        self._box = _CalmBox()
        self._box.setMinimumContentsLength(16)
        self._box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._box.setMaxVisibleItems(16)
        self._box.addItems([option.label for option in self._options])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._box, 2)
        row.addStretch(1)
        self.load()
        self._box.currentIndexChanged.connect(self._choose)

    def load(self) -> None:
        index = _index(self._options, self.node.value())
        self._box.blockSignals(True)
        self._box.setCurrentIndex(0 if index is None else index)
        self._box.blockSignals(False)

    def target(self) -> QWidget:
        return self._box

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self._box, is_invalid)

    def _choose(self, index: int) -> None:
        self.node.set_value(self._options[index].value)
        self.edited.emit()


def _index(options: list[Option], value: Any) -> int | None:
    """Where the value is, by type too: 1, 1.0 and true are three choices."""
    places = (index for index, option in enumerate(options) if same(option.value, value))
    return next(places, None)
