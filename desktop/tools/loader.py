"""Keeps a `ToolRegistry` in step with the servers of a `McpService`.

Must not decide which tools are offered: a connection has left out the switched-off ones already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tools.adapter import McpToolAdapter

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.service import McpService
    from desktop.tools.registry import ToolRegistry


def register_mcp_tools(service: McpService, registry: ToolRegistry, server: str) -> int:
    """Put the tools of one server into the registry, and take out what it had; returns how many."""
    connection = service.connections.get(server)
    tools = connection.tools if connection is not None else ()
    registry.set_server(server, (McpToolAdapter(service, tool) for tool in tools))
    return len(tools)


class ToolsLoader:
    """Follows the service for as long as it is not closed."""

    def __init__(self, service: McpService, registry: ToolRegistry) -> None:
        self._service = service
        self._registry = registry
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
        register_mcp_tools(self._service, self._registry, server)
