"""Searches what the palette offers, in slices short enough for the event loop. Knows no Qt.

Every word has to occur. What a person chose before ranks first, then by where the words are found:
the whole title, its beginning, the beginning of a word in it, inside it, or in the words below it.
The id counts as such words: it is English, so what is known by its English name is found in every
language.
"""

from __future__ import annotations

from heapq import nsmallest
from time import perf_counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Kind: TypeAlias = Literal["action", "page", "server", "tool", "call", "chat"]
_ORDER: Final[dict[Kind, int]] = {
    kind: place for place, kind in enumerate(("page", "action", "server", "tool", "call", "chat"))
}
SLICE_SECONDS: Final = 0.004
"""Leaves most of a 16 ms frame to the window."""
MAX_SHOWN: Final = 50
_CHECK_EVERY: Final = 64
_MANY: Final = 4 * MAX_SHOWN
_WHOLE, _START, _WORD, _INSIDE, _BELOW = range(5)
_BREAKS: Final = compile_later(r"[-_./:]")


class PaletteEntry(NamedTuple):
    """One thing to go to or to do."""

    kind: Kind
    id: str  # the same in the next run
    title: str
    detail: str
    open: Callable[[], object]
    keys: str = ""  # what does the same
    server: str = ""  # whose face it has


class _Indexed(NamedTuple):
    entry: PaletteEntry
    title: str
    words: str  # the title with a blank before each word
    whole: str

    @classmethod
    def of(cls, entry: PaletteEntry) -> _Indexed:
        title = entry.title.lower()
        words = f" {_BREAKS.sub(' ', title)}"
        return cls(entry, title, words, f"{title}\n{entry.detail.lower()}\n{_name_of(entry)}")


def _name_of(entry: PaletteEntry) -> str:
    """What it is called in English; a stored chat or call is known by its title alone."""
    return entry.id.partition(":")[2] if entry.kind in {"page", "action"} else ""


_Rank: TypeAlias = tuple[int, int, int, int, int]


class EntrySearch:
    """All entries, and the query over them; `more` until `is_finished`."""

    def __init__(self) -> None:
        self._sources: list[Iterator[PaletteEntry]] = []
        self._known: list[_Indexed] = []
        self._words: tuple[str, ...] = ()
        self._query = ""
        self._recent: dict[str, int] = {}
        self._at = 0
        self._found: list[tuple[_Rank, PaletteEntry]] = []

    @property
    def is_finished(self) -> bool:
        """Whether every entry was looked at for the query."""
        return not self._sources and self._at == len(self._known)

    def restart(self, recent: Sequence[str]) -> None:
        """Forget all entries. Args: recent: ids of those chosen before, the latest first."""
        self._sources, self._known = [], []
        self._recent = {one: place for place, one in enumerate(recent)}
        self.look_for("")

    def add(self, entries: Iterable[PaletteEntry]) -> None:
        """Have more entries; they are taken from `entries` as they are looked at."""
        self._sources.append(iter(entries))

    def look_for(self, query: str) -> None:
        """Begin another query."""
        self._query = " ".join(query.lower().split())
        self._words = tuple(self._query.split())
        self._at, self._found = 0, []

    def more(self, seconds: float = SLICE_SECONDS) -> None:
        """Look at entries for about `seconds`."""
        end = perf_counter() + seconds
        while not self.is_finished:
            self._take_some()
            for indexed in self._known[self._at : self._at + _CHECK_EVERY]:
                if (rank := self._rank(indexed)) is not None:
                    self._found.append((rank, indexed.entry))
                self._at += 1
            if perf_counter() > end:
                return

    def best(self, count: int = MAX_SHOWN) -> list[PaletteEntry]:
        """The matches so far, the best first."""
        return [entry for _, entry in nsmallest(count, self._found, key=lambda found: found[0])]

    def _take_some(self) -> None:
        """Prepare entries where all known ones were looked at."""
        wanted = self._at + _CHECK_EVERY
        while self._sources and len(self._known) < wanted:
            entry = next(self._sources[0], None)
            if entry is None:
                self._sources.pop(0)
            else:
                self._known.append(_Indexed.of(entry))

    def _rank(self, indexed: _Indexed) -> _Rank | None:
        entry, title, words, whole = indexed
        worst = _WHOLE
        for word in self._words:
            if word not in whole:
                return None
            worst = max(worst, _place(word, title, words))
        if self._words and self._query in {title, words[1:]}:
            worst = _WHOLE
        elif self._words and title.startswith(self._query):
            worst = _START
        recent = self._recent.get(entry.id, len(self._recent))
        if not self._words and recent == len(self._recent) and len(self._found) >= _MANY:
            return None  # nobody scrolls through all tools here
        # In a short list a person looks for what was used last; typed words count for more.
        if not self._words:
            return recent, 0, _ORDER[entry.kind], 0, self._at
        return worst, recent, _ORDER[entry.kind], len(title), self._at


def _place(word: str, title: str, words: str) -> int:
    if title.startswith(word):
        return _START
    if f" {word}" in words:
        return _WORD
    return _INSIDE if word in title else _BELOW
