"""A line below a list: which server changed its list while it was shown, and by how much.

A server that comes or goes changes nothing, nor does a person who switches a tool off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTime
from PySide6.QtWidgets import QLabel

from desktop.gui.theme import style
from desktop.gui.widgets.retranslation import Retranslated
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget


class ChangeNote(Retranslated, QLabel):
    """Empty and hidden until there is something to say."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lists: dict[str, set[str]] = {}
        self._choices: dict[str, object] = {}
        self._change: tuple[str, str, int, int] | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        style(self, "small", "accent")
        self.hide()

    def note(
        self, listed: Iterable[tuple[str, str]], choice: Callable[[str], object] = lambda _: None
    ) -> None:
        """Compare with what was there.

        Args:
            listed: a server and the name of what it lists, for all that is there now.
            choice: what the person chose of a server: where that is not what it was, the list is
                another one by the person's hand.
        """
        lists: dict[str, set[str]] = {}
        for server, name in listed:
            lists.setdefault(server, set()).add(name)
        choices = {server: choice(server) for server in lists}
        for server, names in lists.items():
            before = self._lists.get(server, names)
            if before != names and choices[server] == self._choices[server]:
                time = QTime.currentTime().toString("HH:mm")
                self._change = server, time, len(names - before), len(before - names)
        self._lists, self._choices = lists, choices
        self.retranslate()

    def retranslate(self) -> None:
        self.setVisible(self._change is not None)
        if self._change is not None:
            server, time, new, gone = self._change
            words = self.tr("{server} changed its list at {time}: {new} new, {gone} gone")
            self.setText(words.format(server=mark_hidden(server), time=time, new=new, gone=gone))
