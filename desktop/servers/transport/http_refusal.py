"""What a server at a URL said when it refused a message, and what follows from that.

Read where the answer arrives and carried along with the error of that one message, so that calls
side by side do not get each other's reasons. Must not hold a header of the request: it may be a
secret. Source: MCP specification, basic/transports (session management) and basic/authorization.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

import httpx2
from mcp_types import METHOD_NOT_FOUND
from msgspec import Struct
from msgspec.structs import replace

from desktop.base.http_proxy import PROXY_FAULTS, proxy_for, shown_proxy
from desktop.base.later_patterns import compile_later
from desktop.servers.sdk import MCPError
from desktop.servers.state import UNAUTHORIZED, Challenge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from desktop.values.tool_types import JsonObject

MIN_REFUSAL_STATUS = 400
MAX_CHALLENGE_LENGTH = 8_000
SIGNED_IN, TRIED_AGAIN = "mcp-desktop-signed-in", "mcp-desktop-tried-again"
"""Marks of a request: its `Authorization` is a sign-in's, or there is none; a refusal is final."""
NOT_RENEWED = "mcp-desktop-not-renewed"
"""Mark of a request: why its tokens, which may have ended, could not be renewed."""
SESSION_HEADER = "mcp-session-id"
_NOT_FOUND, _BAD_REQUEST = 404, 400
FORBIDDEN = 403
WANTS_MORE = "insufficient_scope"
"""The error of a challenge that wants other permissions (RFC 6750, 3.1)."""
_OF_HOST = frozenset((400, 403, 421))
_ABOUT_HOST: Final = compile_later(
    r"\b(?:host|origin) header\b|\b(?:invalid|disallowed|forbidden) ?(?:host|origin)\b",
    re.IGNORECASE,
)
_LOOKED_AT: Final = 1_000
_SERVER_FAULT = 500
_PASSING = frozenset((404, 408, 425, 429))
_OTHER_TRANSPORT = frozenset((400, 404, 405))
"""Answers to a first message after which the specification asks clients to try SSE."""


class HttpRefusal(Struct, frozen=True):
    """One answer with a status of 400 or more."""

    status: int
    phrase: str = ""
    """What the server calls the status: `Gateway Timeout`."""
    retry_after: str = ""
    """When to try again, in the server's words: seconds or a date."""
    challenge: str = ""
    """Its `WWW-Authenticate`: how and where to sign in. Untrusted."""
    has_own_credentials: bool = False
    """Whether the message had an `Authorization` header of the person's."""
    in_session: bool = False
    """Whether the message belonged to a session."""
    text: str = ""
    """The beginning of the body: untrusted."""
    proxy: str = ""
    """The proxy on the way, where it may have answered in the server's place."""
    not_renewed: str = ""
    """Why the tokens of the message could not be renewed: then it asks for no other sign-in."""
    data: object = None
    """What the server's own error had as its `data`."""

    @classmethod
    def from_response(
        cls, response: httpx2.Response, text: str = "", *, is_sse: bool = False
    ) -> Self:
        """Args: text: the beginning of its body. is_sse: then every message is in a session."""
        request, headers = response.request, response.headers
        is_proxys = response.status_code in PROXY_FAULTS and proxy_for(str(request.url))
        return cls(
            status=response.status_code,
            phrase=response.reason_phrase,
            retry_after=headers.get("retry-after", "").strip(),
            challenge=headers.get("www-authenticate", "")[:MAX_CHALLENGE_LENGTH],
            has_own_credentials="authorization" in request.headers
            and SIGNED_IN not in request.extensions,
            in_session=is_sse or SESSION_HEADER in request.headers,
            text=text,
            proxy=shown_proxy(is_proxys) if is_proxys else "",
            not_renewed=request.extensions.get(NOT_RENEWED, ""),
        )

    @property
    def status_line(self) -> str:
        return f"{self.status} {self.phrase}".strip()

    @property
    def asks_to_sign_in(self) -> Challenge | None:
        """What a person has to sign in for: at all, or to allow more; None where that is no way."""
        if self.has_own_credentials or (self.not_renewed and self.status == UNAUTHORIZED):
            return None
        wants_more = self.status == FORBIDDEN and WANTS_MORE in self.challenge
        if self.status == UNAUTHORIZED or wants_more:
            return Challenge(self.status, self.challenge)
        return None

    @property
    def asks_for_credentials(self) -> bool:
        return self.status in {UNAUTHORIZED, FORBIDDEN}

    @property
    def is_about_host(self) -> bool:
        """Whether it refuses the name it is reached by, as the SDKs' guards against rebinding."""
        return self.status in _OF_HOST and _ABOUT_HOST.search(self.text[:_LOOKED_AT]) is not None

    @property
    def may_have_had_effects(self) -> bool:
        """Whether the message may have been carried out, or be carried out still."""
        return self.status >= _SERVER_FAULT

    @property
    def may_pass(self) -> bool:
        """Whether the server may take the same message later: it is busy, or being replaced."""
        return self.status in _PASSING or self.status >= _SERVER_FAULT

    @property
    def may_speak_sse(self) -> bool:
        """Whether a first message that was refused so may have met a server of the older kind."""
        return self.status in _OTHER_TRANSPORT

    def forgot_session(self, code: int) -> bool:
        """Whether the server does not know the session any more, and so did nothing.

        The specification says 404; many servers of the TypeScript SDK's examples say 400.

        Args:
            code: of the error that the message was answered with.
        """
        if not self.in_session or code == METHOD_NOT_FOUND:
            return False
        says_so = self.status == _BAD_REQUEST and "session" in self.text.lower()
        return self.status == _NOT_FOUND or says_so


class RefusalData(dict[str, Any]):
    """The `data` of a server's own error, with the refusal that it came with.

    The SDK reads the data itself: of a version that is not supported, those that are.
    """

    def __init__(self, data: Mapping[str, Any], refusal: HttpRefusal) -> None:
        super().__init__(data)
        self.refusal = refusal


def with_refusal(data: object, refusal: HttpRefusal) -> RefusalData | HttpRefusal:
    """What an error carries instead of its `data`, so that `refusal_of` finds the refusal."""
    refusal = replace(refusal, data=data)
    return RefusalData(cast("JsonObject", data), refusal) if isinstance(data, dict) else refusal


def refusal_of(error: BaseException) -> HttpRefusal | None:
    """What the server said with the error of a message, where it refused the message over HTTP."""
    if isinstance(error, MCPError):
        # Put there by `HttpTransport`; what came from a server is JSON, and never of this type.
        data = cast("object", error.data)
        if isinstance(data, RefusalData):
            return data.refusal
        return data if isinstance(data, HttpRefusal) else None
    if isinstance(error, httpx2.HTTPStatusError):
        return HttpRefusal.from_response(error.response)
    return None
