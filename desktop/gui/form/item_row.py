"""One item of a list: its number, its field, and the buttons that move and remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop.gui.form.field_row import FieldRow, plain_line
from desktop.gui.icons import set_icon
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.nodes import Node


class ItemRow(QWidget):
    """An item that can be moved up and down and taken out."""

    def __init__(self, node: Node, context: FormContext) -> None:
        super().__init__()
        self.row = FieldRow(node, context)
        self.up_button = _button(context, "chevron-up")
        self.down_button = _button(context, "chevron-down")
        self.remove_button = _button(context, "close")
        self.number = plain_line("", "small", "muted")
        self._lay_out(is_tall=node.spec.kind in {"object", "array", "json"})

    def place(self, index: int, count: int) -> None:
        """Tell the item where it stands."""
        number = str(index + 1)
        self.up_button.setEnabled(index > 0)
        self.down_button.setEnabled(index < count - 1)
        self._name(self.up_button, self.tr("Move item {n} up").format(n=number))
        self._name(self.down_button, self.tr("Move item {n} down").format(n=number))
        self._name(self.remove_button, self.tr("Remove item {n}").format(n=number))
        item = self.tr("Item {n}").format(n=number)
        self.number.setText(item)
        self.row.field.announce_as(item)

    def _lay_out(self, *, is_tall: bool) -> None:
        """A tall item stands below its buttons, a short one beside them."""
        buttons = QHBoxLayout()
        buttons.setSpacing(space(1))
        if is_tall:
            buttons.addWidget(self.number)
            buttons.addStretch(1)
        self.row.lay_state_into(buttons)
        for button in (self.up_button, self.down_button, self.remove_button):
            buttons.addWidget(button)
        line = (QVBoxLayout if is_tall else QHBoxLayout)(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space(1))
        if is_tall:
            line.addLayout(buttons)
            line.addWidget(self.row)
        else:
            line.addWidget(self.row, 1)
            line.addLayout(buttons)
            line.setAlignment(buttons, Qt.AlignmentFlag.AlignTop)

    def _name(self, button: QToolButton, text: str) -> None:
        button.setAccessibleName(text)
        button.setToolTip(text)


def _button(context: FormContext, icon: str) -> QToolButton:
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    style(button, "flat")
    set_icon(context.theme, button, icon, "muted")
    return button
