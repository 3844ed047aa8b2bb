"""`ToolRegistry`: every tool that can be called now, by its key `server:tool`.

Must not call a tool or reach a server.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from desktop.errors import ToolNotFoundError
from desktop.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.tools.adapter import Tool


class ToolRegistry:
    """Tools grouped by server, so that one server's change replaces only its own."""

    def __init__(self) -> None:
        self._by_server: dict[str, dict[str, Tool]] = {}
        self._order: dict[str, int] = {}
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
            ToolNotFoundError: none or more than one; the message names what there is.
        """
        if (tool := self.get(name)) is not None:
            return tool
        same = [tools[name] for tools in self._by_server.values() if name in tools]
        if len(same) == 1:
            return same[0]
        if same:
            keys = ", ".join(tool.definition.key for tool in same)
            raise ToolNotFoundError(
                f"More than one server has a tool {name!r}.", remedy=f"Say {keys}."
            )
        raise ToolNotFoundError(f"There is no tool {name!r}.", remedy=self._nearest(name))

    def _sort(self) -> None:
        last = len(self._order)
        names = sorted(self._by_server, key=lambda name: self._order.get(name, last))
        self._by_server = {name: self._by_server[name] for name in names}

    def _nearest(self, name: str) -> str:
        keys = [tool.definition.key for tool in self.all()]
        if not keys:
            return "No server with tools is connected."
        bare = {key.partition(":")[2]: key for key in keys}
        near = get_close_matches(name, keys, 3) + [
            bare[one] for one in get_close_matches(name, list(bare), 3)
        ]
        shown = list(dict.fromkeys(near)) or keys[:5]
        return f"Did you mean {', '.join(shown)}?" if near else f"There are {', '.join(shown)}, …"
