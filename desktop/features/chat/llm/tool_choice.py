"""Selects which tools of the connected servers a model is offered, and converts them.

With nothing selected or configured, nothing is converted and nothing is paid. Must not start a
server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.features.models.formats.declaration import ApiFormat
    from desktop.features.models.formats.wire_tools import WireTools
    from desktop.servers.service import McpService
    from desktop.values.tool_types import ToolDefinition


McpMode: TypeAlias = Literal["off", "auto", "manual"]
"""`off`: no tools; `auto`: those of all servers; `manual`: those of the selected servers."""

DirectTools: TypeAlias = "Mapping[str, Sequence[ToolDefinition]]"
"""The tools of a session's own servers, by server.

Each server in it hides the shared server of the same name, even while it has no tools.
"""
NO_DIRECT_TOOLS: DirectTools = {}


class ToolChoice(Struct, frozen=True):
    """Which servers' tools a model is offered: none, all that are connected, or those of `servers`.

    `servers` is used in mode "manual" only; unknown names are ignored.
    """

    mode: McpMode = "auto"
    servers: tuple[str, ...] = ()

    def includes(self, server: str) -> bool:
        """Whether the tools of this server are offered."""
        return self.mode == "auto" or (self.mode == "manual" and server in self.servers)


def fetch_mcp_tools(
    service: McpService, choice: ToolChoice, direct: DirectTools = NO_DIRECT_TOOLS
) -> list[ToolDefinition]:
    """The chosen tools of the connected servers in the order of the config, then the `direct` ones.

    Direct tools are offered whatever the choice is, and a tool that its server keeps for its own
    apps is never offered.
    """
    # A copy, because `setup_mcp_tools` may run in a thread while the loop adds a server.
    connections = list(service.connections.items())
    shared = [
        tool
        for name, connection in connections
        if choice.includes(name) and name not in direct
        for tool in connection.tools
    ]
    offered = shared + [tool for tools in direct.values() for tool in tools]
    return [tool for tool in offered if tool.is_for_models]


def setup_mcp_tools(
    service: McpService,
    choice: ToolChoice,
    api_format: ApiFormat | str,
    direct: DirectTools = NO_DIRECT_TOOLS,
) -> WireTools:
    """The tools of `fetch_mcp_tools`, converted for the next request; empty if there are none.

    Raises `ValueError` for a format that is none; "gemini" and "google" are the same one.
    Takes some tenths of a millisecond per new tool: with hundreds, call it in a thread.
    """
    from desktop.features.models.formats.declaration import ApiFormat
    from desktop.features.models.formats.wire_tools import (
        make_wire_tools,  # who only chooses waits for less
    )

    tools = fetch_mcp_tools(service, choice, direct)
    return make_wire_tools(tools, ApiFormat(api_format), direct=direct)
