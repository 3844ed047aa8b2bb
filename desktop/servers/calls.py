"""One tool call over an open session: its limit, its progress, its failure as a result.

Source: MCP specification, server/tools and basic/utilities/{progress,cancellation}. Must not
validate, ask or retry: that is the executor's.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from pydantic import ValidationError

from desktop.servers import failures
from desktop.servers.content import from_sdk
from desktop.servers.sdk import MCPError
from desktop.tool_types import ErrorCode, Progress, failed
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import CallToolResult

    from desktop.servers.deadline import RenewableTimeout
    from desktop.servers.sdk import Client
    from desktop.servers.session import Session
    from desktop.tool_types import JsonObject, ToolResult

logger = logging.getLogger(__name__)


def unreachable(server: str, state: str) -> ToolResult:
    """The result of a call to a server that is not connected."""
    message = f"{server} is not connected ({state}). Switch it on or restart it."
    return failed("ServerError", message, ErrorCode.UNREACHABLE)


def leave_output_unchecked(client: Client) -> None:
    """Have the SDK hand over a result whose `structuredContent` breaks the `outputSchema`.

    Its own check raises, and the content is lost; it has no limits, and lists the tools anew for a
    tool it does not know. The executor checks instead, and the result keeps its data. All else of
    `call_tool` (rounds of input, headers of 2026-07-28, progress, cancellation) stays the SDK's.
    """
    client.session.validate_tool_result = _pass


async def _pass(name: str, result: CallToolResult) -> None:
    """In place of `ClientSession.validate_tool_result`."""


async def call_tool(
    session: Session,
    name: str,
    arguments: JsonObject,
    limit: float,
    on_progress: Callable[[Progress], None] | None,
) -> ToolResult:
    """Send the call and wait; `limit` in seconds without answer or progress."""
    client, server = session.client, session.config.name
    if client is None:
        return unreachable(server, "stopped")
    try:
        with session.deadlines.within(limit) as running:
            return await _send(client, name, arguments, _progress(running, on_progress))
    except Exception as error:  # noqa: BLE001 - the boundary to the SDK: every failure is a result
        return _from_error(session, name, error)
    return _timed_out(server, name, limit)


async def _send(
    client: Client, name: str, arguments: JsonObject, on_progress: ProgressFnT
) -> ToolResult:
    # Without a progress token servers send no progress, so one is always given; the SDK's own
    # limit is off because it would not be renewed.
    answer = await client.call_tool(
        name,
        dict(arguments),
        read_timeout_seconds=math.inf,
        progress_callback=on_progress,
    )
    return from_sdk(answer)


def _progress(running: RenewableTimeout, told: Callable[[Progress], None] | None) -> ProgressFnT:
    async def received(progress: float, total: float | None, message: str | None) -> None:
        running.renew()
        if told is not None:
            told(Progress(progress, total, message or ""))

    return received


def _from_error(session: Session, name: str, error: Exception) -> ToolResult:
    server = session.config.name
    kind, words = failures.call_failure(error)
    message = translatable("{server}:{name}: {words}", server=server, name=name, words=words)
    if failures.is_lost(error) or session.is_lost:
        session.report_lost(translatable("closed the connection"))
        return failed(
            kind,
            translatable(
                "{message}. The server is gone; the call may have had effects.", message=message
            ),
            ErrorCode.UNREACHABLE,
        )
    if isinstance(error, MCPError | ValidationError | RuntimeError):
        return failed(kind, message, ErrorCode.PROTOCOL)
    logger.error("call of %s:%s failed", server, name, exc_info=error)
    return failed(kind, message, ErrorCode.INTERNAL)


def _timed_out(server: str, name: str, limit: float) -> ToolResult:
    message = translatable(
        "{server}:{name} gave no answer and no progress within {limit:g} s; it was cancelled. "
        "Give it more time with the server's timeout, or for one call with --timeout.",
        server=server,
        name=name,
        limit=limit,
    )
    return failed("TimeoutError", message, ErrorCode.TIMEOUT)
