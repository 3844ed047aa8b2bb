"""Tokens that are of no use to a thief: bound to a key of this machine, proved at each request.

Asked for where both the MCP server and its authorization server say that they take such tokens.
Source: RFC 9449; SEP-1932.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
import uuid
from typing import TYPE_CHECKING, Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from desktop.servers.oauth.credentials import origin
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    import httpx2

ALGORITHM: Final = "ES256"
HEADER: Final = "DPoP"
WANTS_NONCE: Final = "use_dpop_nonce"
MAX_NONCE_LENGTH: Final = 1_000


class ProofKey:
    """One key, and the nonces that servers gave for its proofs, by their origins."""

    def __init__(self, text: str = "") -> None:
        """Args: text: of a key that was made before, as `text` gave it; else a new one is made.

        Raises:
            ValueError: it is no such key.
        """
        if text:
            key = load_pem_private_key(text.encode(), None)
            if not isinstance(key, ec.EllipticCurvePrivateKey):
                raise ValueError("no key of an elliptic curve")
        else:
            key = ec.generate_private_key(ec.SECP256R1())
        self._key = key
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.text = text or pem.decode()
        """The private key: a secret."""
        self._nonces: dict[tuple[str, str, int | None], str] = {}
        numbers = key.public_key().public_numbers()
        x, y = (_base64(number.to_bytes(32)) for number in (numbers.x, numbers.y))
        self._public = {"kty": "EC", "crv": "P-256", "x": x, "y": y}

    def prove(self, request: httpx2.Request, token: str = "") -> None:
        """Put a new proof into a request.

        Args:
            request: as it will be sent.
            token: the access token that it has, where it has one.
        """
        url = request.url.copy_with(query=None, fragment=None, userinfo=b"")
        claims: dict[str, Any] = {
            "jti": str(uuid.uuid4()),
            "htm": request.method,
            "htu": str(url),
            "iat": int(time.time()),
        }
        if token:
            claims["ath"] = _base64(hashlib.sha256(token.encode()).digest())
        if nonce := self._nonces.get(origin(str(request.url))):
            claims["nonce"] = nonce
        headers = {"typ": "dpop+jwt", "jwk": self._public}
        request.headers[HEADER] = jwt.encode(claims, self._key, ALGORITHM, headers)

    def note_nonce(self, answer: httpx2.Response) -> None:
        """Keep the nonce of an answer for the next proof there."""
        nonce = answer.headers.get("dpop-nonce", "")
        if 0 < len(nonce) <= MAX_NONCE_LENGTH:
            self._nonces[origin(str(answer.request.url))] = nonce


def are_bound(challenge: str, resource: bytes, server: bytes) -> bool:
    """Whether tokens are to be bound to a key.

    Args:
        challenge: the `WWW-Authenticate` of the MCP server.
        resource: its metadata (RFC 9728).
        server: the metadata of its authorization server (RFC 8414).
    """
    said = _object(resource)
    is_wanted = (
        challenge.strip().lower().startswith("dpop")
        or said.get("dpop_bound_access_tokens_required") is True
    )
    return is_wanted and ALGORITHM in list_of(
        _object(server).get("dpop_signing_alg_values_supported")
    )


def wants_nonce(answer: httpx2.Response, content: bytes = b"") -> bool:
    """Whether a server refuses for want of a nonce, by a header or by its `content`."""
    if not answer.is_client_error:
        return False
    said = answer.headers.get("www-authenticate", "")
    return WANTS_NONCE in said or _object(content).get("error") == WANTS_NONCE


def plain_tokens(content: bytes) -> tuple[bytes, bool]:
    """The answer of a token endpoint as the SDK reads it, and whether its token is bound.

    The SDK knows the kind `Bearer` alone.
    """
    found = dict(_object(content))
    if str(found.get("token_type", "")).lower() != "dpop":
        return content, False
    return json.dumps(found | {"token_type": "Bearer"}).encode(), True


def _object(content: bytes) -> Any:
    try:
        return object_of(json.loads(content))
    except (ValueError, RecursionError):
        return object_of(None)


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
