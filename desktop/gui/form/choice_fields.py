"""Fields for a choice: a few options as chips, many as a list, several at once as check boxes.

Values keep their JSON type. Null is an option like the others where the schema allows it; choosing
nothing sends nothing. A list with null or unknown items has no check boxes: `ArrayField` shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QToolTip,
    QWidget,
)

from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.form.model.combinators import option_label
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Option
from desktop.gui.form.model.json_text import write_json
from desktop.gui.layouts import in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import show_if
from desktop.values.json_schema import list_of, same_json

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QWheelEvent

    from desktop.gui.form.model.nodes import ArrayNode, ScalarNode

MAX_CHIPS: Final = 4
_MAX_LETTERS: Final = 44


def options_of(spec: FieldSpec) -> list[Option]:
    """What can be chosen, in the order shown."""
    options = list(spec.options)
    if spec.kind == "boolean":
        options = [Option("true", True), Option("false", False)]
    if spec.kind == "const":
        options = [Option(option_label(spec.schema["const"]), spec.schema["const"])]
    if spec.nullable:
        options.append(Option("null", None))
    return options


def is_short(spec: FieldSpec) -> bool:
    """Whether the choices fit on one line as chips."""
    options = options_of(spec)
    letters = sum(len(option.label) for option in options)
    return len(options) <= MAX_CHIPS and letters <= _MAX_LETTERS


class ChipsField(Field):
    """A choice of a few, all in sight; choosing it once more sends nothing."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = options_of(node.spec)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        row = in_row(self, spacing=1)
        for index, option in enumerate(self._options):
            chip = QPushButton(option.label.replace("&", "&&"))
            chip.setCheckable(True)
            style(chip, "chip", "choice")
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


_TYPING: Final = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_TYPING_MS: Final = 1_000
"""What is typed within this time is one word."""


class _CalmBox(QComboBox):
    """The wheel scrolls the page; what is typed chooses, or is said to be no choice."""

    def __init__(self) -> None:
        super().__init__()
        self._typed = ""
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._pause.timeout.connect(self._forget)

    def wheelEvent(self, event: QWheelEvent, /) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        text = event.text()
        is_plain = not event.modifiers() & ~_TYPING
        if is_plain and text.isprintable() and (text.strip() or (text and self._typed)):
            self._choose_by(self._typed + text)
        else:
            super().keyPressEvent(event)

    def _choose_by(self, typed: str) -> None:
        """Choose what begins with it, or else what has it; else say what was typed in vain."""
        self._typed = typed
        self._pause.start()
        found = self.findText(typed, Qt.MatchFlag.MatchStartsWith)
        if found < 0:
            found = self.findText(typed, Qt.MatchFlag.MatchContains)
        if found >= 0:
            self.setCurrentIndex(found)
            QToolTip.hideText()
            return
        words = self.tr("No choice has “{typed}”").format(typed=typed[:40])
        self.setAccessibleDescription(words)
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), words.replace("<", "‹"), self)

    def _forget(self) -> None:
        self._typed = ""


class ListField(Field):
    """A choice of many; a value that is not among them is kept and shown."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = options_of(node.spec)
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
        in_row(self, (self._box, 1))
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
    places = (index for index, option in enumerate(options) if same_json(option.value, value))
    return next(places, None)


MAX_BOXES: Final = 40
_NARROW: Final = 18
_COLUMNS: Final = 3


class CheckListField(Field):
    """A tick adds the choice at the end of the list, another takes it out."""

    node: ArrayNode

    def __init__(self, node: ArrayNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = checkbox_options(node)
        self.boxes = [QCheckBox(option.label.replace("&", "&&")) for option in self._options]
        self._full: QLabel = plain_label("", "small", "muted")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(space(1))
        columns = _COLUMNS if all(len(each.label) <= _NARROW for each in self._options) else 1
        for index, box in enumerate(self.boxes):
            grid.addWidget(box, index // columns, index % columns)
            box.clicked.connect(lambda _=False, at=index: self._tick(at))
        grid.addWidget(self._full, len(self.boxes), 0, 1, columns)
        grid.setColumnStretch(columns, 1)
        self.load()

    def load(self) -> None:
        value = list_of(self.node.value())
        most = self.node.spec.schema.get("maxItems")
        is_full = isinstance(most, int) and len(value) >= most
        for option, box in zip(self._options, self.boxes, strict=True):
            is_chosen = any(same_json(option.value, each) for each in value)
            box.setChecked(is_chosen)
            box.setEnabled(is_chosen or not is_full)
        if is_full and isinstance(most, int):
            one, many = self.tr("At most 1 item."), self.tr("At most {count} items.")
            self._full.setText(counted(most, one, many))
        show_if(self._full, is_full)

    def target(self) -> QWidget:
        return next((box for box in self.boxes if box.isEnabled()), self.boxes[0])

    def announce_as(self, name: str) -> None:
        for option, box in zip(self._options, self.boxes, strict=True):
            box.setAccessibleName(f"{name}: {option.label}")

    def _tick(self, index: int) -> None:
        choice = self._options[index].value
        value = [each for each in list_of(self.node.value()) if not same_json(each, choice)]
        self.node.set_value([*value, choice] if self.boxes[index].isChecked() else value)
        self.load()
        self.edited.emit()


def checkbox_options(node: ArrayNode) -> list[Option]:
    """The choices; none where a list of boxes could not show the value or the schema."""
    if node.spec.schema.get("uniqueItems") is not True or node.spec.item_kind != "enum":
        return []
    options = options_of(node.item_spec)
    value = list_of(node.value())
    known = [each for each in value if any(same_json(each, option.value) for option in options)]
    is_unique = not any(
        same_json(one, other) for at, one in enumerate(value) for other in value[:at]
    )
    is_plain = len(known) == len(value) and is_unique and len(options) <= MAX_BOXES
    return options if is_plain else []
