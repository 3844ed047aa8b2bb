"""A list: its items one below the other, to add, move and remove. Holds no value of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.field_row import plain_label
from desktop.gui.form.item_row import ItemRow
from desktop.gui.icons import set_icon
from desktop.gui.theme import space

if TYPE_CHECKING:
    from desktop.gui.form.nodes import ArrayNode


class ArrayField(Field):
    """The items of a list with their buttons, and one button to add another."""

    node: ArrayNode

    def __init__(self, node: ArrayNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.rows: list[ItemRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(2))
        self._empty = plain_label(self.tr("The list is empty."), "small", "muted")
        self.add_button = QPushButton(self.tr("Add item"))
        set_icon(context.theme, self.add_button, "plus", "muted")
        self.add_button.clicked.connect(self._add)
        self._column.addWidget(self._empty)
        self._column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.load()

    def load(self) -> None:
        for row in self.rows:
            _discard(row)
        self.rows = []
        items = self.node.items
        for index, _ in enumerate(items or ()):
            self._append(index)
        self._refresh()

    def target(self) -> QWidget:
        return self.add_button

    def announce_as(self, name: str) -> None:
        self.add_button.setAccessibleName(f"{name}: {self.add_button.text()}")

    def _append(self, index: int) -> None:
        item = (self.node.items or [])[index]
        row = ItemRow(item, self.context)
        row.remove_button.clicked.connect(lambda: self._remove(row))
        row.up_button.clicked.connect(lambda: self._move(row, -1))
        row.down_button.clicked.connect(lambda: self._move(row, 1))
        self._column.insertWidget(index, row)
        row.show()  # at once: a hidden widget cannot take the focus
        self.rows.insert(index, row)

    def _refresh(self) -> None:
        for index, row in enumerate(self.rows):
            row.place(index, len(self.rows))
        self._empty.setVisible(self.node.items == [])

    def _add(self) -> None:
        self.node.add()
        self._append(len(self.rows))
        self._refresh()
        self.context.rearranged()
        self.rows[-1].row.field.target().setFocus()
        self.edited.emit()

    def _remove(self, row: ItemRow) -> None:
        index = self.rows.index(row)
        self.node.remove(index)
        del self.rows[index]
        after = self.rows[min(index, len(self.rows) - 1)].remove_button if self.rows else None
        (after or self.add_button).setFocus()
        _discard(row)
        self._refresh()
        self.edited.emit()

    def _move(self, row: ItemRow, by: int) -> None:
        index = self.rows.index(row)
        self.node.move(index, by)
        self.rows.insert(index + by, self.rows.pop(index))
        self._column.removeWidget(row)
        self._column.insertWidget(index + by, row)
        self._refresh()
        self.context.rearranged()
        self.edited.emit()


def _discard(widget: QWidget) -> None:
    # Without a parent at once: what is about to go must not be found among the form's rows.
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()
