"""Shows a text of any length as plain text, a part per loop turn. Must not interpret it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.gui.results.find_bar import FindBar
from desktop.gui.results.measures import size_words
from desktop.gui.results.saving import save_as
from desktop.gui.results.text_parts import TextParts
from desktop.gui.theme import Theme, space, style

_SHOWN_AT_FIRST = 200_000
_SHOWN_MORE = 2_000_000
_FIND = QKeySequence.StandardKey.Find


class TextView(QWidget):
    """The text, a row of what can be done with it, and the rest of it on demand."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = TextParts("")
        self._goal = 0
        self._name = "result"
        self.editor = _plain_text_edit(theme, self)
        self.editor.setAccessibleName(self.tr("Text of the result"))
        self.find_bar = FindBar(theme, self.editor, self)
        self.wrap = self._button(self.tr("Wrap lines"), "chip")
        self.find_button = self._button(self.tr("Find"), "link")
        self.copy_all = self._button(self.tr("Copy all"), "link")
        self.save = self._button(self.tr("Save…"), "link")
        self.more = self._button(self.tr("Show more"), "link")
        self.note = QLabel(self)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        style(self.note, "muted", "small")
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._lay_out()
        self._connect()

    def show_text(self, text: str, name: str = "result") -> None:
        """Show `text` from its start; `name` is proposed when saving."""
        self._name = name
        self._parts = TextParts(text)
        self._goal = _SHOWN_AT_FIRST
        self.editor.setPlainText(self._parts.take())
        self._turn.start()
        self._tell()

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.matches(_FIND):
            event.accept()  # here Ctrl+F looks in the text, not for tools
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_FIND):
            self.find_bar.open_bar()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setSpacing(space(1))
        self.wrap.setCheckable(True)
        self.wrap.setChecked(True)
        for widget in (self.wrap, self.find_button, self.copy_all, self.save):
            tools.addWidget(widget)
        tools.addStretch(1)
        tools.addWidget(self.note)
        tools.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(2), 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.find_bar)
        layout.addWidget(self.editor, 1)
        layout.addLayout(tools)

    def _connect(self) -> None:
        self._turn.timeout.connect(self._append_part)
        self.wrap.toggled.connect(self._set_wrap)
        self.find_button.clicked.connect(self.find_bar.open_bar)
        self.find_bar.closed.connect(self.editor.setFocus)
        self.copy_all.clicked.connect(self._copy_all)
        self.save.clicked.connect(self._save)
        self.more.clicked.connect(self._show_more)

    def _append_part(self) -> None:
        if not self._parts.left or self._parts.taken >= self._goal:
            self._turn.stop()
            return
        cursor = QTextCursor(self.editor.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._parts.take())
        self._tell()

    def _show_more(self) -> None:
        self._goal = self._parts.taken + _SHOWN_MORE
        self._turn.start()

    def _tell(self) -> None:
        left = self._parts.left
        notes: list[str] = []
        if left and self._parts.taken >= self._goal:
            notes.append(self.tr("{size} more not shown").format(size=size_words(left)))
        if self._parts.has_broken_lines:
            notes.append(self.tr("very long lines are broken here, not when copied or saved"))
        self.note.setText(" · ".join(notes))
        self.more.setVisible(bool(left))

    def _set_wrap(self, wraps: bool) -> None:
        modes = QPlainTextEdit.LineWrapMode
        self.editor.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._parts.text)

    def _save(self) -> None:
        text = self._parts.text
        save_as(self, f"{self._name}.txt", lambda: text.encode("utf-8", "replace"))

    def _button(self, text: str, role: str) -> QPushButton:
        button = QPushButton(text, self)
        style(button, "chip" if role == "chip" else "link")
        return button


def _plain_text_edit(theme: Theme, parent: QWidget) -> QPlainTextEdit:
    editor = QPlainTextEdit(parent)
    editor.setReadOnly(True)
    editor.setUndoRedoEnabled(False)
    editor.setFont(theme.mono_font())
    editor.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    style(editor, "well")
    return editor
