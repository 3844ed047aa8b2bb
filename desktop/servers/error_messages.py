"""Turns whatever the SDK raises into one sentence a person can act on.

The SDK wraps errors of a connect in nested exception groups and says "Connection closed" where the
server wrote its reason to stderr. Must not decide what happens next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpx2
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, REQUEST_TIMEOUT
from pydantic import ValidationError

from desktop.errors import DesktopError, ServerError, ServerTimeoutError
from desktop.servers.sdk import MCPError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.servers.stderr_log import StderrLog
    from desktop.servers.stdio_transport import ServerTransport

LOOK_AT_STDERR = translatable(
    "Look at what it wrote (its log in the Servers page) and at its command and arguments."
)
LOOK_AT_URL = translatable("Check its URL, and that the server is running there.")
SHOWN = 500
"""Characters of somebody else's message that are shown."""
_GONE = {
    (CONNECTION_CLOSED, "Connection closed"),
    (CONNECTION_CLOSED, "SSE stream ended without a response"),
    (CONNECTION_CLOSED, "SSE stream ended and reconnection attempts were exhausted"),
    (INVALID_REQUEST, "Session terminated"),  # a server at a URL was started anew
}
"""What the SDK says itself: when a connection ended, and when a session is not known any more."""


def leaves(error: BaseException) -> list[BaseException]:
    """The exceptions at the bottom of nested groups, in order."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for one in group.exceptions for leaf in leaves(one)]
    return [error]


def connect_failure(
    server: str, error: BaseException, link: ServerTransport | None, output: StderrLog
) -> ServerError:
    """Why the server could not be connected, with its exit and its last stderr lines."""
    causes = leaves(error)
    known = next((one for one in causes if isinstance(one, DesktopError)), None)
    if known is not None:
        return known if isinstance(known, ServerError) else _from_desktop(server, known)
    cause = causes[0]
    if link is not None and link.refusal:
        return _refused(server, link.refusal)
    if link is not None and link.pid is not None and link.lost:
        return lost(server, link.lost, output)
    remote = link is not None and link.pid is None and not isinstance(cause, OSError)
    remedy = LOOK_AT_URL if remote else _remedy(cause)
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=_words(cause)),
        remedy=remedy,
    )


def connect_timeout(server: str, seconds: float, output: StderrLog) -> ServerTimeoutError:
    """The server was started or reached but was not ready in time."""
    return ServerTimeoutError(
        server,
        _with_tail(
            translatable(
                "{server} did not answer within {seconds:g} s.", server=server, seconds=seconds
            ),
            output,
        ),
        remedy=translatable("If it only is slow to start, raise its connectTimeout."),
    )


def lost(server: str, why: str, output: StderrLog, *, remote: bool = False) -> ServerError:
    """Why an established connection ended; `why` continues the sentence that its name begins."""
    remedy = LOOK_AT_URL if remote else LOOK_AT_STDERR
    return ServerError(
        server,
        _with_tail(translatable("{server} {why}.", server=server, why=why), output),
        remedy=remedy,
    )


def call_failure(error: BaseException) -> tuple[str, str]:
    """Type and message of a failed request on an open connection."""
    cause = leaves(error)[0]
    return type(cause).__name__, _words(cause)


def is_lost(error: BaseException) -> bool:
    """Whether the connection itself is gone.

    Servers use the SDK's code for it as well, for errors of their own: only its words tell.
    """
    return any(
        isinstance(one, httpx2.TransportError)
        or (isinstance(one, MCPError) and (one.code, one.message) in _GONE)
        for one in leaves(error)
    )


def _refused(server: str, status: str) -> ServerError:
    asks = status.startswith(("401", "403"))
    remedy = translatable("Check the credentials in its headers.") if asks else LOOK_AT_URL
    return ServerError(
        server,
        translatable("{server}: its address answers {status}", server=server, status=status),
        remedy=remedy,
    )


def _from_desktop(server: str, error: DesktopError) -> ServerError:
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=error.args[0]),
        remedy=error.remedy,
    )


def _with_tail(message: str, output: StderrLog) -> str:
    tail = output.tail()
    return (
        translatable("{message} It wrote last:\n{tail}", message=message, tail=tail)
        if tail
        else message
    )


def _words(cause: BaseException) -> str:
    if isinstance(cause, MCPError):
        if cause.code == REQUEST_TIMEOUT:
            return translatable("no answer in time")
        return translatable(
            "{message} (code {code})", message=cause.message[:SHOWN], code=cause.code
        )
    if isinstance(cause, ValidationError):
        first = cause.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return translatable(
            "the answer breaks the protocol: {where}: {first}", where=where, first=first["msg"]
        )
    if isinstance(cause, httpx2.ConnectError):
        return translatable(
            "nothing answers at its address ({what})",
            what=str(cause)[:SHOWN] or "connection refused",
        )
    if isinstance(cause, httpx2.TransportError):
        return translatable(
            "the connection to its address broke ({what})",
            what=str(cause)[:SHOWN] or type(cause).__name__,
        )
    if isinstance(cause, OSError):
        return translatable("it cannot be started: {what}", what=cause.strerror or cause)
    return str(cause)[:SHOWN] or type(cause).__name__


def _remedy(cause: BaseException) -> str:
    if isinstance(cause, httpx2.HTTPError | httpx2.InvalidURL):
        return LOOK_AT_URL
    if isinstance(cause, OSError):
        return translatable("Check its command and its working directory.")
    return LOOK_AT_STDERR
