"""A line below a list: which servers changed their lists while they were shown, and by how much.

A server that comes or goes changes nothing, nor does a person who switches a tool off. A list that
arrives page by page is compared once it is whole: when nothing has changed for a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QTime, QTimer, Signal

from desktop.base.visible_text import mark_hidden
from desktop.gui.theme import style
from desktop.gui.widgets.labels import MAX_NAME_LENGTH, PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

QUIET_MS: Final = 1000
"""Milliseconds without a change after which lists count as whole."""


class _Change(NamedTuple):
    servers: tuple[str, ...]
    time: str
    new: int
    gone: int


class ChangeNote(PlainLabel):
    """Empty and hidden until there is something to say."""

    settled = Signal()
    """The lists have been as they are for a moment, and what changed is said."""

    def __init__(self, parent: QWidget, quiet_ms: int = QUIET_MS) -> None:
        super().__init__(parent)
        self._whole: dict[str, set[str]] = {}
        self._latest: dict[str, set[str]] = {}
        self._choices: dict[str, object] = {}
        self._change: _Change | None = None
        self._quiet = QTimer(self, singleShot=True, interval=quiet_ms)
        self._quiet.timeout.connect(self._compare)
        style(self, "small", "accent")
        self.hide()

    def note(
        self, listed: Iterable[tuple[str, str]], choice: Callable[[str], object] = lambda _: None
    ) -> None:
        """Take what is there now.

        Args:
            listed: a server and the name of what it lists, for all that is there now.
            choice: what the person chose of a server: where that is not what it was, the list is
                another one by the person's hand.
        """
        lists: dict[str, set[str]] = {}
        for server, name in listed:
            lists.setdefault(server, set()).add(name)
        choices = {server: choice(server) for server in lists}
        for server in list(self._whole):
            if server not in lists or choices[server] != self._choices.get(server):
                del self._whole[server]  # what it lists from now on is its list
        if lists != self._latest:
            self._quiet.start()
        self._latest, self._choices = lists, choices

    def _compare(self) -> None:
        changed = {
            server: (len(names - self._whole[server]), len(self._whole[server] - names))
            for server, names in self._latest.items()
            if self._whole.get(server, names) != names
        }
        if changed:
            counts = changed.values()
            time = QTime.currentTime().toString("HH:mm")
            new, gone = sum(new for new, _ in counts), sum(gone for _, gone in counts)
            self._change = _Change(tuple(changed), time, new, gone)
        self._whole = dict(self._latest)
        self._set_texts()
        self.settled.emit()

    def _set_texts(self) -> None:
        self.setVisible(self._change is not None)
        if self._change is None:
            return
        servers, time, new, gone = self._change
        if len(servers) == 1:
            words = self.tr("{server} changed its list at {time}: {new} new, {gone} gone")
            name = mark_hidden(servers[0][:MAX_NAME_LENGTH])
        else:
            words = self.tr(
                "{server} servers changed their lists at {time}: {new} new, {gone} gone"
            )
            name = f"{len(servers):,}"
        counts = {"new": f"{new:,}", "gone": f"{gone:,}"}
        self.setText(words.format(server=name, time=time, **counts))
