"""What narrows the list of calls: words, when, who called, which server, how it ended.

Must not read the history: whoever does asks `query`.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QPushButton, QSizePolicy

from desktop.gui.history import labels
from desktop.gui.layouts import in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.server_choice import ServerChoice
from desktop.gui.widgets.styled_text import origin_label
from desktop.history.records import DONE, FAILED, Query
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Iterable

_SEARCH_MS = 120
"""Milliseconds from the last key to the search: a word is searched once, not each letter."""
_TIMES = {
    "": QT_TRANSLATE_NOOP("CallFilters", "Any time"),
    "run": QT_TRANSLATE_NOOP("CallFilters", "This run"),
    "hour": QT_TRANSLATE_NOOP("CallFilters", "Last hour"),
    "day": QT_TRANSLATE_NOOP("CallFilters", "Today"),
    "week": QT_TRANSLATE_NOOP("CallFilters", "Last 7 days"),
}
_ORIGINS = ("", "person", "agent", "terminal", "client", "app")
_OUTCOMES = (
    "",
    DONE,
    FAILED,
    ErrorCode.TOOL_ERROR.value,
    ErrorCode.TIMEOUT.value,
    ErrorCode.UNREACHABLE.value,
    ErrorCode.PROTOCOL.value,
    ErrorCode.CANCELLED.value,
    ErrorCode.DENIED.value,
    ErrorCode.INVALID_ARGUMENTS.value,
)
_HOUR, _WEEK = 3600.0, 7 * 24 * 3600.0
_WIDTH = space(32)


class CallFilters(QFrame):
    """`changed` is sent when `query` has changed, while typing a little later."""

    changed = Signal()

    def __init__(self, began: float) -> None:
        """Args: began: when this run began, in seconds since the epoch."""
        super().__init__()
        self._began = began
        self.search = SearchField()
        self.time, self.origin = QComboBox(), QComboBox()
        self.server, self.outcome = ServerChoice(), QComboBox()
        self.show_all = QPushButton(self.tr("Show all"))
        style(self.show_all, "link")
        self.show_all.hide()
        self.count = QLabel()
        style(self.count, "muted", "small")
        self._later = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._later.timeout.connect(self.changed)
        for box, values in (
            (self.time, tuple(_TIMES)),
            (self.origin, _ORIGINS),
            (self.server, ()),
            (self.outcome, _OUTCOMES),
        ):
            for value in values:
                box.addItem("", value)
            box.setMaximumWidth(_WIDTH)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            box.currentIndexChanged.connect(lambda: self.changed.emit())
        self.search.textChanged.connect(lambda: self._later.start())
        self.show_all.clicked.connect(self.reset)
        self.changed.connect(lambda: self.show_all.setVisible(self.query != Query()))
        in_row(
            self,
            (self.search, 1),
            self.time,
            self.origin,
            self.server,
            self.outcome,
            self.show_all,
            self.count,
        )
        self._set_texts()

    @property
    def query(self) -> Query:
        """What the person chose, as of now."""
        return Query(
            self.search.text().strip(),
            since=self._since(),
            origin=str(self.origin.currentData() or ""),
            server=self.server.server,
            outcome=str(self.outcome.currentData() or ""),
        )

    def reset(self) -> None:
        """Choose all calls."""
        had_focus = self.show_all.hasFocus()
        self.search.clear()
        for box in (self.time, self.origin, self.server, self.outcome):
            box.setCurrentIndex(0)
        if had_focus:
            self.search.setFocus()  # the button goes

    def pause(self) -> bool:
        """Drop a pending search; returns whether there was one."""
        is_due = self._later.isActive()
        self._later.stop()
        return is_due

    def offer_servers(self, names: Iterable[str]) -> None:
        """Offer these servers, too."""
        self.server.offer(names, keeps=True)

    def _set_texts(self) -> None:
        self.search.set_purpose(self.tr("Search tools, arguments and results"))
        for at, text in enumerate(_TIMES.values()):
            self.time.setItemText(at, self.tr(str(text)))
        self.time.setAccessibleName(self.tr("Calls of this time"))
        self.origin.setItemText(0, self.tr("Any caller"))
        for at, origin in enumerate(_ORIGINS[1:], 1):
            self.origin.setItemText(at, origin_label(origin))
        self.origin.setAccessibleName(self.tr("Calls by"))
        self.server.setItemText(0, self.tr("Any server"))
        self.server.setAccessibleName(self.tr("Calls of this server"))
        self.outcome.setItemText(0, self.tr("Any outcome"))
        for at, outcome in enumerate(_OUTCOMES[1:], 1):
            self.outcome.setItemText(at, labels.outcome_label(outcome).text)
        self.outcome.setAccessibleName(self.tr("Calls with this outcome"))

    def _since(self) -> float:
        match self.time.currentData():
            case "run":
                return self._began
            case "hour":
                return time.time() - _HOUR
            case "day":
                return datetime.now().astimezone().replace(hour=0, minute=0, second=0).timestamp()
            case "week":
                return time.time() - _WEEK
            case _:
                return 0.0
