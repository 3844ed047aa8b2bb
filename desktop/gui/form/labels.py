"""Labels of a form: what a server says is plain text, and a long text is cut until asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.theme import style

if TYPE_CHECKING:
    from desktop.gui.theme import Role

LONGEST: Final = 320
LONGEST_NAME: Final = 64


def plain_label(text: str, *roles: Role) -> QLabel:
    """A label whose text is never markup."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(True)
    style(label, *roles)
    return label


def plain_line(text: str, *roles: Role) -> QLabel:
    """The same on one line; a name of hundreds of letters does not push the rest away."""
    label = plain_label(text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…", *roles)
    label.setWordWrap(False)
    return label


def description_label(text: str) -> QWidget:
    """A text of the server; a long one is cut until asked for."""
    if len(text) <= LONGEST:
        return plain_label(text, "small", "muted")
    return _Description(text)


class _Description(QWidget):
    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._label = plain_label(f"{text[:LONGEST].rstrip()}…", "small", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._label)
        more = QPushButton(QCoreApplication.translate("FormLabels", "Show all"))
        style(more, "link", "small")
        more.clicked.connect(lambda: self._show_all(more))
        column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _show_all(self, more: QPushButton) -> None:
        self._label.setText(self._text)
        more.hide()
