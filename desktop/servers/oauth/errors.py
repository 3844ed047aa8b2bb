"""Why nobody is signed in, in words that name the server, and what to do about it.

Says no secret: what a server said of it is cut, and shown as a step would show it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import httpx2
from mcp.client.auth import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from pydantic import ValidationError

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.servers.oauth.steps import shown_body
from desktop.servers.transport.stderr_log import plain
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.servers.oauth.steps import SignInStep

MAX_WORDS: Final = 300
"""Characters of what a server says."""


class SignInError(DesktopError):
    """Why nobody is signed in, and what to do."""


def explained(error: Exception, server: str, steps: Sequence[SignInStep]) -> SignInError:
    """What a person is told of a failure.

    Args:
        error: of the flow.
        server: its name.
        steps: what was done before; the last one says who failed.
    """
    last = next((step for step in reversed(steps) if step.url), None)
    host, status = server, 0
    if last is not None and last.kind != "challenge":
        host, status = httpx2.URL(last.url).host or last.url, last.status
    is_away = isinstance(error, OAuthFlowError) and _is_passing(status)
    words, remedy = away(host, status) if is_away else _words(error, host)
    text = translatable("{server}: {words}", server=server, words=words)
    return SignInError(text, remedy=remedy)


def away(host: str, status: int) -> tuple[str, str]:
    """What is said of a server that has a fault of its own, and what to do."""
    words = translatable("{host} answered {status}", host=host, status=status)
    return words, translatable("Try again later.")


def _is_passing(status: int) -> bool:
    return status in _PASSING or status >= _SERVER_FAULT


_PASSING = frozenset((408, 425, 429))
_SERVER_FAULT = 500
_AGAIN = translatable("Sign in again.")
_NOT_SAFE = translatable(
    "Do not continue until its operator has explained this: it could be a mistake or an attack."
)


def _words(error: Exception, host: str) -> tuple[str, str]:
    match error:
        case DesktopError():  # also of a proxy that cannot be used
            return str(error.args[0]), error.remedy or _AGAIN
        case TimeoutError():
            return translatable("{host} did not answer in time", host=host), _AGAIN
        case OAuthRegistrationError():
            return (
                translatable(
                    "{host} refused to register this app ({words})", host=host, words=_said(error)
                ),
                translatable(
                    'Create an OAuth client there and set its ID: "oauth": {{"clientId": …}}.'
                ),
            )
        case OAuthTokenError():
            return (
                translatable(
                    "{host} did not issue a token ({words})", host=host, words=_said(error)
                ),
                _AGAIN,
            )
        case OAuthFlowError():
            words = translatable(
                "signing in at {host} was stopped ({words})", host=host, words=_said(error)
            )
            return words, _NOT_SAFE
        case ValidationError():
            return (
                translatable("{host} returned invalid OAuth metadata", host=host),
                translatable("Report this to the operator of the server."),
            )
        case httpx2.TransportError():
            return (
                translatable("{host} cannot be reached ({words})", host=host, words=_said(error)),
                translatable("Check the network and the proxy, then sign in again."),
            )
        case _:
            return (
                translatable(
                    "signing in at {host} failed ({words})", host=host, words=_said(error)
                ),
                _AGAIN,
            )


def _said(error: Exception) -> str:
    """What the SDK or a server said of it: cut, and without what looks secret."""
    words = plain(str(error) or type(error).__name__).rstrip(": ")
    if isinstance(cause := error.__context__, ValidationError):
        names = ", ".join(sorted({str(each["loc"][0]) for each in cause.errors() if each["loc"]}))
        words = f"its answer lacks {names}" if names else "its answer is not JSON"
    _, brace, rest = words.partition("{")
    with suppress(ValueError, RecursionError):
        found = object_of(json.loads(brace + rest))
        told = found.get("error_description") or found.get("error")
        words = plain(told) if isinstance(told, str) and told else words
    return shown_body(words.encode(), "")[:MAX_WORDS]
