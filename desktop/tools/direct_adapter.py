"""A tool of a server that one session started for itself, and the adapter that runs it.

Such a server is reached over a connection of its own, beside the `McpService`, and ends with the
session (see `direct_servers`). Must not start or end it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tools.adapter import ServerTool

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.connection import ServerConnection
    from desktop.tool_types import JsonObject, Progress, ToolDefinition, ToolResult


class DirectMcpToolAdapter(ServerTool):
    """A tool of a session's own server; holds the connection and nothing else."""

    __slots__ = ("connection",)

    def __init__(self, connection: ServerConnection, definition: ToolDefinition) -> None:
        super().__init__(definition)
        self.connection = connection

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run it as `McpToolAdapter` does; every failure is a result, the session's end too."""
        return await self.connection.call_tool(
            self.definition.name, arguments, timeout=timeout, on_progress=on_progress
        )
