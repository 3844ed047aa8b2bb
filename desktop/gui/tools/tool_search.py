"""Searches tools by words, in slices short enough for the event loop.

Names, titles, servers and keys (`server:tool`) are searched at once; descriptions after that, a few
milliseconds at a time, because 10,000 tools may carry 50 MB of them. Matches in descriptions rank
last, so later results are only appended and no row moves under the person's eye. What is searched
at once is lower-cased in slices, too, once the tools are shown: most are not searched at all. Must
not draw.
"""

from __future__ import annotations

from itertools import islice
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.did_you_mean import nearest_names
from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from desktop.values.tool_types import ToolDefinition

SLICE_SECONDS = 0.004
"""Leaves the rest of a 16 ms frame to the view that lays out and draws what was found."""

_CHECK_EVERY = 16
_BEGINNING = "\t\n"
"""Is before the name in what is searched at once, and nowhere else: no word has white space."""
_NAMED, _EXACT = -2, -1
"""Better than the beginning of the name."""


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
        return cls(tool, name, title, server, f"{_BEGINNING}{name}\n{title}\n{server}:{name}")


class SearchIndex:
    """All tools in their order; unchanged ones are not prepared again.

    `tools` are those that a filter lets pass.
    """

    def __init__(self) -> None:
        self.tools: Sequence[ToolDefinition] = ()
        self._all: Sequence[ToolDefinition] = ()
        self._prepared: list[IndexedTool | None] = []
        self._rest: Iterator[int] = iter(())
        self._entries: Sequence[IndexedTool] | None = None
        self._filter: Callable[[ToolDefinition], bool] | None = None

    @property
    def tool_count(self) -> int:
        """Those that the filter holds back, too."""
        return len(self._all)

    @property
    def entries(self) -> Sequence[IndexedTool]:
        """`tools`, ready to be searched: what is not prepared yet is now."""
        if self._entries is None:
            self.prepare(inf)
            passes = self._filter
            self._entries = [
                one for one in self._prepared if one and (passes is None or passes(one.tool))
            ]
        return self._entries

    def replace(self, tools: Sequence[ToolDefinition]) -> None:
        known = {id(entry.tool): entry for entry in self._prepared if entry}
        self._all = tuple(tools)
        self._prepared = [known.get(id(tool)) for tool in tools]
        self._rest = iter(range(len(self._all)))
        self._apply_filter()

    def filter(self, passes: Callable[[ToolDefinition], bool] | None) -> None:
        """Search only the tools that pass; all without a filter."""
        self._filter = passes
        self._apply_filter()

    def prepare(self, seconds: float = SLICE_SECONDS) -> bool:
        """Get tools ready to be searched for about `seconds`; whether all are."""
        end = perf_counter() + seconds
        for at in self._rest:
            if self._prepared[at] is None:
                self._prepared[at] = IndexedTool.of(self._all[at])
                if at % _CHECK_EVERY == 0 and perf_counter() > end:
                    return False
        return True

    def _apply_filter(self) -> None:
        passes = self._filter
        self._entries = None
        self.tools = self._all if passes is None else [tool for tool in self._all if passes(tool)]


class ToolQuery:
    """One query over all tools: `head()` at once, then `more()` until `finished`.

    A query that only adds letters to the `previous` one skips all that the previous ruled out.
    """

    def __init__(self, index: SearchIndex, query: str, previous: ToolQuery | None = None) -> None:
        self.words = tuple(query.lower().split())
        self._tools = index.tools
        self._candidates: Sequence[IndexedTool] = ()
        if previous is not None and previous.finished and self._narrows(previous):
            self._candidates = previous.found
        elif self.words:
            self._candidates = index.entries
        self.found: list[IndexedTool] = []
        """The matches so far, of a query that has words."""
        self.finished = not self.words
        self._rest: Iterator[IndexedTool] | None = None

    @property
    def found_count(self) -> int:
        return len(self.found) if self.words else len(self._tools)

    def head(self) -> list[ToolDefinition]:
        """The matches in name, title and server, best first; every tool for an empty query."""
        if not self.words:
            return list(self._tools)
        matches: Sequence[IndexedTool] = self._candidates
        for word in self.words:
            matches = [entry for entry in matches if word in entry.head]
        self.found = _best_first(matches, self.words)
        self.finished = not self._may_find_more()
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


