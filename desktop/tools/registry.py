"""`ToolRegistry`: every tool that can be called now, by its key `server:tool`.

The app has one, and each session has one of its own. A tool that a person switched off never gets
here: its connection leaves it out. Must not call a tool or reach a server.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from desktop.errors import ToolNotFoundError
from desktop.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.tools.adapters import Tool

_MAX_NAMES_SHOWN = 5


def find_tool(name: str, tools: Sequence[Tool]) -> Tool:
    """Return the tool of a key `server:tool`, or of a bare name that only one server has.

    Args:
        name: as a person or a model wrote it.
        tools: all that can be called.

    Raises:
        ToolNotFoundError: none or more than one has this name; the message lists the nearest.
    """
    matches = [tool for tool in tools if name in (tool.definition.key, tool.definition.name)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        keys = ", ".join(tool.definition.key for tool in matches)
        raise ToolNotFoundError(f"More than one server has a tool {name!r}.", remedy=f"Say {keys}.")
    keys = [tool.definition.key for tool in tools]
    raise ToolNotFoundError(f"There is no tool {name!r}.", remedy=_nearest_names(name, keys))


def _nearest_names(name: str, keys: list[str]) -> str:
    if not keys:
        return "No server with tools is connected."
    bare = {key.partition(":")[2]: key for key in keys}
    near = get_close_matches(name, keys, 3)
    near += [bare[match] for match in get_close_matches(name, list(bare), 3)]
    listed = list(dict.fromkeys(near)) or keys[:_MAX_NAMES_SHOWN]
    return f"Did you mean {', '.join(listed)}?" if near else f"There are {', '.join(listed)}, …"


class ToolSource(Protocol):
    """What an executor, an agent or a page needs of a registry: to look up, not to change."""

    @property
    def changed(self) -> Signal[[]]: ...
    def all(self) -> tuple[Tool, ...]: ...
    def get(self, key: str) -> Tool | None: ...
    def find(self, name: str) -> Tool: ...


class ToolRegistry:
    """Tools grouped by server, so that one server's change replaces only its own."""

    def __init__(self) -> None:
        self._by_server: dict[str, dict[str, Tool]] = {}
        self._order: dict[str, int] = {}
        self.changed: Signal[[]] = Signal()

    def set_server(self, server: str, tools: Iterable[Tool]) -> None:
        """Replace the tools of one server. A name listed twice counts once, the last one."""
        named = {tool.get_original_tool_name(): tool for tool in tools}
        if named:
            self._by_server[server] = named
            self._sort()
        elif self._by_server.pop(server, None) is None:
            return
        self.changed.send()

    def arrange(self, servers: Iterable[str]) -> None:
        """Keep the tools in this order of servers, whichever connects first."""
        before = list(self._by_server)
        self._order = {name: place for place, name in enumerate(servers)}
        self._sort()
        if list(self._by_server) != before:
            self.changed.send()

    def all(self) -> tuple[Tool, ...]:
        """All tools, server by server."""
        return tuple(tool for tools in self._by_server.values() for tool in tools.values())

    def get(self, key: str) -> Tool | None:
        """The tool of a key `server:tool`; None when there is none."""
        server, _, name = key.partition(":")
        return self._by_server.get(server, {}).get(name)

    def find(self, name: str) -> Tool:
        """The tool of a key, or of a bare name that only one server has.

        Raises:
            ToolNotFoundError: none or more than one; the message lists the nearest.
        """
        return self.get(name) or find_tool(name, self.all())

    def _sort(self) -> None:
        last = len(self._order)
        names = sorted(self._by_server, key=lambda name: self._order.get(name, last))
        self._by_server = {name: self._by_server[name] for name in names}
