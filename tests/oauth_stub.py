"""A server at a URL that asks for a sign-in, its authorization server, and a person in a browser.

Both servers are one `StubServer`: what it refuses is the one, the pages of OAuth are the other.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.http_stub import TEXT, Answer

if TYPE_CHECKING:
    from tests.http_stub import Request, StubServer


@dataclass
class Authorization:
    """What the authorization server gave and was asked for; tests change what it says."""

    stub: StubServer
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    resource: dict[str, Any] = field(default_factory=dict[str, Any])
    tokens: list[str] = field(default_factory=list[str])
    """The access tokens that are good."""
    revoked: list[str] = field(default_factory=list[str])
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    challenge: str = ""
    expires_in: int | None = 3600
    refreshes: bool = True
    can_be_renewed: bool = True
    """Whether a token comes with another one that renews it."""
    registers: bool = True
    accepts: bool = True
    """Whether the server takes any token at all."""
    said_of_code: list[str] = field(default_factory=lambda: ["authorization_pending", ""])
    """What each look at a code for another device is answered with; empty: somebody agreed."""
    page_for_codes: str = ""
    exchanged: dict[str, str] = field(default_factory=dict[str, str])
    """What the identity provider says for an ID token; nothing refuses."""
    is_bound: bool = False
    """Whether tokens are bound to a key of the client."""
    proofs: list[str] = field(default_factory=list[str])
    """Those that came, at both servers."""
    was_revoked: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    """The parameters of each page that a browser was sent to."""

    def __post_init__(self) -> None:
        address = self.stub.address
        self.metadata = {
            "issuer": address,
            "authorization_endpoint": f"{address}/authorize",
            "token_endpoint": f"{address}/token",
            "registration_endpoint": f"{address}/register",
            "revocation_endpoint": f"{address}/revoke",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }
        self.resource = {"resource": f"{address}/mcp", "authorization_servers": [address]}
        self.challenge = (
            f'Bearer resource_metadata="{address}/.well-known/oauth-protected-resource/mcp"'
        )
        self.stub.refuse = self.answer

    def bind_tokens(self) -> None:
        """From now on bind tokens to a key of the client."""
        self.is_bound = True
        self.challenge = self.challenge.replace("Bearer", "DPoP")
        self.metadata["dpop_signing_alg_values_supported"] = ["ES256"]

    def give_codes(self) -> None:
        """From now on give codes for other devices."""
        self.metadata["device_authorization_endpoint"] = f"{self.stub.address}/device"

    def answer(self, request: Request) -> Answer | None:
        path = urlsplit(request.path).path
        if path == "/mcp":
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            if (
                self.accepts
                and token in self.tokens
                and scheme == ("DPoP" if self.is_bound else "Bearer")
            ):
                self._keep_proof(request)
                return None
            return Answer(401, b"", TEXT, {"www-authenticate": self.challenge})
        if path.startswith("/.well-known/oauth-protected-resource/"):
            return _json(self.resource)
        if path == "/.well-known/oauth-authorization-server":
            return _json(self.metadata)
        if path == "/authorize":
            return self._page(dict(parse_qsl(urlsplit(request.path).query)))
        if path == "/device":
            self.forms.append(dict(parse_qsl(request.body.decode())))
            page = self.page_for_codes or f"{self.stub.address}/activate"
            code = {"device_code": "canary-device", "user_code": "WDJB-MJHT", "interval": 0}
            return _json(code | {"verification_uri": page, "expires_in": 600})
        if path == "/register" and self.registers:
            return _json({"client_id": "made-here", **json.loads(request.body)}, 201)
        if path == "/exchange":
            form = dict(parse_qsl(request.body.decode()))
            self.forms.append(form)
            return _json(self.exchanged, 200 if self.exchanged else 403)
        if path in {"/token", "/revoke"}:
            form = dict(parse_qsl(request.body.decode()))
            self.forms.append(form)
            self._keep_proof(request)
            return self._token(form) if path == "/token" else self._revoke(form)
        return Answer(404, b"", TEXT)

    def _page(self, asked: dict[str, str]) -> Answer:
        """Send a browser back at once, as if its person had agreed."""
        self.asked.append(asked)
        back = urlencode({"code": "canary-code", "state": asked["state"]})
        return Answer(302, b"", TEXT, {"location": f"{asked['redirect_uri']}?{back}"})

    def _token(self, form: dict[str, str]) -> Answer:
        if form["grant_type"] == "authorization_code":
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if challenge != self.asked[-1]["code_challenge"]:
                return _json({"error": "invalid_grant"}, 400)
        elif form["grant_type"].endswith(":device_code"):
            if error := self.said_of_code.pop(0):
                return _json({"error": error}, 400)
        elif form["grant_type"] == "refresh_token" and not self.refreshes:
            return _json({"error": "invalid_grant"}, 400)
        token = f"canary-access-{len(self.forms)}"
        self.tokens.append(token)
        kind = "DPoP" if self.is_bound else "Bearer"
        answer: dict[str, Any] = {"access_token": token, "token_type": kind}
        if self.can_be_renewed:
            answer["refresh_token"] = f"canary-refresh-{len(self.forms)}"
        return _json(answer | ({"expires_in": self.expires_in} if self.expires_in else {}))

    def _keep_proof(self, request: Request) -> None:
        if self.is_bound:
            self.proofs.append(request.headers["dpop"])

    def _revoke(self, form: dict[str, str]) -> Answer:
        self.revoked.append(form["token"])
        self.tokens.clear()
        self.was_revoked.set()
        return Answer(200)


class Person:
    """A browser whose person agrees at once; `back` changes what they come back with."""

    redirect_uri = "http://127.0.0.1:9/callback"

    def __init__(self, server: Authorization, **back: str | None) -> None:
        self._server, self._back = server, back

    async def visit(self, url: str) -> dict[str, str]:
        asked = dict(parse_qsl(urlsplit(url).query))
        self._server.asked.append(asked)
        answer: dict[str, str | None] = {"code": "canary-code", "state": asked["state"]}
        return {name: value for name, value in (answer | self._back).items() if value is not None}


def _json(value: dict[str, Any], status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode())
