"""A machine signs in by what its platform says of it, or the identity provider of its person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.servers.service import McpService
from tests.config.keyring_backend import MemoryKeyring, use
from tests.fifos import make_fifo
from tests.http_stub import serving
from tests.live_servers import ending, surroundings
from tests.oauth_stub import Authorization

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.servers.connection import ServerConnection
    from tests.conftest import ExpectedLogs

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"


@pytest.fixture
async def guarded(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Authorization]:
    use(monkeypatch, MemoryKeyring())
    async with serving() as stub:
        made = Authorization(stub)
        made.can_be_renewed = False
        yield made


@pytest.fixture
async def service(guarded: Authorization) -> AsyncGenerator[McpService]:
    """Ends before the server that it is connected to."""
    assert guarded
    async with ending(McpService(surroundings())) as made:
        yield made


async def connected(service: McpService, guarded: Authorization, **oauth: str) -> ServerConnection:
    oauth = {"grantType": "jwt_bearer", "clientId": "machine", **oauth}
    connection = service.add_server(guarded.stub.config(oauth=oauth))
    await service.connect_all()
    return connection


async def test_the_statement_of_a_file_is_read_anew_for_each_token(
    service: McpService, guarded: Authorization, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("canary-first.x.y\n", "utf-8")
    web = await connected(service, guarded, assertionFile=str(file), scopes="read")
    assert web.is_connected
    file.write_text("canary-second.x.y", "utf-8")
    guarded.tokens.clear()
    assert (await web.call_tool("echo", {})).success
    first, second = guarded.forms
    assert first == {
        "grant_type": JWT_BEARER,
        "assertion": "canary-first.x.y",
        "client_id": "machine",
        "scope": "read",
        "resource": f"{guarded.stub.address}/mcp",
    }
    assert second["assertion"] == "canary-second.x.y"


async def test_an_id_token_is_exchanged_for_a_statement_that_is_for_this_server(
    service: McpService, guarded: Authorization
) -> None:
    guarded.exchanged = {"access_token": "canary-jag", "issued_token_type": ID_JAG}
    provider = {
        "assertion": "canary-id",
        "idpTokenEndpoint": f"{guarded.stub.address}/exchange",
        "idpClientId": "desk",
    }
    web = await connected(service, guarded, clientSecret="canary-secret", **provider)
    assert web.is_connected
    exchange, token = guarded.forms
    assert exchange["subject_token"] == "canary-id"
    assert exchange["client_id"] == "desk"
    assert exchange["audience"].rstrip("/") == guarded.stub.address
    assert exchange["resource"] == f"{guarded.stub.address}/mcp"
    assert token["assertion"] == "canary-jag"


@pytest.mark.parametrize(
    ("oauth", "words"),
    [
        ({}, "needs an assertion or an assertionFile"),
        ({"assertionFile": "/nowhere/token"}, "is set to /nowhere/token, which cannot be read"),
        ({"assertion": "canary-a", "issuer": "https://else.example"}, "https://else.example"),
        (
            {"assertion": "canary-a", "idpTokenEndpoint": "ADDRESS/exchange"},
            "did not issue anything for",
        ),
        ({"assertion": "canary-a", "idpTokenEndpoint": "http://else.example"}, "not encrypted"),
    ],
)
async def test_what_does_not_work_is_said_once_and_not_tried_for_ever(
    service: McpService,
    guarded: Authorization,
    oauth: dict[str, str],
    words: str,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("server web: no sign-in")
    oauth = {name: text.replace("ADDRESS", guarded.stub.address) for name, text in oauth.items()}
    web = await connected(service, guarded, **oauth)
    assert not web.is_connected
    assert words in web.state.error
    assert "canary" not in web.state.error
    assert len(guarded.forms) <= 1


async def test_a_pipe_is_no_file_and_is_not_waited_for(
    service: McpService, guarded: Authorization, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("server web: no sign-in")
    pipe = tmp_path / "pipe"
    make_fifo(pipe)
    web = await connected(service, guarded, assertionFile=str(pipe))
    assert "cannot be read (no file)" in web.state.error
