"""Tools and registries in another cut: renamed, chosen from, or asked about before each call.

Each wraps what it is given and is itself a `Tool` or a view of a registry, so that none of it is a
flag somewhere else. Must not call a tool by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.tools.executor import denied
from desktop.tools.registry import find_tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.signals import Signal
    from desktop.tool_types import (
        Approver,
        JsonObject,
        Origin,
        Progress,
        ToolDefinition,
        ToolResult,
    )
    from desktop.tools.adapters import Tool
    from desktop.tools.registry import ToolSource


class Prefixed:
    """A tool under another name: `prefix` before its own, in its key and for a model."""

    __slots__ = ("_tool", "definition")

    def __init__(self, tool: Tool, prefix: str) -> None:
        self._tool = tool
        self.definition = replace(tool.definition, name=prefix + tool.definition.name)

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        return await self._tool.execute(
            arguments, call_id=call_id, timeout=timeout, on_progress=on_progress
        )


class Approved:
    """A tool that is asked about before each call, for whoever runs it without the executor.

    The executor asks its own approver: a tool is wrapped, or the executor has one, not both.
    """

    __slots__ = ("_approver", "_origin", "_tool")

    def __init__(self, tool: Tool, approver: Approver, origin: Origin = "agent") -> None:
        self._tool = tool
        self._approver = approver
        self._origin: Origin = origin

    @property
    def definition(self) -> ToolDefinition:
        return self._tool.definition

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run it with the arguments that were approved; a denial is a result."""
        decision = await self._approver.approve(
            self.definition, arguments, call_id=call_id, origin=self._origin
        )
        if not decision.allowed:
            return denied(self.definition.key, decision.reason).result
        return await self._tool.execute(
            decision.arguments, call_id=call_id, timeout=timeout, on_progress=on_progress
        )


class Filtered:
    """A view of a registry: the tools that `keep` keeps, now and after each change."""

    def __init__(self, tools: ToolSource, keep: Callable[[ToolDefinition], bool]) -> None:
        self._tools = tools
        self._keep = keep

    @property
    def changed(self) -> Signal[[]]:
        return self._tools.changed

    def all(self) -> tuple[Tool, ...]:
        return tuple(tool for tool in self._tools.all() if self._keep(tool.definition))

    def get(self, key: str) -> Tool | None:
        tool = self._tools.get(key)
        return tool if tool is not None and self._keep(tool.definition) else None

    def find(self, name: str) -> Tool:
        """As `ToolRegistry.find`, among the tools that are kept.

        Raises:
            ToolNotFoundError: none or more than one; the message says what there is.
        """
        return self.get(name) or find_tool(name, self.all(), lambda _: True)
