"""A call on its way to the history. Holds; decides nothing; costs nothing to import or to make."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject, ToolCall, ToolResult


class FinishedCall(NamedTuple):
    """A call that ended, as it is handed to the writer."""

    call: ToolCall
    result: ToolResult
    schema: JsonObject

    @property
    def weight(self) -> int:
        """Roughly the bytes it holds while it waits, by what costs nothing to ask."""
        result = self.result
        return 1000 + len(result.output) + sum(len(block.data) for block in result.content)
