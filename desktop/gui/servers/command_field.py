"""The program to start; offers to take a pasted command line apart. Never does so unasked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout

from desktop.gui.servers.command_line import split_command_line
from desktop.gui.theme import space, style


class CommandField(QFrame):
    """A line edit, and a button while it holds more than a program."""

    changed = Signal()
    split_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.split = QPushButton()
        style(self.split, "link")
        self.split.hide()
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(self._changed)
        self.split.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(1))
        column.addWidget(self.edit)
        column.addWidget(self.split, 0, Qt.AlignmentFlag.AlignLeft)
        self._translate()

    @property
    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _changed(self, text: str) -> None:
        self.split.setVisible(split_command_line(text) is not None)
        self.changed.emit()

    def _ask(self) -> None:
        if (line := split_command_line(self.text)) is not None:
            self.split_asked.emit(line)
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _translate(self) -> None:
        self.split.setText(self.tr("Split into command and arguments"))
