"""`ToolRegistry`: every tool that can be called now, by its key `server:tool`.

The app has one, and each session has one of its own. A tool that a person switched off never gets
here: its connection leaves it out. Must not call a tool or reach a server.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import ToolNotFoundError
from desktop.base.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.tools.adapters import Tool
    from desktop.values.tool_types import ToolDefinition

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
    raise ToolNotFoundError(f"There is no tool {name!r}.", remedy=_suggest(name, tools))


def _suggest(name: str, tools: Sequence[Tool]) -> str:
    if not tools:
        return "No server with tools is connected."
    if near := _nearest_keys(name, [tool.definition for tool in tools]):
        return f"Did you mean {' or '.join(near)}?"
    listed = [tool.definition.key for tool in tools[:_MAX_NAMES_SHOWN]]
    return f"There are {', '.join(listed)}{', …' if len(tools) > len(listed) else '.'}"


def _nearest_keys(name: str, tools: list[ToolDefinition]) -> list[str]:
    """The keys that may be meant: of tools with the nearest names, at the nearest servers.

    Server and tool are compared apart: of two tools at one server, half of the key is the same.
    """
    server, colon, bare = name.partition(":")
    by_name: defaultdict[str, list[ToolDefinition]] = defaultdict(list)
    for tool in sorted(tools, key=lambda tool: tool.server != server):  # what was named comes first
        by_name[tool.name].append(tool)
    wanted = [bare, name] if colon else [name]  # a tool's own name may have a colon, too
    names = dict.fromkeys(near for text in wanted for near in nearest_names(text, by_name))
    found = [tool for near in names for tool in by_name[near]]
    if colon:
        servers = nearest_names(server, dict.fromkeys(tool.server for tool in tools))
        there = [tool for near in servers for tool in found if tool.server == near]
        found = [tool for tool in there if tool.server == server] or there or found
    return [tool.key for tool in found[:_MAX_NAMES_SHOWN]]


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
