"""Asks before a process is ended, and says what its server is going to do. Ends nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class EndDialog(QuestionDialog):
    """Whether to end a process."""

    def __init__(self, parent: QWidget, question: str, meaning: str) -> None:
        action = QCoreApplication.translate("EndDialog", "End process")
        super().__init__(parent, question, meaning, action)
        self.setWindowTitle(action)
        self.end = self.act
