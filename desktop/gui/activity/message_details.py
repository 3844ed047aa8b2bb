"""One message in full: what it is, its body without secrets, and the way to what it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from desktop.gui.activity import words
from desktop.gui.elided_label import ElidedLabel
from desktop.gui.icons import set_icon
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import RecordedMessage


class MessageDetails(QFrame):
    """Shows one message, or says that none is chosen."""

    wanted = Signal(int)
    """The number of the message that a person wants to see instead."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._message: RecordedMessage | None = None
        self._partner: int | None = None
        self.facts = ElidedLabel()
        style(self.facts, "heading")
        self.partner = QPushButton()
        style(self.partner, "link")
        set_icon(theme, self.partner, "link", "accent")
        self.partner.clicked.connect(self.follow)
        self.text = TextView(theme, self, is_prose=False)
        self._nothing = QLabel()
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        style(self._nothing, "muted")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.facts, 1)
        row.addWidget(self.partner)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        column.addWidget(self._nothing, 1)
        self._translate()
        self.show_message(None, None)

    @property
    def message(self) -> RecordedMessage | None:
        return self._message

    def show_message(self, message: RecordedMessage | None, partner: int | None) -> None:
        """Show it; `partner` is the number of its request or its answer, where there is one."""
        self._partner = partner
        for widget in (self.facts, self.text):
            widget.setVisible(message is not None)
        self._nothing.setVisible(message is None)
        self.partner.setVisible(message is not None and partner is not None)
        if message is not self._message and message is not None:
            from desktop.servers.message_log import pretty

            name = f"message-{message.number}"
            self.text.show_text(pretty(message), name)
        self._message = message
        self._tell()

    def follow(self) -> None:
        """Go to the request of an answer, or to the answer of a request."""
        if self._partner is not None:
            self.wanted.emit(self._partner)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            QTimer.singleShot(0, self, self._make_text)  # not while its children are told
        super().changeEvent(event)

    def _make_text(self) -> None:
        """The text view keeps the language in which it was made."""
        fresh, old = TextView(self._theme, self, is_prose=False), self.text
        fresh.setVisible(self._message is not None)
        self._column.replaceWidget(old, fresh)
        self.text = fresh
        old.hide()
        old.deleteLater()
        message, self._message = self._message, None
        self.show_message(message, self._partner)

    def _tell(self) -> None:
        if (message := self._message) is None:
            return
        self.facts.show_text(words.message_words(message))
        is_answer = message.request is not None
        self.partner.setText(
            self.tr("Go to the request") if is_answer else self.tr("Go to the answer")
        )
        self.partner.setToolTip("Ctrl+J")

    def _translate(self) -> None:
        self._nothing.setText(self.tr("Choose a message to see what was in it."))
