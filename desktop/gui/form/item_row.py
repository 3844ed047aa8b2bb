"""One item of a list: its number, its field, and the buttons that move and remove it.

An item of a tuple stays where it is and has the name of its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop.gui.form.field import show_if
from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.wording import type_of
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_line

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.nodes import Node


class ItemRow(QWidget):
    """An item that can be moved up and down and taken out."""

    def __init__(self, node: Node, context: FormContext, *, is_fixed: bool = False) -> None:
        super().__init__()
        self._is_fixed = is_fixed
        self.row = FieldRow(node, context)
        self.up_button = icon_button(context, "chevron-up")
        self.down_button = icon_button(context, "chevron-down")
        self.remove_button = icon_button(context, "close")
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
                buttons.addWidget(plain_line(type_of(self.row.node.spec), "small", "muted"))
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
