"""Tells on the rail that a conversation is at work or asks, also while another page is open.

Shows; starts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from desktop.gui import bridge

if TYPE_CHECKING:
    from desktop.gui.chat.desk import Chats
    from desktop.gui.main_window import MainWindow

_AT_WORK = "…"


class ChatBadge(QObject):
    """The number of open questions, else a sign that something is at work."""

    def __init__(self, window: MainWindow, desk: Chats, page: str) -> None:
        super().__init__(window)
        self._window, self._desk, self._page = window, desk, page
        bridge.connect(self, desk.changed, self.refresh)
        window.installEventFilter(self)
        self.refresh()

    def refresh(self) -> None:
        questions, running = self._desk.questions, self._desk.running
        if questions:
            words = self.tr("Calls that ask for you: {count}").format(count=questions)
            self._window.rail.set_news(self._page, str(questions), words, "warning")
        elif running:
            words = self.tr("Conversations at work: {count}").format(count=running)
            self._window.rail.set_news(self._page, _AT_WORK, words, "accent")
        else:
            self._window.rail.set_news(self._page, "", "", "accent")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        return super().eventFilter(watched, event)
