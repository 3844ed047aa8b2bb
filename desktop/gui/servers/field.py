"""A control with its name above and, beneath, what is meant or what is wrong. Lays out only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.gui.theme import space, style


class FormLine(QFrame):
    """One line of a form."""

    def __init__(self, control: QWidget, *marked: QWidget) -> None:
        """Args: marked: what shows an error by its border; the control itself by default."""
        super().__init__()
        self.control = control
        self._marked = marked or (control,)
        self._hint = ""
        self._name, self._below = QLabel(), QLabel()
        self._name.setBuddy(self._marked[0])
        self._below.setTextFormat(Qt.TextFormat.PlainText)
        self._below.setWordWrap(True)
        style(self._name, "heading", "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(1))
        for part in (self._name, control, self._below):
            column.addWidget(part)
        self.set_error("")

    @property
    def error(self) -> str:
        return "" if self._below.property("role") == "muted small" else self._below.text()

    def set_text(self, name: str, hint: str = "") -> None:
        error = self.error
        self._hint = hint
        self._name.setText(name)
        for widget in self._marked:
            widget.setAccessibleName(name)
        self.set_error(error)

    def set_error(self, error: str) -> None:
        """Say what is wrong, or that nothing is."""
        below = f"{error[:1].upper()}{error[1:]}" if error else self._hint
        self._below.setText(below)
        self._below.setVisible(bool(below))
        style(self._below, "danger" if error else "muted", "small")
        for widget in self._marked:
            roles = str(widget.property("role") or "").split()
            kept = [word for word in roles if word != "invalid"]
            style(widget, *(kept + (["invalid"] if error else [])))  # pyright: ignore[reportArgumentType] # roles it had
            widget.setAccessibleDescription(below)
