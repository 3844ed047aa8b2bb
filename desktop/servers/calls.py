"""One tool call over an open session: its limit, its progress, its failure as a result.

Source: MCP specification, server/tools and basic/utilities/{progress,cancellation}. Must not
validate, ask or retry: that is the executor's.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp import MCPError
from pydantic import ValidationError

from desktop.servers import failures
from desktop.servers.content import from_sdk
from desktop.tools.call import Progress
from desktop.tools.result import ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.servers.deadline import Limit
    from desktop.servers.session import Session
    from desktop.tools.definition import JsonObject

logger = logging.getLogger(__name__)


def unreachable(server: str, state: str) -> ToolResult:
    """The result of a call to a server that is not connected."""
    message = f"{server} is not connected ({state}). Switch it on or restart it."
    return _failed("ServerError", message, ErrorCode.UNREACHABLE)


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
    began = time.monotonic()
    result = _timed_out(server, name, limit)
    try:
        with session.deadlines.within(limit) as running:
            result = await _send(client, name, arguments, _progress(running, on_progress))
    except Exception as error:  # noqa: BLE001 - the boundary to the SDK: every failure is a result
        result = _from_error(session, name, error)
    return replace(result, execution_time=time.monotonic() - began)


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


def _progress(running: Limit, told: Callable[[Progress], None] | None) -> ProgressFnT:
    async def received(progress: float, total: float | None, message: str | None) -> None:
        running.renew()
        if told is not None:
            told(Progress(progress, total, message or ""))

    return received


def _from_error(session: Session, name: str, error: Exception) -> ToolResult:
    server = session.config.name
    kind, words = failures.call_failure(error)
    message = f"{server}:{name}: {words}"
    if failures.is_lost(error) or session.is_lost:
        session.report_lost("closed the connection")
        return _failed(
            kind,
            f"{message}. The server is gone; the call may have had effects.",
            ErrorCode.UNREACHABLE,
        )
    if isinstance(error, MCPError | ValidationError | RuntimeError):
        return _failed(kind, message, ErrorCode.PROTOCOL)
    logger.error("call of %s:%s failed", server, name, exc_info=error)
    return _failed(kind, message, ErrorCode.INTERNAL)


def _timed_out(server: str, name: str, limit: float) -> ToolResult:
    message = (
        f"{server}:{name} gave no answer and no progress within {limit:g} s; it was cancelled. "
        "Give it more time with the server's timeout, or for one call with --timeout."
    )
    return _failed("TimeoutError", message, ErrorCode.TIMEOUT)


def _failed(kind: str, message: str, code: ErrorCode) -> ToolResult:
    return ToolResult(success=False, error=ToolError(kind, message, code))
