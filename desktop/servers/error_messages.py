"""Turns whatever the SDK raises into one sentence a person can act on.

The SDK wraps errors of a connect in nested exception groups and says "Connection closed" where the
server wrote its reason to stderr. Must not decide what happens next.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import httpx2
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
from pydantic import ValidationError

from desktop.base.errors import DesktopError, NextStep, ServerError, ServerTimeoutError
from desktop.base.translatable import translatable
from desktop.servers.sdk import InputRequiredRoundsExceededError, MCPError
from desktop.servers.transport.http_refusal import refusal_of

if TYPE_CHECKING:
    from desktop.servers.state import Challenge
    from desktop.servers.transport.http_refusal import HttpRefusal
    from desktop.servers.transport.stderr_log import StderrLog
    from desktop.servers.transport.stdio_transport import ServerTransport

LOOK_AT_STDERR = translatable("Check its command and arguments, and its output.")
EDIT = (NextStep("edit"),)
_VARIABLE = re.compile(r"(?<![A-Za-z0-9_])(?!ERR_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![A-Za-z0-9_])")
_IS_MISSING = re.compile(
    r"\b(?:not set|unset|required|undefined|must be set|not provided|not defined"
    r"|missing|please set|is empty)\b",
    re.IGNORECASE,
)
_MAX_SEARCHED = 500
"""Characters of a line in which the name of a variable is looked for."""
_GONE = {
    (CONNECTION_CLOSED, "Connection closed"),
    (CONNECTION_CLOSED, "SSE stream ended without a response"),
    (CONNECTION_CLOSED, "SSE stream ended and reconnection attempts were exhausted"),
}
"""What the SDK says itself when a connection ended."""
_OWN_TIMEOUT = re.compile(r"Request '[^']*' timed out")
"""What the SDK says itself; servers use the same code for errors of their own."""


def _http():
    """The words for failures of HTTP; they bring the HTTP client, and most runs need none."""
    from desktop.servers.transport import http_error_messages

    return http_error_messages


def leaves(error: BaseException) -> list[BaseException]:
    """The exceptions at the bottom of nested groups, in order."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for exception in group.exceptions for leaf in leaves(exception)]
    return [error]


def connect_failure(
    server: str, error: BaseException, link: ServerTransport | None, output: StderrLog
) -> ServerError:
    """Why the server could not be connected, with its exit and its last stderr lines."""
    causes = leaves(error)
    known = next((cause for cause in causes if isinstance(cause, DesktopError)), None)
    if known is not None:
        return known if isinstance(known, ServerError) else _from_desktop(server, known)
    cause = next((cause for cause in causes if refusal_of(cause) is not None), causes[0])
    if link is not None and link.pid is not None and link.lost:
        return lost(server, link.lost, output)
    url, is_sse = (link.url, link.is_sse) if link is not None else ("", False)
    explained = _http().explain(cause, url, is_sse=is_sse)
    if explained is None:
        remote = bool(url) and not isinstance(cause, OSError)
        remedy = _http().LOOK_AT_URL if remote else _remedy(cause)
    else:
        remedy = explained.remedy
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=_words(cause, url)),
        remedy=remedy,
        steps=EDIT,
    )


def sign_in_wanted(server: str, challenge: Challenge) -> ServerError:
    """The server lets nobody in who is not signed in, or who may do too little."""
    if challenge.wants_more:
        words = translatable(
            "{server} needs more permissions ({status}).",
            server=server,
            status=challenge.status,
        )
    else:
        words = translatable(
            "{server} requires you to sign in ({status}).", server=server, status=challenge.status
        )
    return ServerError(
        server,
        words,
        remedy=translatable(
            "Sign in (mcp-desktop login {server}), or add a token to its headers.", server=server
        ),
    )


def connect_timeout(server: str, seconds: float, output: StderrLog) -> ServerTimeoutError:
    """The server was started or reached but was not ready in time."""
    return ServerTimeoutError(
        server,
        translatable(
            "{server} did not answer within {seconds:g} s.", server=server, seconds=seconds
        ),
        remedy=translatable(
            "If it is just slow to start, raise its time limit to connect (connectTimeout)."
        ),
        steps=EDIT,
        output=output.tail(),
    )


