"""Reads any of a server's four lists page by page, within one set of bounds.

Tools, resources, resource templates and prompts come in the same pages: bounded in pages, in
entries and in repeated cursors. What makes an entry of a page is said by whoever asks. Must not
keep a list. Source: MCP specification, server/utilities/pagination.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

import mcp_types as types
from msgspec import Struct

from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.servers.error_messages import is_lost
from desktop.servers.repair.oddities import report_oddity
from desktop.servers.sdk import MCPError

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Awaitable,
        Callable,
        Mapping,
        Sequence,
    )

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

MAX_PAGES = 2_000
"""Pages read at most; 10,000 tools in pages of 10 are 1,000."""
MAX_ENTRIES = 100_000
MAX_NAME_LENGTH = 1_000
"""Characters of a name; the specification asks for 128 at most. A longer one freezes every list."""
MAX_LABEL_LENGTH = 1_000
"""Characters of a title and of the like, which are cut: nothing is called by them."""
SLICE = 250
"""Entries converted between two turns of the loop."""
_BEGINNING = 40
_NOUNS: Final[Mapping[str, str]] = {
    "tools/list": translatable("tools"),
    "resources/list": translatable("resources"),
    "resources/templates/list": translatable("resource templates"),
    "prompts/list": translatable("prompts"),
    "tasks/list": translatable("tasks"),
}


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


PageT = TypeVar("PageT", bound=_Page)
RawT = TypeVar("RawT")
EntryT = TypeVar("EntryT")


async def read_pages(
    server: str,
    method: str,
    ask: Callable[[str | None], Awaitable[PageT]],
    entries: Callable[[PageT], Sequence[object]],
) -> AsyncGenerator[PageT]:
    """Yield the pages of one list. A fault of a later page ends it: what came before is kept.

    Such a fault is a page that the server refuses, a page or a cursor that comes again, and pages
    without an end; it is reported as an oddity.

    Args:
        server: its name.
        method: `tools/list` or another one of `_NOUNS`.
        ask: requests the page of a cursor, the first with None.
        entries: what a page holds, to be counted.

    Raises:
        MCPError: the server refused the first page, or the connection was closed.
    """
    seen: set[str] = set()
    count = 0
    page = await ask(None)
    ahead: asyncio.Task[PageT | Exception] | None = None
    try:
        for _ in range(MAX_PAGES):
            count += len(entries(page))
            cursor = page.next_cursor
            if cursor and cursor not in seen and count <= MAX_ENTRIES:
                seen.add(cursor)
                # The server makes its next page while this one is read.
                ahead = spawn(_asked(ask, cursor), f"next page of {method} from {server}")
                await asyncio.sleep(0)
            yield page
            if not cursor:
                return
            if ahead is None:
                break
            given, ahead = await ahead, None
            if isinstance(given, Exception):
                if is_lost(given) or not isinstance(given, MCPError | ValueError):
                    raise given
                words = given.message if isinstance(given, MCPError) else str(given)
                report_oddity(method, translatable("its next page: {words}", words=words))
                return
            if (read := entries(given)) and read == entries(page):
                break  # it takes no notice of the cursor
            page = given
    finally:
        if ahead is not None:
            ahead.cancel()
    report_oddity(
        method,
        translatable(
            "its pages do not end: {count} {things} were read and are kept",
            things=_NOUNS[method],
            count=count,
        ),
    )


async def _asked(ask: Callable[[str], Awaitable[PageT]], cursor: str) -> PageT | Exception:
    """The page, or why it did not come: who reads the list says so."""
    try:
        return await ask(cursor)
    except Exception as error:  # noqa: BLE001 - handed over, and raised there
        return error


class ListReader(Struct, Generic[PageT, RawT, EntryT], frozen=True):
    """How one of the lists is read as a whole.

    `ask` requests the page of a cursor, `raw` takes its entries out, `make` turns one into ours,
    `name` is what an entry is asked for by: it is bounded, and there once.
    """

    method: str
    ask: Callable[[Client, str | None], Awaitable[PageT]]
    raw: Callable[[PageT], Sequence[RawT]]
    make: Callable[[str, RawT], EntryT]
    name: Callable[[EntryT], str]

    async def read(
        self, server: str, client: Client, on_progress: ProgressFnT
    ) -> tuple[EntryT, ...]:
        """All entries; none of a server that has no such list. Each page counts as progress.

        Raises:
            MCPError: the server refused the first page.
        """
        entries: list[EntryT] = []

        async def ask(cursor: str | None) -> PageT:
            return await self.ask(client, cursor)

        try:
            async with aclosing(read_pages(server, self.method, ask, self.raw)) as pages:
                async for page in pages:
                    async for some in self._entries(server, page):
                        entries += some
                    await on_progress(len(entries), None, None)
        except MCPError as error:
            if error.code != types.METHOD_NOT_FOUND:
                raise
        return tuple(without_doubles(self.method, entries, self.name))

    async def _entries(self, server: str, page: PageT) -> AsyncIterator[list[EntryT]]:
        """Those of a page, a slice in each turn of the loop."""
        raw = self.raw(page)
        for start in range(0, len(raw), SLICE):
            made = [self.make(server, each) for each in raw[start : start + SLICE]]
            yield [one for one in made if has_usable_name(self.method, self.name(one))]
            await asyncio.sleep(0)


def without_doubles(
    method: str, entries: list[EntryT], name_of: Callable[[EntryT], str]
) -> list[EntryT]:
    """Each name once, the last of those that have it: that is the one a server runs, mostly."""
    named = {name_of(entry): entry for entry in entries}
    if len(named) == len(entries):
        return entries
    counts = Counter(name_of(entry) for entry in entries)
    for name, count in counts.items():
        if count > 1:
            words = translatable(
                "{count} {things} are called {name}", count=count, things=_NOUNS[method], name=name
            )
            report_oddity(method, words)
    return list(named.values())


def has_usable_name(method: str, name: str) -> bool:
    """Whether a name is one that can be shown; what has its name cut could not be asked for."""
    if len(name) <= MAX_NAME_LENGTH:
        return True
    words = translatable(
        "one of the {things} was skipped: its name has {count} characters ({beginning}…)",
        things=_NOUNS[method],
        count=len(name),
        beginning=name[:_BEGINNING],
    )
    report_oddity(method, words)
    return False


def shorten_label(text: str | None) -> str:
    """A title or the like; empty where there is none, cut where it is too long."""
    if not text or len(text) <= MAX_LABEL_LENGTH:
        return text or ""
    return f"{text[:MAX_LABEL_LENGTH]}…"


def dump_icons(icons: Sequence[types.Icon] | None) -> tuple[Mapping[str, Any], ...]:
    """Icons as the protocol writes them. They are shown by nobody who would load them."""
    return tuple(icon.model_dump(by_alias=True, exclude_none=True) for icon in icons or ())
