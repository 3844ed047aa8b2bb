"""`ToolRegistry`: every tool that can be called now, by its key `server:tool`.

A session has one of its own, with what is switched off for it. Must not call a tool or reach a
server.

Finds the tool that a name means, or says what there is instead.

Must not guess: what two tools could mean is asked back.

Which tools a conversation is given: none, all there are, or those of chosen servers.

Decides nothing about single tools: those are switched off in the registry.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from desktop.errors import ToolNotFoundError
from desktop.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from desktop.tools.adapters import Tool

_SHOWN = 5


def find_tool(name: str, listed: Sequence[Tool], is_on: Callable[[Tool], bool]) -> Tool:
    """The tool of a key `server:tool`, or of a bare name that only one server has.

    Args:
        name: as a person or a model wrote it.
        listed: all tools there are.
        is_on: whether one may be called.

    Raises:
        ToolNotFoundError: none, more than one, or it is off; the message says what there is.
    """
    same = [tool for tool in listed if name in (tool.definition.key, tool.definition.name)]
    on = [tool for tool in same if is_on(tool)]
    if len(on) == 1:
        return on[0]
    if on:
        keys = ", ".join(tool.definition.key for tool in on)
        raise ToolNotFoundError(f"More than one server has a tool {name!r}.", remedy=f"Say {keys}.")
    if same:
        raise ToolNotFoundError(f"The tool {name!r} is switched off.", remedy="Switch it on first.")
    keys = [tool.definition.key for tool in listed if is_on(tool)]
    raise ToolNotFoundError(f"There is no tool {name!r}.", remedy=_nearest(name, keys))


def _nearest(name: str, keys: list[str]) -> str:
    if not keys:
        return "No server with tools is connected."
    bare = {key.partition(":")[2]: key for key in keys}
    near = get_close_matches(name, keys, 3) + [
        bare[one] for one in get_close_matches(name, list(bare), 3)
    ]
    shown = list(dict.fromkeys(near)) or keys[:_SHOWN]
    return f"Did you mean {', '.join(shown)}?" if near else f"There are {', '.join(shown)}, …"


class ToolSource(Protocol):
    """What an executor, an agent or a page needs: a registry, or a view of one."""

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
        self._off: set[str] = set()
        self.changed: Signal[[]] = Signal()

    def set_server(self, server: str, tools: Iterable[Tool]) -> None:
        """Replace the tools of one server. A name listed twice counts once, the last one."""
        named = {tool.definition.name: tool for tool in tools}
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

    def set_enabled(self, name: str, enabled: bool) -> None:
        """Switch a tool (`server:tool`) or all of a server (`server`) on or off.

        Holds for what is there and for what comes later. A tool is on when neither itself nor its
        server is off; switching a server on again leaves its single tools as they were.
        """
        if enabled is (name not in self._off):
            return
        (self._off.discard if enabled else self._off.add)(name)
        self.changed.send()

    def is_enabled(self, name: str) -> bool:
        """Whether a tool or a server is on, whether it is there or not."""
        return name not in self._off and name.partition(":")[0] not in self._off

    def all(self) -> tuple[Tool, ...]:
        """All tools that are on, server by server."""
        listed = self.listed()
        if not self._off:
            return listed
        return tuple(tool for tool in listed if self.is_enabled(tool.definition.key))

    def listed(self) -> tuple[Tool, ...]:
        """All tools, server by server, those that are off too (see `is_enabled`)."""
        return tuple(tool for tools in self._by_server.values() for tool in tools.values())

    def get(self, key: str) -> Tool | None:
        """The tool of a key `server:tool`; None when there is none, or it is off."""
        return self._listed(key) if self.is_enabled(key) else None

    def find(self, name: str) -> Tool:
        """The tool of a key, or of a bare name that only one server has.

        Raises:
            ToolNotFoundError: none, more than one, or it is off; the message says what there is.
        """
        if (tool := self.get(name)) is not None:
            return tool
        return find_tool(name, self.listed(), lambda tool: self.is_enabled(tool.definition.key))

    def _listed(self, key: str) -> Tool | None:
        server, _, name = key.partition(":")
        return self._by_server.get(server, {}).get(name)

    def _sort(self) -> None:
        last = len(self._order)
        names = sorted(self._by_server, key=lambda name: self._order.get(name, last))
        self._by_server = {name: self._by_server[name] for name in names}


McpMode: TypeAlias = Literal["off", "auto", "manual"]
"""`off` for no tools, `auto` for those of all servers, `manual` for those of the chosen servers."""


def select_tools(
    tools: ToolSource, mode: McpMode, servers: Collection[str] = ()
) -> tuple[Tool, ...]:
    """The tools to offer now, in the registry's order.

    Args:
        tools: what can be called now.
        mode: `servers` counts with `manual` alone; one that is not there has no tools.
        servers: names of servers.
    """
    if mode == "off":
        return ()
    offered = tools.all()
    if mode == "auto":
        return offered
    return tuple(tool for tool in offered if tool.definition.server in servers)
