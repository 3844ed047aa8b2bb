"""Keeps a `ToolRegistry` in step with the servers of a `McpService`, and lists its tools once.

Must not decide which tools are offered: a connection has left out the switched-off ones already.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from desktop.tasks import TaskGroup
from desktop.tools.adapter import McpToolAdapter, wrap_mcp_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tools.registry import ToolRegistry

LOAD_LIMIT = 35.0
"""Seconds for all servers together: a little more than one has for its start unless told."""


class LoadedTools(NamedTuple):
    """The tools that can be called, and why each other enabled server has none: `{name: words}`."""

    tools: list[McpToolAdapter]
    failed: dict[str, str]


async def load_mcp_tools(service: McpService, *, limit: float = LOAD_LIMIT) -> LoadedTools:
    """The tools of all enabled servers; one that fails or is late leaves the others.

    Starts what was not started yet and waits, `limit` seconds at most, for what is on its way. One
    that failed is not tried again: that is a person's to do. Costs next to nothing once all are
    there, so it can be asked before each request to a model.
    """
    enabled = [one for one in service.connections.values() if one.is_enabled]
    for one in enabled:
        if one.state.phase == "stopped":
            one.start()
    await _settle(enabled, limit)
    tools = [wrap_mcp_tool(service, tool) for one in enabled for tool in one.tools]
    missing = [one for one in enabled if not one.is_connected]
    return LoadedTools(tools, {one.name: one.state.error or one.state.words for one in missing})


def register_mcp_tools(service: McpService, registry: ToolRegistry, server: str) -> int:
    """Put the tools of one server into the registry, and take out what it had; returns how many."""
    connection = service.connections.get(server)
    tools = connection.tools if connection is not None else ()
    registry.set_server(server, (wrap_mcp_tool(service, tool) for tool in tools))
    return len(tools)


class ToolsLoader:
    """Follows the service for as long as it is not closed."""

    def __init__(
        self, service: McpService, registry: ToolRegistry, without: Container[str] = ()
    ) -> None:
        """Args: without: names of servers that are not the service's in this registry.

        A session holds them itself, and their tools would have the same keys.
        """
        self._service = service
        self._registry = registry
        self._without = without
        self._ends: list[Callable[[], None]] = [
            service.tools_changed.connect(self._reload),
            service.servers_changed.connect(self._arrange),
        ]
        self._arrange()
        for name in service.connections:
            self._reload(name)

    def close(self) -> None:
        for end in self._ends:
            end()

    def _arrange(self) -> None:
        self._registry.arrange(self._service.connections)

    def _reload(self, server: str) -> None:
        if server not in self._without:
            register_mcp_tools(self._service, self._registry, server)


async def _settle(connections: list[ServerConnection], limit: float) -> None:
    late = [one for one in connections if one.state.phase == "starting"]
    if not late:
        return
    group = TaskGroup("load tools")
    waiting = {group.spawn(one.settle(), one.name) for one in late}
    try:
        await asyncio.wait(waiting, timeout=limit)
    finally:
        await group.close()
