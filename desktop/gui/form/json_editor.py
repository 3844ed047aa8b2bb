"""An editor for JSON that says where it is wrong while it is typed.

Used for the arguments as a whole and for the fields that have no other shape. Keeps no value: it
tells its text, whoever uses it reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.form.json_highlighter import JsonHighlighter
from desktop.gui.form.json_text import JsonTextError, read_json, write_json
from desktop.gui.form.text_editor import GrowingTextEditor
from desktop.gui.spoken import spoken
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme


_SHORT: Final = 24


class JsonEditor(QWidget):
    """Text, the place of its first mistake, and a button that sets it out cleanly."""

    edited = Signal()

    def __init__(self, theme: Theme, lines: int = 2) -> None:
        super().__init__()
        self.editor = GrowingTextEditor(max(lines, 2))
        style(self.editor, "well", "mono")
        self._highlighter = JsonHighlighter(self.editor.document(), theme)
        self.status = QLabel()
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setWordWrap(True)
        self.format_button = QPushButton()
        style(self.format_button, "link", "small")
        self._lay_out()
        self.editor.textChanged.connect(self._edit)
        self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    @property
    def text(self) -> str:
        return self.editor.exact_text()

    def set_text(self, text: str) -> None:
        """Show a text without announcing it."""
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.blockSignals(False)
        self._check()

    def format(self) -> None:
        """Set the text out in lines; a text that is not JSON stays as it is."""
        try:
            text = write_json(read_json(self.text))
        except JsonTextError:
            return
        if text != self.text:
            cursor = self.editor.textCursor()
            cursor.select(cursor.SelectionType.Document)
            cursor.insertText(text)

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.addWidget(self.status, 1)
        below.addStretch()
        below.addWidget(self.format_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(1))
        column.addWidget(self.editor)
        column.addLayout(below)
        self.format_button.clicked.connect(self.format)

    def _translate(self) -> None:
        self.format_button.setText(self.tr("Format"))
        self.format_button.setAccessibleName(self.tr("Format the JSON"))
        self._check()

    def _edit(self) -> None:
        self._check()
        self.edited.emit()

    def _check(self) -> None:
        text = self.text
        problem = _problem(text) if text.strip() else None
        self.format_button.setVisible("\n" in text.strip() or len(text) > _SHORT)
        self.format_button.setEnabled(problem is None)
        self.status.setVisible(problem is not None)
        style(self.editor, "well", "mono", *(("invalid",) if problem else ()))
        style(self.status, "small", "danger" if problem else "muted")
        place = self.tr("Line {line}, column {column}: {problem}")
        self.status.setText(
            place.format(line=problem.line, column=problem.column, problem=spoken(str(problem)))
            if problem
            else ""
        )


def _problem(text: str) -> JsonTextError | None:
    try:
        read_json(text)
    except JsonTextError as error:
        return error
    return None
