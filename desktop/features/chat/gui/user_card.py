"""What a person asked, at the right side; it can be edited and sent anew, which begins a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.features.chat.gui.composer import MAX_QUESTION_LENGTH, MessageEditor
from desktop.features.chat.gui.images import ImageRow
from desktop.features.chat.gui.markdown_text import MarkdownColumn
from desktop.gui.layouts import STRETCH, TOP, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from desktop.features.chat.agent.message_tree import Versions
    from desktop.features.chat.gui.entries import UserEntry
    from desktop.gui.theme import Theme

_INDENT = space(16)
_PICTURE = space(26)
_MEASURED = 4_000  # characters of a question whose lines are measured


class QuestionEditor(QFrame):
    """Where a question is put into other words: Enter sends, Esc leaves it as it was."""

    send_requested = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "card")
        self.edit = MessageEditor(self)
        self.edit.set_text(text)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.send = QPushButton(self.tr("Send"), self)
        style(self.send, "primary")
        self.hint = plain_label(self.tr("The current version is kept."), "muted", "small")
        row = InnerRow((self.hint, 1), self.cancel, self.send)
        in_column(self, self.edit, row, margins=2, spacing=1)
        self.edit.send_requested.connect(self._send)
        self.edit.textChanged.connect(self._refresh)
        self.send.clicked.connect(self._send)
        self.cancel.clicked.connect(self.cancelled)
        self.edit.setAccessibleName(self.tr("Your question"))
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _send(self) -> None:
        if self.send.isEnabled():
            self.send_requested.emit(self.edit.toPlainText().strip())

    def _refresh(self) -> None:
        length = len(self.edit.toPlainText().strip())
        self.send.setEnabled(0 < length <= MAX_QUESTION_LENGTH)


class UserCard(QWidget):
    """A question, letter by letter, with its pictures, and its other versions where it has some."""

    edited = Signal(object, str)
    """The entry, and what is asked in place of it."""
    version_requested = Signal(object, int)
    """The entry, and which of its versions is to be shown, from 0."""

    def __init__(self, theme: Theme, entry: UserEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self.editor: QuestionEditor | None = None
        self._versions: Versions | None = None
        self.bubble = bubble = QFrame(self)
        style(bubble, "banner", "accent")
        self.text = MarkdownColumn(bubble, is_markdown=False)
        self.pictures = ImageRow(bubble)
        self.pictures.show_images(entry.images)
        in_column(bubble, self.text, self.pictures, margins=(3, 2, 3, 2))
        self.change = QToolButton(self)
        self.earlier, self.later = QToolButton(self), QToolButton(self)
        self.version = plain_label("", "muted", "small")
        self.version.setWordWrap(False)
        self._lay_out(theme)
        self.change.clicked.connect(self.start_editing)
        self.earlier.clicked.connect(lambda: self._request_version(-1))
        self.later.clicked.connect(lambda: self._request_version(1))
        self.show_versions(None, can_change=False)
        self.refresh()

    def refresh(self) -> None:
        self.text.setVisible(bool(self.entry.text.tail))
        self.text.show_text(self.entry.text)
        lines = self.entry.text.text[:_MEASURED].splitlines()
        widest = max((self.fontMetrics().horizontalAdvance(line) for line in lines), default=0)
        least = _PICTURE * len(self.entry.images) + space(9)
        self.bubble.setMaximumWidth(max(widest + space(9), least))
        self.setAccessibleName(self.tr("You: {text}").format(text=self.entry.text.text[:200]))
        self._set_texts()

    def show_versions(self, versions: Versions | None, *, can_change: bool) -> None:
        """Show which version it is.

        Args:
            versions: all of them; None where there is this one alone.
            can_change: whether it can be edited, or another one shown, now.
        """
        self._versions = versions if versions is not None and len(versions.starts) > 1 else None
        has_others = self._versions is not None
        for widget in (self.earlier, self.version, self.later):
            widget.setVisible(has_others)
        self.change.setEnabled(can_change)
        if self._versions is not None:
            at, count = self._versions.current, len(self._versions.starts)
            self.version.setText(f"{at + 1} / {count}")
            self.earlier.setEnabled(can_change and at > 0)
            self.later.setEnabled(can_change and at + 1 < count)
        if not can_change:
            self.stop_editing()
        self._set_texts()

    def start_editing(self) -> None:
        """Put an editor in place of the words."""
        if self.editor is not None:
            return
        self.editor = QuestionEditor(self.entry.text.text, self)
        self.editor.send_requested.connect(self._send_edited)
        self.editor.cancelled.connect(self.stop_editing)
        self._column.insertWidget(0, self.editor)
        self.editor.show()
        self.editor.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        for widget in (self.bubble, self.change):
            widget.hide()

    def stop_editing(self) -> None:
        """Leave the question as it was."""
        editor, self.editor = self.editor, None
        if editor is None:
            return
        self.bubble.show()
        self.change.show()
        if editor.isAncestorOf(QApplication.focusWidget() or self):
            self.change.setFocus(Qt.FocusReason.OtherFocusReason)
        self._column.removeWidget(editor)
        discard(editor)

    def _send_edited(self, text: str) -> None:
        self.edited.emit(self.entry, text)

    def _request_version(self, step: int) -> None:
        if self._versions is not None:
            self.version_requested.emit(self.entry, self._versions.current + step)

    def _lay_out(self, theme: Theme) -> None:
        for button, icon in (
            (self.change, "edit"),
            (self.earlier, "chevron-left"),
            (self.later, "chevron-right"),
        ):
            style(button, "flat", "small")
            set_icon(theme, button, icon, "muted")
        row = InnerRow(
            STRETCH,
            (self.change, TOP),
            (self.bubble, 1000),  # as wide as its words, less where there is no room
            spacing=1,
        )
        below = InnerRow(STRETCH, self.earlier, self.version, self.later, spacing=0)
        self._column = in_column(self, row, below, spacing=0)
        self._column.setContentsMargins(_INDENT, 0, 0, 0)

    def _set_texts(self) -> None:
        for button, words in (
            (self.change, self.tr("Edit and resend")),
            (self.earlier, self.tr("Previous version")),
            (self.later, self.tr("Next version")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        if self._versions is not None:
            words = self.tr("Version {number} of {count}")
            at, count = self._versions.current, len(self._versions.starts)
            self.version.setAccessibleName(words.format(number=at + 1, count=count))
