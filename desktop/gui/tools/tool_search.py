"""Searches tools by words, in slices short enough for the event loop.

Names, titles, servers and keys (`server:tool`) are searched at once; descriptions after that, a few
milliseconds at a time, because 10,000 tools may carry 50 MB of them. Matches in descriptions rank
last, so later results are only appended and no row moves under the person's eye. Must not draw.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.tool_types import ToolDefinition

SLICE_SECONDS = 0.004
"""Leaves the rest of a 16 ms frame to the view that lays out and draws what was found."""

_CHECK_EVERY = 16
_EXACT, _NAME, _TITLE, _SERVER = -1000, 1, 2, 3
"""Better and worse than the beginning of the name."""


class IndexedTool(NamedTuple):
    """One tool with the short texts lower-cased once; descriptions are lowered while searching."""

    tool: ToolDefinition
    name: str
    title: str
    server: str
    head: str

    @classmethod
    def of(cls, tool: ToolDefinition) -> IndexedTool:
        name, title, server = tool.name.lower(), tool.title.lower(), tool.server.lower()
        return cls(tool, name, title, server, f"{name}\n{title}\n{server}:{name}")


class SearchIndex:
    """All tools in their order, ready to be searched; unchanged ones are not prepared again.

    `entries` are those that a filter lets pass.
    """

    def __init__(self) -> None:
        self.entries: list[IndexedTool] = []
        self._all: list[IndexedTool] = []
        self._filter: Callable[[ToolDefinition], bool] | None = None

    @property
    def tool_count(self) -> int:
        """Those that the filter holds back, too."""
        return len(self._all)

    def replace(self, tools: Sequence[ToolDefinition]) -> None:
        known = {id(entry.tool): entry for entry in self._all}
        self._all = [known.get(id(tool)) or IndexedTool.of(tool) for tool in tools]
        self._apply_filter()

    def filter(self, passes: Callable[[ToolDefinition], bool] | None) -> None:
        """Search only the tools that pass; all without a filter."""
        self._filter = passes
        self._apply_filter()

    def _apply_filter(self) -> None:
        passes = self._filter
        self.entries = self._all
        if passes is not None:
            self.entries = [entry for entry in self._all if passes(entry.tool)]


class ToolQuery:
    """One query over all tools: `head()` at once, then `more()` until `finished`.

    A query that only adds letters to the `previous` one skips all that the previous ruled out.
    """

    def __init__(self, index: SearchIndex, query: str, previous: ToolQuery | None = None) -> None:
        self.words = tuple(query.lower().split())
        self._candidates: Sequence[IndexedTool] = index.entries
        if previous is not None and previous.finished and self._narrows(previous):
            self._candidates = previous.found
        self.found: list[IndexedTool] = []
        self.finished = not self.words
        self._rest: Iterator[IndexedTool] | None = None

    def head(self) -> list[ToolDefinition]:
        """The matches in name, title and server, best first; every tool for an empty query."""
        matches: Sequence[IndexedTool] = self._candidates
        for word in self.words:
            matches = [entry for entry in matches if word in entry.head]
        self.found = _best_first(matches, self.words)
        self.finished = not self.words or not self._may_find_more()
        return [entry.tool for entry in self.found]

    def more(self, seconds: float = SLICE_SECONDS) -> list[ToolDefinition]:
        """Search descriptions for about `seconds`; returns new matches, which rank last."""
        start = len(self.found)
        end = perf_counter() + seconds
        if self._rest is None:
            self._rest = iter(self._open_ends())
        for count, entry in enumerate(self._rest, 1):
            text = entry.tool.description.lower()
            if all(word in text or word in entry.head for word in self.words):
                self.found.append(entry)
            if count % _CHECK_EVERY == 0 and perf_counter() > end:
                return [entry.tool for entry in self.found[start:]]
        self.finished = True
        return [entry.tool for entry in self.found[start:]]

    def _may_find_more(self) -> bool:
        """Whether `more()` could find any; decided without looking at every tool."""
        is_open = len(self.found) < len(self._candidates)
        return is_open and any(entry.tool.description for entry in self._candidates)

    def _open_ends(self) -> list[IndexedTool]:
        """Tools that only the description can decide; those with partial matches first."""
        done = set(map(id, self.found))
        rest = [e for e in self._candidates if e.tool.description and id(e) not in done]
        if len(self.words) < 2:
            return rest
        half = [entry for entry in rest if any(map(entry.head.__contains__, self.words))]
        done.update(map(id, half))
        return half + [entry for entry in rest if id(entry) not in done]

    def _narrows(self, previous: ToolQuery) -> bool:
        return bool(previous.words) and all(
            any(old in new for new in self.words) for old in previous.words
        )


def _best_first(matches: Sequence[IndexedTool], words: Sequence[str]) -> list[IndexedTool]:
    """Order by where each word was found, the tool that was named first of all.

    Inlined, as one letter may match every tool.
    """
    if not words:
        return list(matches)
    exact = {separator.join(words) for separator in " -_"}
    exact |= {words[0].partition(":")[2]} - {""}
    ranks = [0] * len(matches)
    for word in words:
        for at, (_, name, title, _, _) in enumerate(matches):
            if name in exact or title in exact:
                ranks[at] = _EXACT
            elif name.startswith(word):
                continue
            elif word in name:
                ranks[at] += _NAME
            else:
                ranks[at] += _TITLE if word in title else _SERVER
    if not any(ranks):
        return list(matches)
    return [matches[at] for at in sorted(range(len(matches)), key=ranks.__getitem__)]


class ToolSearch(QObject):
    """The running search; a new query ends the previous one."""

    started = Signal(object)
    """The first matches, best first: they replace what is shown. A list; as `list` it is copied."""
    continued = Signal(object)
    """Further matches, to be appended."""
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
        return self._index.tool_count

    @property
    def found_count(self) -> int:
        """What was found so far."""
        return len(self._search.found)

    @property
    def is_finished(self) -> bool:
        return self._search.finished

    def replace_tools(self, tools: Sequence[ToolDefinition]) -> None:
        self._index.replace(tools)
        self._start(None)

    def filter(self, passes: Callable[[ToolDefinition], bool] | None) -> None:
        """Search only the tools that pass."""
        self._index.filter(passes)
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
