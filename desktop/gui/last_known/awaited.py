"""The tools of the last run, for as long as their servers are still starting.

They are names to look at, without their schemas: whoever wants a form waits for the server. A
server's are dropped once it has connected, failed, or is gone or switched off in the config. Must
not call a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.signals import Signal
from desktop.gui.last_known.preview import as_of
from desktop.values.tool_types import Annotations, ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.gui.last_known.snapshot import KnownContent, KnownTool
    from desktop.servers.service import McpService

_ON_THE_WAY = frozenset({"stopped", "starting"})
"""Phases of an enabled server that is to come; it is stopped until its turn to start."""


class AwaitedTools:
    """Made once the service knows its servers."""

    def __init__(self, snapshot: KnownContent | None, service: McpService) -> None:
        self._service = service
        self._snapshot = snapshot
        self._by_server: dict[str, list[ToolDefinition]] = {}
        self.changed: Signal[[]] = Signal()
        """Fewer are awaited."""
        for tool in snapshot.tools if snapshot is not None else ():
            if self._is_on_its_way(tool.server):
                self._by_server.setdefault(tool.server, []).append(_definition(tool))
        service.state_changed.connect(self._look)
        service.servers_changed.connect(self._look_at_all)

    @property
    def words(self) -> str:
        """When they were known, "As of 21:40"; empty where none is awaited."""
        if self._snapshot is None or not self._by_server:
            return ""
        return as_of(self._snapshot)

    def has(self, key: str) -> bool:
        """Whether the tool `server:tool` is awaited."""
        tools = self._by_server.get(key.partition(":")[0], ())
        return any(tool.key == key for tool in tools)

    def among(self, tools: Iterable[ToolDefinition]) -> list[ToolDefinition]:
        """These tools and the awaited ones, in the order of their servers."""
        if not self._by_server:
            return list(tools)
        merged = dict.fromkeys(self._service.connections, tuple[ToolDefinition, ...]())
        merged |= {server: tuple(own) for server, own in self._by_server.items()}
        there: dict[str, list[ToolDefinition]] = {}
        for tool in tools:
            there.setdefault(tool.server, []).append(tool)
        merged |= {server: tuple(own) for server, own in there.items()}
        return [tool for own in merged.values() for tool in own]

    def _look_at_all(self) -> None:
        for server in list(self._by_server):
            self._look(server)

    def _look(self, server: str) -> None:
        if server in self._by_server and not self._is_on_its_way(server):
            del self._by_server[server]
            self.changed.send()

    def _is_on_its_way(self, server: str) -> bool:
        connection = self._service.connections.get(server)
        if connection is None or not connection.is_enabled:
            return False
        return connection.state.phase in _ON_THE_WAY


def _definition(tool: KnownTool) -> ToolDefinition:
    hints = Annotations(
        read_only=True if tool.hint == "read-only" else None,
        destructive=True if tool.hint == "destructive" else None,
    )
    return ToolDefinition(
        tool.server, tool.name, title=tool.title, description=tool.words, annotations=hints
    )
