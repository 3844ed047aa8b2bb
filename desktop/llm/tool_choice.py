"""Chooses the tools of the service that a model is offered, and puts them into its format.

With nothing chosen or nothing configured nothing is converted and nothing is paid. Must not
connect a server: those that are connected now have tools.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.llm.formats.wire_tools import WireTools, make_wire_tools

if TYPE_CHECKING:
    from desktop.llm.formats.declaration import ApiFormat
    from desktop.servers.service import McpService
    from desktop.tools.definition import ToolDefinition
    from desktop.tools.selection import McpMode


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Which servers' tools a model is offered: none, all that are connected, or those of `servers`.

    `servers` counts in mode "manual" alone; names of servers that are not there are passed over.
    """

    mode: McpMode = "auto"
    servers: tuple[str, ...] = ()


def fetch_mcp_tools(service: McpService, choice: ToolChoice) -> list[ToolDefinition]:
    """The chosen tools of the connected servers, in the order of the config."""
    if choice.mode == "off":
        return []
    return [
        tool
        for name, connection in service.connections.items()
        if choice.mode == "auto" or name in choice.servers
        for tool in connection.tools
    ]


def setup_mcp_tools(service: McpService, choice: ToolChoice, api_format: ApiFormat) -> WireTools:
    """The table for the next request; empty where nothing is chosen.

    Some tenths of a millisecond a tool at first, nothing to speak of after that: ask in a thread
    where there may be hundreds of new ones.
    """
    return make_wire_tools(fetch_mcp_tools(service, choice), api_format)
