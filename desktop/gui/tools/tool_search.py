"""Runs searches for the list a slice per loop turn, and says what to show. Must not draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.gui.tools.search import SearchIndex, ToolQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.tool_types import ToolDefinition


class ToolSearch(QObject):
    """The search under way; a new query ends the one before."""

    started = Signal(object)
    """The first matches, best first: they replace what is shown. A list; as `list` it is copied."""
    continued = Signal(object)
    """Further matches: they go below."""
    finished = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._index = SearchIndex()
        self._search = ToolQuery(self._index, "")
        self._query = ""
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._continue)

    @property
    def tool_count(self) -> int:
        return len(self._index.entries)

    @property
    def is_finished(self) -> bool:
        return self._search.finished

    def replace_tools(self, tools: Sequence[ToolDefinition]) -> None:
        self._index.replace(tools)
        self._start(None)

    def look_for(self, query: str) -> None:
        self._query = query
        self._start(self._search)

    def _start(self, previous: ToolQuery | None) -> None:
        self._search = ToolQuery(self._index, self._query, previous)
        self.started.emit(self._search.head())
        if self._search.finished:
            self._turn.stop()
            self.finished.emit()
        else:
            self._turn.start()

    def _continue(self) -> None:
        self.continued.emit(self._search.more())
        if self._search.finished:
            self._turn.stop()
            self.finished.emit()
