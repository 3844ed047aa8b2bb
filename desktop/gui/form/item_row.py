"""One item of a list: its number, its field, and the buttons that move and remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop.gui.form.field_row import FieldRow
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
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space(1))
        line.addWidget(self.row, 1)
        for button in (self.up_button, self.down_button, self.remove_button):
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def place(self, index: int, count: int) -> None:
        """Tell the item where it stands."""
        number = str(index + 1)
        self.up_button.setEnabled(index > 0)
        self.down_button.setEnabled(index < count - 1)
        self._name(self.up_button, self.tr("Move item {n} up").format(n=number))
        self._name(self.down_button, self.tr("Move item {n} down").format(n=number))
        self._name(self.remove_button, self.tr("Remove item {n}").format(n=number))
        item = self.tr("Item {n}").format(n=number)
        self.row.field.target().setAccessibleName(item)

    def _name(self, button: QToolButton, text: str) -> None:
        button.setAccessibleName(text)
        button.setToolTip(text)


def _button(context: FormContext, icon: str) -> QToolButton:
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    style(button, "flat")
    set_icon(context.theme, button, icon, "muted")
    return button
