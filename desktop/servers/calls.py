"""One call over an open session: send it, wait for its answer, turn every failure into a result.

The limit of a call is renewed by each sign of progress. Must not retry: the connection decides.
Must not validate a call or ask for approval: the executor does. Source: MCP specification,
server/tools and basic/utilities/{progress,cancellation}.
"""

from __future__ import annotations

import logging
import math
from functools import partial
from typing import TYPE_CHECKING

from pydantic import ValidationError

from desktop.servers import error_messages
from desktop.servers.content import from_sdk
from desktop.servers.http_refusal import refusal_of
from desktop.servers.sdk import MCPError
from desktop.tool_types import ErrorCode, Progress, failed
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.shared.dispatcher import ProgressFnT

    from desktop.servers.http_refusal import HttpRefusal
    from desktop.servers.session import Session
    from desktop.servers.timeouts import RenewableTimeout
    from desktop.tool_types import JsonObject, ToolResult

logger = logging.getLogger(__name__)


class SessionForgottenError(Exception):
    """The server does not know the session any more and did not carry the call out.

    `result` is what to say of the call if it is not sent again.
    """

    def __init__(self, result: ToolResult) -> None:
        super().__init__()
        self.result = result


def unreachable(server: str, state: str, error: str = "") -> ToolResult:
    """The result of a call to a server that is not connected.

    Args:
        server: its name.
        state: what it is doing, in words.
        error: why, as a whole sentence with what to do; empty where nobody knows more.
    """
    message = error or translatable(
        "{server} is not connected ({state}). Switch it on or restart it.",
        server=server,
        state=state,
    )
    return failed("ServerError", message, ErrorCode.UNREACHABLE)


async def call_tool(
    session: Session,
    name: str,
    arguments: JsonObject,
    limit: float,
    on_progress: Callable[[Progress], None] | None,
    *,
    call_id: str = "",
) -> ToolResult:
    """Send one call and wait for its result; every failure is a result.

    Args:
        session: where to; a call to one that is not connected is a result, too.
        name: the tool's own name.
        arguments: sent as they are.
        limit: seconds without an answer or a sign of progress.
        on_progress: called at each sign of progress.
        call_id: repeated in the progress.

    Raises:
        SessionForgottenError: it can be sent once more over a new session.
    """
    client, server = session.client, session.config.name
    if client is None:
        return unreachable(server, "stopped")
    try:
        with (
            session.oddities.collecting(),
            session.open_call(),
            session.timeouts.within(limit) as running,
        ):
            send = partial(
                client.call_tool,
                name,
                dict(arguments),
                # The SDK's own limit is off, because progress would not renew it.
                read_timeout_seconds=math.inf,
                # Always given: without a progress token servers send no progress.
                progress_callback=_progress_callback(running, call_id, on_progress),
            )
            return from_sdk(await session.features.after_urls(send))
    except Exception as error:  # noqa: BLE001 - the boundary to the SDK: every failure is a result
        return _from_error(session, name, error)
    return _timed_out(server, name, limit)


def _progress_callback(
    running: RenewableTimeout, call_id: str, on_progress: Callable[[Progress], None] | None
) -> ProgressFnT:
    async def receive(progress: float, total: float | None, message: str | None) -> None:
        running.renew()
        if on_progress is None:
            return
        try:
            on_progress(Progress(progress, total, message or "", call_id))
        except Exception:
            # Not left to the SDK, whose log is off: whoever shows it failed, not the call.
            logger.exception("the progress of a call could not be shown")

    return receive


def _from_error(session: Session, name: str, error: Exception) -> ToolResult:
    server = session.config.name
    kind, words = error_messages.call_failure(error)
    message = translatable("{server}:{name}: {words}", server=server, name=name, words=words)
    refusal = refusal_of(error)
    if refusal is not None and isinstance(error, MCPError):
        return _from_refusal(refusal, error.code, failed(kind, message, ErrorCode.PROTOCOL))
    if error_messages.is_lost(error) or session.is_lost:
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


def _from_refusal(refusal: HttpRefusal, code: int, result: ToolResult) -> ToolResult:
    if refusal.forgot_session(code):
        raise SessionForgottenError(result)
    if result.error is None or not refusal.may_have_had_effects:
        return result
    error = result.error
    message = translatable("{message}. The call may have had effects.", message=error.message)
    return failed(error.type, message, error.code)


def _timed_out(server: str, name: str, limit: float) -> ToolResult:
    message = translatable(
        "{server}:{name} gave no answer and no progress within {limit:g} s; it was cancelled. "
        "Give it more time with the server's timeout, or for one call with --timeout.",
        server=server,
        name=name,
        limit=limit,
    )
    return failed("TimeoutError", message, ErrorCode.TIMEOUT)
