"""Which tools a conversation is given: none, all there are, or those of chosen servers.

Decides nothing about single tools: those are switched off in the registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop.tools.adapter import Tool
    from desktop.tools.registry import ToolSource

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
