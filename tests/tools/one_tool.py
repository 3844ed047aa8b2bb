"""A tool without a server: it remembers how it was called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tools.adapters import DefinedTool
from desktop.values.tool_types import ToolDefinition, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.values.tool_types import JsonObject, Progress


class OneTool(DefinedTool):
    """Answers every call with its own key."""

    def __init__(self, server: str, name: str) -> None:
        self.definition = ToolDefinition(server, name)
        self.calls: list[tuple[JsonObject, str, float | None]] = []

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        self.calls.append((arguments, call_id, timeout))
        return ToolResult(success=True, output=self.definition.key)
