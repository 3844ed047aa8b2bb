"""Asks before a process is ended, and says what its server is going to do. Ends nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = space(105)


class EndDialog(QDialog):
    """One question; Cancel is the default, so a stray Enter ends nothing."""

    def __init__(self, parent: QWidget, question: str, meaning: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("End process"))
        self.question, self.meaning = QLabel(question), QLabel(meaning)
        for label in (self.question, self.meaning):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        style(self.question, "heading")
        style(self.meaning, "muted")
        kinds = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(kinds.Cancel)
        self.end = box.addButton(self.tr("End process"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = box.button(kinds.Cancel)
        self.cancel.setText(self.tr("Cancel"))
        style(self.end, "danger")
        self.end.setAutoDefault(False)
        self.cancel.setDefault(True)
        self.cancel.setFocus()
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(5), space(5), space(5), space(4))
        column.setSpacing(space(3))
        for part in (self.question, self.meaning, box):
            column.addWidget(part)
        self.setFixedWidth(_WIDTH)
