"""A list: its items one below the other, to add, move and remove. Holds no value of its own.

An item of a tuple stays where it is and is named after its position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import shortcuts
from desktop.gui.form.descriptions import type_label
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.field_row import FieldRow
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label, plain_line
from desktop.gui.widgets.visibility import discard, show_if

if TYPE_CHECKING:
    from desktop.gui.form.model.nodes import ArrayNode, Node


class ItemRow(QWidget):
    """An item that can be moved up and down and taken out."""

    def __init__(self, node: Node, context: FormContext, *, is_fixed: bool = False) -> None:
        super().__init__()
        self._is_fixed = is_fixed
        self.row = FieldRow(node, context)
        self.up_button = icon_button(context, "chevron-up")
        self.down_button = icon_button(context, "chevron-down")
        self.remove_button = icon_button(context, "close")
        guard_focus(self.remove_button)
        self.number = plain_line("", "small", "muted")
        is_tall = node.spec.kind in {"object", "array", "json", "union"}
        self._lay_out(is_tall=is_tall or is_fixed)

    def place(self, index: int, count: int, first: int = 0) -> None:
        """Tell the item where it stands; those before `first` do not move."""
        number = str(index + 1)
        self.up_button.setEnabled(index > first)
        self.down_button.setEnabled(index < count - 1)
        self._name(self.up_button, self.tr("Move item {n} up").format(n=number))
        self._name(self.down_button, self.tr("Move item {n} down").format(n=number))
        self._name(self.remove_button, self.tr("Remove item {n}").format(n=number))
        spec = self.row.node.spec
        item = (self._is_fixed and spec.title) or self.tr("Item {n}").format(n=number)
        self.number.setText(item)
        self.row.field.announce_as(item)

    def _lay_out(self, *, is_tall: bool) -> None:
        """A tall item stands below its buttons, a short one beside them."""
        buttons = QHBoxLayout()
        buttons.setSpacing(space(1))
        if is_tall:
            buttons.addWidget(self.number)
            if self._is_fixed:
                style(self.number, "heading")
                buttons.addWidget(plain_line(type_label(self.row.node.spec), "small", "muted"))
            buttons.addStretch(1)
        self.row.lay_state_into(buttons)
        for button in (self.up_button, self.down_button, self.remove_button):
            buttons.addWidget(button)
            show_if(button, not self._is_fixed)
        line = (QVBoxLayout if is_tall else QHBoxLayout)(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space(1))
        if is_tall:
            line.addLayout(buttons)
            if self._is_fixed and self.row.node.spec.description:
                line.addWidget(description_label(self.row.node.spec.description))
            line.addWidget(self.row)
        else:
            line.addWidget(self.row, 1)
            line.addLayout(buttons)
            line.setAlignment(buttons, Qt.AlignmentFlag.AlignTop)

    def _name(self, button: QToolButton, text: str) -> None:
        button.setAccessibleName(text)
        button.setToolTip(text)


def icon_button(context: FormContext, icon: str) -> QToolButton:
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    style(button, "flat")
    set_icon(context.theme, button, icon, "muted")
    return button


class ArrayField(Field):
    """The items of a list with their buttons, and one button to add another.

    Alt+Up and Alt+Down move the item that has the keyboard.
    """

    node: ArrayNode

    def __init__(self, node: ArrayNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.rows: list[ItemRow] = []
        self._name = ""
        self._column = in_column(self)
        if node.fixed:
            # The places of a tuple have names like the fields of an object, and look like them.
            self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            style(self, "nested")
            self._column.setContentsMargins(space(4), 0, 0, 0)
            self._column.setSpacing(space(4))
        self._empty = plain_label(self.tr("The list is empty."), "small", "muted")
        self.add_button = QPushButton()
        set_icon(context.theme, self.add_button, "plus", "muted")
        self.add_button.clicked.connect(self._add)
        self._column.addWidget(self._empty)
        self._column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        for keys, by in zip(shortcuts.MOVE_ITEM.keys, (-1, 1), strict=True):
            self._listen(keys, by)
        self.load()

    def load(self) -> None:
        for row in self.rows:
            discard(row)
        self.rows = []
        for index, _ in enumerate(self.node.items or ()):
            self._append(index)
        self._refresh()

    def target(self) -> QWidget:
        is_tuple = bool(self.node.fixed and self.rows)
        return self.rows[0].row.field.target() if is_tuple else self.add_button

    def complete(self) -> None:
        for row in self.rows:
            row.row.field.complete()

    def announce_as(self, name: str) -> None:
        self._name = name
        self.add_button.setAccessibleName(f"{name}: {self.add_button.text()}")

    def _listen(self, keys: str, by: int) -> None:
        made = shortcuts.bind_key(self, keys, lambda: _move_focused(by))
        # In a list of lists each asks for the same keys; whoever is told asks the innermost.
        made.activatedAmbiguously.connect(lambda: _move_focused(by))

    def _append(self, index: int) -> None:
        item = (self.node.items or [])[index]
        row = ItemRow(item, self.context, is_fixed=index < self.node.fixed)
        row.remove_button.clicked.connect(lambda: self._remove(row))
        row.up_button.clicked.connect(lambda: self.move_item(row, -1))
        row.down_button.clicked.connect(lambda: self.move_item(row, 1))
        self._column.insertWidget(index, row)
        row.show()  # at once: a hidden widget cannot take the focus
        self.rows.insert(index, row)

    def _refresh(self) -> None:
        node = self.node
        for index, row in enumerate(self.rows):
            row.place(index, len(self.rows), node.fixed)
        show_if(self._empty, node.items == [])
        is_closed = node.items is None and node.fixed > 0
        words = self.tr("Fill in") if is_closed else self.tr("Add item")
        most = node.spec.schema.get("maxItems")
        if not is_closed and not node.may_add and isinstance(most, int):
            one, many = (
                self.tr("Maximum of 1 item reached"),
                self.tr("Maximum of {count} items reached"),
            )
            words = counted(most, one, many)
        self.add_button.setText(words)
        self.announce_as(self._name)
        self.add_button.setEnabled(is_closed or node.may_add)
        show_if(self.add_button, is_closed or node.spec.item is not None or not node.fixed)

    def _add(self) -> None:
        if self.node.items is None and self.node.fixed:
            self.node.open()
            self.load()
            new = 0
        else:
            self.node.add()
            new = len(self.rows)
            self._append(new)
            self._refresh()
        self.complete()
        self.context.rearranged()
        self.rows[new].row.field.target().setFocus()
        self.edited.emit()

    def _remove(self, row: ItemRow) -> None:
        index = self.rows.index(row)
        self.node.remove(index)
        del self.rows[index]
        # Not the next button of this kind: a second press would take one item more.
        after = self.rows[min(index, len(self.rows) - 1)].row.field.target() if self.rows else None
        (after or self.add_button).setFocus()
        discard(row)
        self._refresh()
        self.edited.emit()

    def move_item(self, row: ItemRow, by: int) -> None:
        """Move an item up or down, where it can go there; the keyboard goes with it."""
        index = self.rows.index(row)
        if index < self.node.fixed or not self.node.fixed <= index + by < len(self.rows):
            return
        focused = QApplication.focusWidget()
        self.node.move(index, by)
        self.rows.insert(index + by, self.rows.pop(index))
        self._column.removeWidget(row)
        self._column.insertWidget(index + by, row)
        self._refresh()
        self.context.rearranged()
        if focused is not None and row.isAncestorOf(focused):
            focused.setFocus()
        self.edited.emit()


def _move_focused(by: int) -> None:
    widget = QApplication.focusWidget()
    row: ItemRow | None = None
    while widget is not None:
        if row is not None and isinstance(widget, ArrayField) and row in widget.rows:
            widget.move_item(row, by)
            return
        row = widget if isinstance(widget, ItemRow) else row
        widget = widget.parentWidget()
