"""The order of the tool list while nothing is searched: favourites, recent tools, then the servers.

Each section begins with a row of its own and can be closed. Must not draw, and must not know Qt.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

FAVOURITES: Final = "favourites"
RECENT: Final = "recent"
_SERVER: Final = "server:"
MAX_RECENT: Final = 5
"""Recent tools that are shown; a favourite is not shown twice."""


class Section(Struct, frozen=True):
    """The row above the tools of one section.

    `id` is unique, `server` empty where the section is the person's own.
    """

    id: str
    server: str
    count: int
    is_open: bool = True


Row: TypeAlias = ToolDefinition | Section


def section_of_server(server: str) -> str:
    """The id of the section with the tools of a server."""
    return f"{_SERVER}{server}"


def rows_of(
    tools: Sequence[ToolDefinition],
    favourites: Collection[str] = (),
    recent: Collection[str] = (),
    closed: Collection[str] = (),
) -> list[Row]:
    """The rows for these tools; without sections where there would be one alone.

    Args:
        tools: all that are to be shown, in the order of their servers.
        favourites: keys, in the order in which they are shown.
        recent: keys, the latest first.
        closed: ids of the sections of which only the first row is shown.
    """
    by_server: dict[str, list[ToolDefinition]] = {}
    for tool in tools:
        by_server.setdefault(tool.server, []).append(tool)
    chosen = _by_key(by_server, [*favourites, *recent])
    liked = [chosen[key] for key in favourites if key in chosen]
    used = [chosen[key] for key in recent if key in chosen and key not in favourites]
    sections: list[tuple[str, str, Sequence[ToolDefinition]]] = [
        (FAVOURITES, "", liked),
        (RECENT, "", list(islice(used, MAX_RECENT))),
        *((section_of_server(server), server, own) for server, own in by_server.items()),
    ]
    sections = [section for section in sections if section[2]]
    if len(sections) < 2:
        return list(tools)
    rows: list[Row] = []
    for id_, server, own in sections:
        is_open = id_ not in closed
        rows.append(Section(id_, server, len(own), is_open))
        if is_open:
            rows += own
    return rows


def _by_key(
    by_server: dict[str, list[ToolDefinition]], keys: Iterable[str]
) -> dict[str, ToolDefinition]:
    """Those of these keys that are there; looks only through the servers that are named."""
    names: dict[str, set[str]] = {}
    for key in keys:
        server, _, name = key.partition(":")
        names.setdefault(server, set()).add(name)
    return {
        tool.key: tool
        for server, wanted in names.items()
        for tool in by_server.get(server, ())
        if tool.name in wanted
    }
