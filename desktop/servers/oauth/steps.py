"""The steps of one sign-in, to be looked at: each request and answer, without their secrets.

Bounded: what a stranger's server says is cut. Holds values only; nothing is sent here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    import httpx2

MAX_SHOWN_LENGTH: Final = 4_000
MAX_STEPS: Final = 60
_REFUSED: Final = 400
_SECRET_FIELDS: Final = frozenset(
    (
        *("access_token", "refresh_token", "id_token", "client_secret", "client_assertion"),
        *("assertion", "code", "code_verifier", "state", "registration_access_token"),
        *("device_code", "subject_token", "actor_token"),
    )
)

StepKind: TypeAlias = Literal[
    "challenge",
    "resource",
    "server",
    "register",
    "device",
    "browser",
    "answer",
    "token",
]
"""What a step is for: the refusal that began it, the metadata of the protected resource, those of
the authorization server, the registration, the person, what came back from the browser, the token.
"""


class SignInStep(Struct, frozen=True):
    """One request with its answer, or one thing that happened.

    `status` is 0 where there was no answer; `seconds` the time until it was read; `sent` and
    `received` are texts without secrets, cut.
    """

    kind: StepKind
    method: str = ""
    url: str = ""
    status: int = 0
    seconds: float = 0.0
    sent: str = ""
    received: str = ""
    problem: str = ""

    @property
    def expected(self) -> str:
        """What the specification wants here; empty where it has no say."""
        return EXPECTED.get(self.kind, "")

    @property
    def is_wrong(self) -> bool:
        """Whether this is where a sign-in may have failed. Addresses that are tried may be 404."""
        return bool(self.problem) or (
            self.kind in {"register", "device", "token"} and self.status >= _REFUSED
        )

    @property
    def line(self) -> str:
        """The step in one line, for a terminal."""
        what = f"{self.method} {self.url}" if self.method else self.url
        answer = f" {self.status}" if self.status else ""
        time = f" ({self.seconds * 1000:.0f} ms)" if self.seconds else ""
        problem = f": {self.problem}" if self.problem else ""
        return f"{self.kind}: {what}{answer}{time}{problem}"


EXPECTED: Final[dict[StepKind, str]] = {
    "challenge": translatable(
        "A server that requires signing in answers 401 and names its metadata in "
        "the WWW-Authenticate header: resource_metadata (RFC 9728, 5.1). Without "
        "it, the well-known addresses are tried."
    ),
    "resource": translatable(
        "Status 200 and JSON with resource (the address of the server) and "
        "authorization_servers (RFC 9728, 3). After another status the next "
        "address is tried."
    ),
    "server": translatable(
        "Status 200 and JSON with issuer (the requested address), "
        "authorization_endpoint, token_endpoint, and S256 in "
        "code_challenge_methods_supported (RFC 8414, 3). After another status the "
        "next address is tried."
    ),
    "register": translatable(
        "Status 201 and JSON with a client_id (RFC 7591, 3.2). A server without "
        "registration needs a client that was created there by hand: "
        "oauth.clientId in the configuration."
    ),
    "device": translatable(
        "Status 200 and JSON with device_code, user_code and verification_uri (RFC 8628, 3.2)."
    ),
    "browser": translatable(
        "The sign-in page, requested with PKCE (RFC 7636), a state, and the server "
        "as resource (RFC 8707)."
    ),
    "answer": translatable(
        "A code and the state that was sent, plus iss (the issuer) if the server "
        "announces it (RFC 9207)."
    ),
    "token": translatable(
        "Status 200 and JSON with access_token, and token_type Bearer (RFC 6749, "
        "5.1). The values sent must match those of the sign-in page."
    ),
}
"""What the specification wants at a step, for who has to find out why it failed."""


def kind_of(request: httpx2.Request) -> StepKind:
    """What a request of a sign-in is for, by where it goes and what it says."""
    path = request.url.path
    if "/.well-known/oauth-protected-resource" in path:
        return "resource"
    if "/.well-known/" in path:
        return "server"
    if request.method != "POST":
        return "resource"  # the metadata of a resource may be anywhere: the challenge says where
    is_form = "form-urlencoded" in request.headers.get("content-type", "")
    return "token" if is_form else "register"


def shown_url(url: str) -> str:
    """An address without the secrets of its query, and without user and password."""
    parts = urlsplit(url)
    query = urlencode([(name, _shown(name, value)) for name, value in parse_qsl(parts.query)])
    place = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=place, query=query, fragment="").geturl()[:MAX_SHOWN_LENGTH]


def shown_body(body: bytes, kind: str) -> str:
    """A body of a request or an answer: JSON or a form without its secrets, anything else cut."""
    text = body[: 4 * MAX_SHOWN_LENGTH].decode("utf-8", "replace")
    if "form-urlencoded" in kind:
        pairs = parse_qsl(text, keep_blank_values=True)
        return "\n".join(f"{name}={_shown(name, value)}" for name, value in pairs)
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return redact_text(text)[:MAX_SHOWN_LENGTH]
    return json.dumps(_without_secrets(value, 8), indent=1, ensure_ascii=False)[:MAX_SHOWN_LENGTH]


def _without_secrets(value: Any, depth: int) -> Any:
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {
            name: PLACEHOLDER
            if name in _SECRET_FIELDS or (isinstance(member, str) and is_secret_name(name))
            else _without_secrets(member, depth - 1)
            for name, member in list(object_of(cast("object", value)).items())[:200]
        }
    if isinstance(value, list):
        return [_without_secrets(item, depth - 1) for item in list_of(cast("object", value))[:200]]
    return value


def _shown(name: str, value: str) -> str:
    if name in _SECRET_FIELDS or is_secret_name(name):
        return PLACEHOLDER
    return redact_text(value)
