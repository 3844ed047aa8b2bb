"""A list of some of a few choices, each at most once: a box to tick for each choice.

Null and odd items have no box: `ArrayField` shows such a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from desktop.gui.form.choice_fields import choices_of
from desktop.gui.form.field import Field, FormContext, show_if
from desktop.gui.form.json_shape import list_of, same
from desktop.gui.theme import space
from desktop.gui.translations import counted
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.gui.form.array_node import ArrayNode
    from desktop.gui.form.fields import Option

MOST_BOXES: Final = 40
_NARROW: Final = 18
_COLUMNS: Final = 3


class CheckListField(Field):
    """A tick adds the choice at the end of the list, another takes it out."""

    node: ArrayNode

    def __init__(self, node: ArrayNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = boxes_of(node)
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
            is_chosen = any(same(option.value, each) for each in value)
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
        value = [each for each in list_of(self.node.value()) if not same(each, choice)]
        self.node.set_value([*value, choice] if self.boxes[index].isChecked() else value)
        self.load()
        self.edited.emit()


def boxes_of(node: ArrayNode) -> list[Option]:
    """The choices; none where a list of boxes could not show the value or the schema."""
    if node.spec.schema.get("uniqueItems") is not True or node.spec.item_kind != "enum":
        return []
    options = choices_of(node.item_spec)
    value = list_of(node.value())
    known = [each for each in value if any(same(each, option.value) for option in options)]
    is_unique = not any(same(one, other) for at, one in enumerate(value) for other in value[:at])
    is_plain = len(known) == len(value) and is_unique and len(options) <= MOST_BOXES
    return options if is_plain else []
