"""Selects which tools of the connected servers a model is offered, and converts them.

With nothing selected or configured, nothing is converted and nothing is paid. Must not start a
server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.llm.formats.wire_tools import WireTools, make_wire_tools

if TYPE_CHECKING:
    from desktop.llm.formats.declaration import ApiFormat
    from desktop.servers.service import McpService
    from desktop.tool_types import ToolDefinition
    from desktop.tools.registry import McpMode


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Which servers' tools a model is offered: none, all that are connected, or those of `servers`.

    `servers` is used in mode "manual" only; unknown names are ignored.
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
    """The tools for the next request; empty if none are selected.

    Takes some tenths of a millisecond per new tool: with hundreds, call it in a thread.
    """
    return make_wire_tools(fetch_mcp_tools(service, choice), api_format)
