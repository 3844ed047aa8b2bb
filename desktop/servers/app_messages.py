"""What an MCP App is told of its own server: its tool, results and resources, as the server wrote.

An app speaks the server's own language, so nothing of an answer is left out where it is still
there. Knows nothing of apps or windows; decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult

from desktop.servers import wire
from desktop.servers.calls import keeping_answers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pydantic import BaseModel

    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import ToolDefinition, ToolError, ToolResult


def tool_json(tool: ToolDefinition) -> dict[str, Any]:
    """A tool as `tools/list` has it, under the server's own name for it."""
    return _dumped(wire.tool_out(tool.name, tool))


def result_json(result: ToolResult) -> dict[str, Any]:
    """A result that was kept, as `tools/call` has it."""
    return _dumped(wire.result_out(result))


async def call_json(run: Callable[[], Awaitable[ToolResult]]) -> tuple[ToolResult, dict[str, Any]]:
    """What came of a call, and the same as the server answered it.

    Args:
        run: makes the call.
    """
    with keeping_answers() as kept:
        result = await run()
    answer = kept[-1] if kept else None
    if isinstance(answer, CallToolResult):
        return result, _dumped(answer)
    return result, result_json(result)


async def read_json(
    connection: ServerConnection, uri: str, *, is_asked_for: bool = True
) -> dict[str, Any] | ToolError:
    """What is at a URI of a server, as `resources/read` has it, or why there is nothing.

    Args:
        connection: to the server.
        uri: sent to it as it is.
        is_asked_for: whether it is recorded as something that somebody wanted to read.
    """
    with keeping_answers() as kept:
        read = await connection.resources.read(uri, is_asked_for=is_asked_for)
    if read.error is not None:
        return read.error
    return _dumped(kept[-1] if kept else wire.read_out(read))


def _dumped(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