_MAX_LOOKED_AT = 3_000
"""Tools whose names are taken apart for that."""
_MAX_PARTS = 400
"""Parts of names that a misspelled word is compared with: some milliseconds."""
_PART = compile_later(r"[^\W_]+")


def corrected(words: Sequence[str], entries: Iterable[IndexedTool]) -> str:
    """The words with those replaced that no tool has by the most like ones that some have."""
    by_first: dict[str, set[str]] = {}
    for entry in islice(entries, _MAX_LOOKED_AT):
        for part in _PART.findall(entry.head):
            by_first.setdefault(part[0], set()).add(part)
    known = {part for parts in by_first.values() for part in parts}
    found: list[str] = []
    for word in words:
        if any(word in part for part in known):
            found.append(word)
            continue
        alike = [part for part in by_first.get(word[0], ()) if abs(len(part) - len(word)) <= _SLIP]
        near = nearest_names(word, sorted(alike)[:_MAX_PARTS], 1)
        if not near:
            return ""
        found += near
    return " ".join(found) if found != list(words) else ""


_SLIP = 2
"""Letters too many or too few of a word that is still meant."""


def _best_first(matches: Sequence[IndexedTool], words: Sequence[str]) -> list[IndexedTool]:
    """Order by where each word was found, the tool that was named first of all.

    One letter may match every tool: what is so of all or of none is found in one text of them.
    """
    together = "".join([entry.head for entry in matches])
    ranks = [0] * len(matches)
    for word in words:
        beginning = f"{_BEGINNING}{word}"
        if together.count(beginning) == len(matches):
            continue
        for at, entry in enumerate(matches):
            if beginning not in entry.head:
                ranks[at] += 1 if word in entry.name else 2 if word in entry.title else 3
    exact = {separator.join(words) for separator in " -_"} | {words[0].partition(":")[2]} - {""}
    several = words if len(words) > 1 else ()  # "server tool"
    if any(f"\n{whole}\n" in together for whole in (*exact, *several)):
        for at, (_, name, title, server, _) in enumerate(matches):
            if name in several and [word for word in several if word not in server] == [name]:
                ranks[at] = _NAMED
            elif name in exact or title in exact:
                ranks[at] = _EXACT
    if len(set(ranks)) == 1:
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
        self._query = self.instead_of = ""
        """What was typed and is no word of any tool: what is most like it is looked for."""
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._continue)
        self._idle = QTimer(self)
        self._idle.setInterval(0)
        self._idle.timeout.connect(self._prepare)

    @property
    def tool_count(self) -> int:
        return self._index.tool_count

    @property
    def found_count(self) -> int:
        """What was found so far."""
        return self._search.found_count

    @property
    def meant(self) -> str:
        """The words that are looked for in place of `instead_of`; empty without that."""
        return " ".join(self._search.words) if self.instead_of else ""

    @property
    def is_finished(self) -> bool:
        return self._search.finished

    @property
    def is_prepared(self) -> bool:
        """Whether no tool has to be prepared any more when somebody searches."""
        return not self._idle.isActive()

    def replace_tools(self, tools: Sequence[ToolDefinition]) -> None:
        self._index.replace(tools)
        self._start(None)
        self._idle.start()

    def filter(self, passes: Callable[[ToolDefinition], bool] | None) -> None:
        """Search only the tools that pass."""
        self._index.filter(passes)
        self._start(None)

    def look_for(self, query: str) -> None:
        self._query = query
        self._start(self._search)

    def _start(self, previous: ToolQuery | None) -> None:
        self.instead_of = ""
        self._run(ToolQuery(self._index, self._query, previous))

    def _run(self, search: ToolQuery) -> None:
        self._search = search
        self.started.emit(search.head())
        if search.finished:
            self._finish()
        else:
            self._turn.start()

    def _finish(self) -> None:
        """The search is done; where it found nothing, what may have been meant is looked for."""
        self._turn.stop()
        words = self._search.words
        is_vain = bool(words) and not self._search.found and not self.instead_of
        if is_vain and (meant := corrected(words, self._index.entries)):
            self.instead_of = self._query
            self._run(ToolQuery(self._index, meant))
            return
        self.finished.emit()

    def _prepare(self) -> None:
        if self._index.prepare():
            self._idle.stop()

    def _continue(self) -> None:
        self.continued.emit(self._search.more())
        if self._search.finished:
            self._finish()
