"""One request over an open session: send it, wait for its answer, turn every failure into an error.

Calls of tools, reads of resources, prompts and completions have the same limit, renewed by each
sign of progress, and the same words for what fails. Must not retry: the connection decides. Must
not validate a call or ask for approval: the executor does. Source: MCP specification,
basic/utilities/{progress,cancellation}.
"""

from __future__ import annotations

import logging
import math
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from desktop.base.errors import ServerError
from desktop.base.translatable import named_text, translatable
from desktop.patches.sdk import request_options
from desktop.servers import error_messages
from desktop.servers.content import beside_loop, from_sdk
from desktop.servers.message_log import current_call
from desktop.servers.sdk import MCPError
from desktop.servers.transport.http_refusal import refusal_of
from desktop.values.tool_types import ErrorCode, Progress, ToolError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.base.signals import Signal
    from desktop.servers.session import Session
    from desktop.servers.timeouts import RenewableTimeout
    from desktop.servers.transport.http_refusal import HttpRefusal
    from desktop.values.tool_types import JsonObject, ToolResult

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
MAX_SUBJECT_LENGTH = 200
"""Characters of what a message names: a URI may be as long as a book."""
logger = logging.getLogger(__name__)

_kept_answers: Final[ContextVar[list[BaseModel] | None]] = ContextVar("kept_answers", default=None)


@contextmanager
def keeping_answers() -> Generator[list[BaseModel]]:
    """The SDK's own answers to what is asked meanwhile, for whoever passes them on as they are."""
    kept: list[BaseModel] = []
    token = _kept_answers.set(kept)
    try:
        yield kept
    finally:
        _kept_answers.reset(token)


def keep_answer(answer: BaseModel) -> None:
    """Put an answer where it is wanted whole, with what our own types leave out."""
    if (kept := _kept_answers.get()) is not None:
        kept.append(answer)


class Send(Protocol[T_co]):
    """Sends a request and reads its answer; `on_progress` renews the limit."""

    def __call__(self, client: Client, on_progress: ProgressFnT, /) -> Awaitable[T_co]: ...


class Requester(Protocol):
    """A connection, as whoever sends something over it sees it."""

    @property
    def name(self) -> str: ...

    @property
    def session(self) -> Session | None:
        """The open session; None when not connected."""
        ...

    @property
    def resources_changed(self) -> Signal[[]]: ...

    @property
    def prompts_changed(self) -> Signal[[]]: ...

    async def request(
        self,
        subject: str,
        send: Send[T],
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        call_id: str = "",
    ) -> T | ToolError:
        """Send one request; every failure is an error."""
        ...


class SessionForgottenError(Exception):
    """The server does not know the session any more and did not carry the request out.

    `error` is what to say of the request if it is not sent again.
    """

    def __init__(self, error: ToolError) -> None:
        super().__init__()
        self.error = error


def unreachable(server: str, state: str, error: str = "") -> ToolError:
    """The error of a request to a server that is not connected.

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
    return ToolError("ServerError", message, ErrorCode.UNREACHABLE)


def request_failed(server: str, error: ToolError) -> ServerError:
    """The error of a request as an exception, for whoever reads a list."""
    return ServerError(server, error.message)


async def send_request(
    session: Session,
    subject: str,
    send: Send[T],
    limit: float,
    on_progress: Callable[[Progress], None] | None = None,
    *,
    call_id: str = "",
) -> T | ToolError:
    """Send one request and wait for its answer; every failure is an error.

    Args:
        session: where to; a request to one that is not connected is an error, too.
        subject: what a message names, with the server: `files:read`.
        send: sends it; runs within the limit.
        limit: seconds without an answer or a sign of progress.
        on_progress: called at each sign of progress.
        call_id: repeated in the progress.

    Raises:
        SessionForgottenError: it can be sent once more over a new session.
    """
    client = session.client
    if client is None:
        return unreachable(session.config.name, "stopped")
    subject = subject if len(subject) <= MAX_SUBJECT_LENGTH else f"{subject[:MAX_SUBJECT_LENGTH]}…"
    try:
        with (
            session.oddities.collecting(),
            session.open_call(),
            session.timeouts.within(limit) as running,
        ):
            told = _progress_callback(running, call_id, on_progress)
            token = request_options.set(_options_with(told))
            call = current_call.set(call_id)
            try:
                return await session.features.after_urls(partial(send, client, told))
            finally:
                current_call.reset(call)
                request_options.reset(token)
    except Exception as error:  # noqa: BLE001 - the boundary to the SDK: every failure is an error
        if error_messages.is_lost(error):
            await session.hear_last_words()
        return _from_error(session, subject, error)
    return _timed_out(subject, limit)


async def call_tool(
    client: Client, on_progress: ProgressFnT, name: str, arguments: JsonObject
) -> ToolResult:
    """Send one call; raises whatever the SDK says of it."""
    answer = await client.call_tool(name, dict(arguments), **_call_options(on_progress))
    keep_answer(answer)
    return await beside_loop(partial(from_sdk, answer), answer.content)


def _call_options(on_progress: ProgressFnT) -> dict[str, Any]:
    # The SDK's own limit is off, because progress would not renew it. Progress is always asked for:
    # without a progress token servers send none.
    return {"read_timeout_seconds": math.inf, "progress_callback": on_progress}


def _options_with(on_progress: ProgressFnT) -> dict[str, Any]:
    return {"request_read_timeout_seconds": math.inf, "progress_callback": on_progress}


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


def _from_error(session: Session, subject: str, error: Exception) -> ToolError:
    if isinstance(error, ServerError):  # our own word on what the server does wrong
        return ToolError(type(error).__name__, str(error), ErrorCode.PROTOCOL)
    kind, words = error_messages.call_failure(error)
    message = named_text(subject, words)
    refusal = refusal_of(error)
    if refusal is not None and (challenge := refusal.asks_to_sign_in) is not None:
        wanted = error_messages.sign_in_wanted(session.config.name, challenge)
        message = translatable("{message}. {remedy}", message=message, remedy=wanted.remedy)
        return ToolError(kind, message, ErrorCode.PROTOCOL)
    if refusal is not None and isinstance(error, MCPError):
        return _from_refusal(refusal, error.code, ToolError(kind, message, ErrorCode.PROTOCOL))
    if error_messages.is_lost(error) or session.is_lost:
        if why := session.last_words:  # the SDK only knows that it is closed
            message = named_text(subject, why)
        session.report_lost(translatable("closed the connection"))
        return ToolError(
            kind,
            translatable(
                "{message}. The call was interrupted and may have had effects.",
                message=message,
            ),
            ErrorCode.UNREACHABLE,
        )
    if isinstance(error, MCPError | ValidationError | RuntimeError):
        return ToolError(kind, message, ErrorCode.PROTOCOL)
    logger.error("request %s failed", subject, exc_info=error)
    return ToolError(kind, message, ErrorCode.INTERNAL)


def _from_refusal(refusal: HttpRefusal, code: int, error: ToolError) -> ToolError:
    if refusal.forgot_session(code):
        raise SessionForgottenError(error)
    if not refusal.may_have_had_effects:
        return error
    message = translatable("{message}. The call may have had effects.", message=error.message)
    return ToolError(error.type, message, error.code)


def _timed_out(subject: str, limit: float) -> ToolError:
    message = translatable(
        "{subject} did not respond or report progress within {limit:g} s and was "
        "cancelled. Allow more time in the server's settings, or with --timeout "
        "for a single call.",
        subject=subject,
        limit=limit,
    )
    return ToolError("TimeoutError", message, ErrorCode.TIMEOUT)
