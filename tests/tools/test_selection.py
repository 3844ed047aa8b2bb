"""A conversation is given no tools, all of them, or those of the servers that were chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.tools.registry import ToolRegistry
from desktop.tools.selection import select_tools
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from desktop.tools.selection import McpMode


@pytest.mark.parametrize(
    ("mode", "servers", "keys"),
    [
        ("off", ["web"], []),
        ("auto", [], ["files:read", "web:search"]),
        ("manual", ["web"], ["web:search"]),
        ("manual", [], []),
        ("manual", ["gone", "files"], ["files:read"]),
    ],
)
def test_the_mode_says_which_tools_are_offered(
    mode: McpMode, servers: list[str], keys: list[str]
) -> None:
    registry = ToolRegistry()
    registry.set_server("files", [OneTool("files", "read"), OneTool("files", "write")])
    registry.set_server("web", [OneTool("web", "search")])
    registry.set_enabled("files:write", False)
    assert [tool.definition.key for tool in select_tools(registry, mode, servers)] == keys
