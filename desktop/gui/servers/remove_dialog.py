"""Asks before a server is taken out of the configuration. Removes nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class RemoveDialog(QuestionDialog):
    """Whether to remove a server."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(
            parent,
            QCoreApplication.translate("RemoveDialog", "Remove “{name}”?").format(name=name),
            QCoreApplication.translate(
                "RemoveDialog",
                "It is ended and its entry leaves the configuration file. "
                "To stop using it for a while, switch it off instead.",
            ),
            QCoreApplication.translate("RemoveDialog", "Remove"),
        )
        self.setWindowTitle(self.tr("Remove server"))
        self.remove = self.act