def lost(server: str, why: str, output: StderrLog, *, remote: bool = False) -> ServerError:
    """Why an established connection ended; `why` continues the sentence that its name begins."""
    headline, tail = output.headline(), output.tail()
    words = (
        translatable("{server} {why}: {headline}", server=server, why=why, headline=headline)
        if headline
        else translatable("{server} {why}.", server=server, why=why)
    )
    variable = () if remote else missing_variable(tail)
    return ServerError(
        server,
        words,
        remedy=_http().LOOK_AT_URL if remote else LOOK_AT_STDERR,
        steps=(*variable, *EDIT),
        output="\n".join(line for line in tail.splitlines() if " ".join(line.split()) != headline),
    )


def missing_variable(output: str) -> tuple[NextStep, ...]:
    """The variable that a server says it lacks, if it says so in one line."""
    for line in output.splitlines():
        found = _VARIABLE.search(line, 0, _MAX_SEARCHED)
        if found is not None and _IS_MISSING.search(line, 0, _MAX_SEARCHED):
            return (NextStep("set_variable", found[0]),)
    return ()


def call_failure(error: BaseException) -> tuple[str, str]:
    """Type and message of a failed request on an open connection."""
    cause = leaves(error)[0]
    return type(cause).__name__, _words(cause)


def is_lost(error: BaseException) -> bool:
    """Whether the connection itself is gone.

    Servers use the SDK's code for it as well, for errors of their own: only its words tell.
    """
    return any(
        isinstance(leave, httpx2.TransportError)
        or (isinstance(leave, MCPError) and (leave.code, leave.message) in _GONE)
        for leave in leaves(error)
    )


def may_pass(error: BaseException) -> bool:
    """Whether a failed connect to a URL may succeed later without anybody's doing."""
    causes = leaves(error)
    if any(isinstance(cause, DesktopError) for cause in causes):
        return False
    if (refusal := refusal_in(error)) is not None:
        return refusal.may_pass
    return is_lost(error) or any(_timed_out(cause) for cause in causes)


def refusal_in(error: BaseException) -> HttpRefusal | None:
    """The first refusal among the causes of an error."""
    return next((refusal for cause in leaves(error) if (refusal := refusal_of(cause))), None)


def _timed_out(cause: BaseException) -> bool:
    return (
        isinstance(cause, MCPError)
        and cause.code == REQUEST_TIMEOUT
        and _OWN_TIMEOUT.fullmatch(cause.message) is not None
    )


def _from_desktop(server: str, error: DesktopError) -> ServerError:
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=error.args[0]),
        remedy=error.remedy,
        steps=(*error.steps, *(() if NextStep("edit") in error.steps else EDIT)),
    )


def _words(cause: BaseException, url: str = "") -> str:
    if (explained := _http().explain(cause, url)) is not None:
        return explained.words
    if isinstance(cause, MCPError):
        if _timed_out(cause):
            return translatable("no answer in time")
        return translatable(
            "{message} (code {code})", message=_http().shorten(cause.message), code=cause.code
        )
    if isinstance(cause, ValidationError):
        first = cause.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return translatable(
            "the answer violates the protocol: {where}: {first}", where=where, first=first["msg"]
        )
    if isinstance(cause, InputRequiredRoundsExceededError):
        return translatable("it sent more than {limit} requests of its own", limit=cause.max_rounds)
    if isinstance(cause, OSError):
        return translatable("it cannot be started: {what}", what=cause.strerror or cause)
    return _http().shorten(str(cause)) or type(cause).__name__


def _remedy(cause: BaseException) -> str:
    if isinstance(cause, httpx2.HTTPError | httpx2.InvalidURL):
        return _http().LOOK_AT_URL
    if isinstance(cause, OSError):
        return translatable("Check its command and its working directory.")
    return LOOK_AT_STDERR
