"""Asks before a server is taken out of the configuration. Removes nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = space(105)


class RemoveDialog(QDialog):
    """One question; Cancel is the default, so a stray Enter removes nothing."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Remove server"))
        question = QLabel(self.tr("Remove “{name}”?").format(name=name))
        meaning = QLabel(
            self.tr(
                "It is ended and its entry leaves the configuration file. "
                "To stop using it for a while, switch it off instead."
            )
        )
        for label in (question, meaning):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        style(question, "heading")
        style(meaning, "muted")
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        self.remove = box.addButton(self.tr("Remove"), roles.AcceptRole)
        self.cancel = box.addButton(self.tr("Cancel"), roles.RejectRole)
        style(self.remove, "danger")
        self.remove.setAutoDefault(False)
        self.cancel.setDefault(True)
        self.cancel.setFocus()
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(5), space(5), space(5), space(4))
        column.setSpacing(space(3))
        for part in (question, meaning, box):
            column.addWidget(part)
        self.setFixedWidth(_WIDTH)
