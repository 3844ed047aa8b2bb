"""Tokens that are bound to a key are proved with it at each request, also in the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import jwt
import pytest

from desktop.servers.oauth.dpop import ProofKey, are_bound, plain_tokens, wants_nonce
from desktop.servers.service import McpService
from tests.config.keyring_backend import MemoryKeyring, use
from tests.http_stub import serving
from tests.live_servers import ending, surroundings
from tests.oauth_stub import Authorization, Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

URL = "https://user:secret@a.example/mcp?x=1#y"
SERVER = b'{"dpop_signing_alg_values_supported": ["ES256"]}'


@pytest.fixture
async def guarded(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Authorization]:
    use(monkeypatch, MemoryKeyring())
    async with serving() as stub:
        made = Authorization(stub)
        made.bind_tokens()
        yield made


def read(proof: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The public key and the claims of a proof, its signature checked."""
    public = jwt.get_unverified_header(proof)["jwk"]
    return public, jwt.decode(proof, jwt.PyJWK(public), algorithms=["ES256"])


async def test_each_request_is_proved_with_the_key_of_the_sign_in(guarded: Authorization) -> None:
    async with ending(McpService(surroundings())) as service:
        service.add_server(guarded.stub.config())
        await service.connect_all()
        await service.sign_in("web", Person(guarded))
        await service.connection("web").settle()
        assert (await service.connection("web").call_tool("echo", {})).success
    async with ending(McpService(surroundings())) as later:
        web = later.add_server(guarded.stub.config())
        await later.connect_all()
        held = later.sign_ins.store.known("web")
        assert held is not None
        assert await later.sign_ins.renew(web.config, held)
        assert (await web.call_tool("echo", {})).success
    proofs = [read(proof) for proof in guarded.proofs]
    assert len({public["x"] for public, _ in proofs}) == 1
    assert len({claims["jti"] for _, claims in proofs}) == len(proofs)
    at_server = [claims for _, claims in proofs if claims["htu"].endswith("/mcp")]
    assert all("ath" in claims for claims in at_server)
    assert len({claims["ath"] for claims in at_server}) == 2  # of the token before, and after


def test_a_proof_is_of_one_request_and_holds_nothing_of_its_query() -> None:
    key = ProofKey()
    request = httpx2.Request("POST", URL)
    key.prove(request, "token")
    public, claims = read(request.headers["dpop"])
    assert claims["htm"] == "POST"
    assert claims["htu"] == "https://a.example/mcp"
    assert "nonce" not in claims
    assert "d" not in public
    key.note_nonce(httpx2.Response(401, headers={"dpop-nonce": "n1"}, request=request))
    ProofKey(key.text).prove(request)
    again, claims = read(request.headers["dpop"])
    assert again == public
    key.prove(request)
    assert read(request.headers["dpop"])[1]["nonce"] == "n1"
    key.prove(other := httpx2.Request("POST", "https://b.example/token"))
    assert "nonce" not in read(other.headers["dpop"])[1]


@pytest.mark.parametrize(
    ("challenge", "resource", "server", "bound"),
    [
        ("DPoP realm=x", b"", SERVER, True),
        ("Bearer", b'{"dpop_bound_access_tokens_required": true}', SERVER, True),
        ("Bearer", b"{}", SERVER, False),
        ("DPoP", b"", b"{}", False),
        ("DPoP", b"", b"no json", False),
        ("DPoP", b"", b'{"dpop_signing_alg_values_supported": "ES256"}', False),
    ],
)
def test_tokens_are_bound_where_both_servers_take_such(
    challenge: str, resource: bytes, server: bytes, bound: bool
) -> None:
    assert are_bound(challenge, resource, server) is bound


@pytest.mark.parametrize(
    ("status", "header", "content", "wanted"),
    [
        (401, 'DPoP error="use_dpop_nonce"', b"", True),
        (400, "", b'{"error": "use_dpop_nonce"}', True),
        (400, "", b'{"error": "invalid_grant"}', False),
        (200, 'DPoP error="use_dpop_nonce"', b"", False),
    ],
)
def test_a_missing_nonce_is_told_by_header_or_content(
    status: int, header: str, content: bytes, wanted: bool
) -> None:
    answer = httpx2.Response(status, headers={"www-authenticate": header})
    assert wants_nonce(answer, content) is wanted


def test_an_answer_of_another_kind_stays_as_it_is() -> None:
    assert plain_tokens(b"no json") == (b"no json", False)
    assert plain_tokens(b'{"token_type": "bearer"}') == (b'{"token_type": "bearer"}', False)


def test_what_is_no_key_is_refused() -> None:
    with pytest.raises(ValueError, match="PEM"):
        ProofKey("no key")
