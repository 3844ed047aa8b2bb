"""One call of the history as a whole: its arguments beside its result. Shows; runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from desktop.gui.form.json_highlighter import JsonHighlighter
from desktop.gui.form.json_text import write_json
from desktop.gui.history import words
from desktop.gui.results.result_view import ResultView
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.history.records import Record

_ARGUMENTS_WIDTH = space(90)
_MOST_SHOWN = 50_000
"""Characters of arguments: they are coloured, which takes time."""


class CallView(QWidget):
    """Arguments on the left, the result on the right, and what of both was not kept."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.record: Record | None = None
        self._heading, self.note = QLabel(), QLabel()
        style(self._heading, "heading")
        style(self.note, "warning", "small")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.arguments = QPlainTextEdit()
        self.arguments.setReadOnly(True)
        self.arguments.setFrameShape(QFrame.Shape.NoFrame)
        self.arguments.setTabChangesFocus(True)
        self.arguments.setFont(theme.mono_font())
        style(self.arguments, "well", "mono")
        self._highlighter = JsonHighlighter(self.arguments.document(), theme)
        self.result = ResultView(theme)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, space(2), space(3), 0)
        column.setSpacing(space(2))
        for widget in (self._heading, self.arguments, self.note):
            column.addWidget(widget, 1 if widget is self.arguments else 0)
        right = QWidget()
        self._around = QVBoxLayout(right)
        self._around.setContentsMargins(space(3), 0, 0, 0)
        self._around.addWidget(self.result)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_ARGUMENTS_WIDTH, 2 * _ARGUMENTS_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self._translate()

    def show_record(self, record: Record) -> None:
        self.record = record
        text = "" if record.arguments is None else write_json(record.arguments)
        self.arguments.setPlainText(text[:_MOST_SHOWN])
        notes = words.notes(record)
        if len(text) > _MOST_SHOWN:
            notes.append(self.tr("Only the beginning of the arguments is shown."))
        self.note.setText("\n".join(notes))
        self.note.setVisible(bool(notes))
        self.result.show_result(record.result, record.summary.key.partition(":")[2] or "result")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            QTimer.singleShot(0, self, self._renew_result)  # not while its children are told
        super().changeEvent(event)

    def _renew_result(self) -> None:
        """A result view has the language it was made in."""
        left, self.result = self.result, ResultView(self._theme)
        self._around.replaceWidget(left, self.result)
        left.deleteLater()
        if self.record is not None:
            self.show_record(self.record)

    def _translate(self) -> None:
        self._heading.setText(self.tr("Arguments"))
        self.arguments.setAccessibleName(self.tr("Arguments"))
