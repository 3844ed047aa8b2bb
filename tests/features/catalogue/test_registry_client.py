"""What is asked of a registry, and that no answer can cost more than it may."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.catalogue.entry import CatalogueError
from desktop.features.catalogue.registry_client import MAX_BYTES, RegistryClient
from tests.features.catalogue.registry_stub import send, serving_registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from http.server import BaseHTTPRequestHandler

    from tests.features.catalogue.registry_stub import RegistryStub


@pytest.fixture
async def client(registry: RegistryStub) -> AsyncIterator[RegistryClient]:
    made = RegistryClient(registry.address)
    yield made
    await made.close()


async def test_a_search_asks_for_the_newest_versions_and_sends_nothing_of_this_machine(
    client: RegistryClient, registry: RegistryStub
) -> None:
    page = await client.search("weather & more")
    assert page.entries == ()
    assert registry.asked == ["/v0.1/servers?search=weather+%26+more&limit=30&version=latest"]
    assert set(registry.headers[0]) <= {
        *("host", "user-agent", "accept", "accept-encoding", "connection")
    }


async def test_pages_follow_each_other_by_the_cursor_of_the_registry(
    client: RegistryClient,
) -> None:
    first = await client.search("", count=3)
    second = await client.search("", first.cursor, count=3)
    assert [len(first.entries), len(second.entries)] == [3, 2]
    assert second.cursor == ""


async def test_one_server_is_asked_for_by_its_encoded_name(
    client: RegistryClient, registry: RegistryStub
) -> None:
    entry = await client.show("com.example.weather/mcp")
    assert (entry.version, entry.publisher) == ("1.2.0", "com.example.weather")
    path = "/v0.1/servers/com.example.weather%2Fmcp/versions/latest"
    assert registry.asked == [f"{path}?include_deleted=true"]


async def test_a_server_that_is_not_there_is_said(client: RegistryClient) -> None:
    with pytest.raises(CatalogueError, match="does not have this"):
        await client.show("com.example/nobody")


async def test_an_answer_without_an_end_is_stopped_at_its_limit(
    client: RegistryClient, registry: RegistryStub
) -> None:
    sent = 0

    def gigabyte(handler: BaseHTTPRequestHandler) -> bool:
        nonlocal sent
        handler.send_response(200)
        handler.end_headers()
        for _ in range(1024):
            handler.wfile.write(b" " * 1024 * 1024)
            sent += 1
        return True

    registry.answer = gigabyte
    with pytest.raises(CatalogueError, match="more than 4 MB"):
        await client.search("x")
    await client.close()
    assert sent < 100 + MAX_BYTES // 1_000_000


@pytest.mark.parametrize(
    "body",
    [
        b"<html>Sign in to the hotel's network</html>",
        b"[1, 2]",
        b'{"servers": {"a": 1}}',
        b'{"hello": "world"}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"",
    ],
)
async def test_what_is_no_registry_is_said_with_where_to_look(
    client: RegistryClient, registry: RegistryStub, body: bytes
) -> None:
    registry.answer = lambda handler: send(handler, 200, body)
    with pytest.raises(CatalogueError, match=r"not that of an MCP registry.*\n.*Settings"):
        await client.search("x")


async def test_a_redirect_to_another_host_is_not_followed(client: RegistryClient) -> None:
    with serving_registry() as elsewhere, serving_registry() as here:
        here.answer = lambda handler: send(
            handler, 302, b"", location=f"{elsewhere.address}/v0.1/servers"
        )
        asking = RegistryClient(here.address)
        with pytest.raises(CatalogueError, match="redirects to another address"):
            await asking.search("x")
        await asking.close()
        assert elsewhere.asked == []


async def test_a_registry_that_never_ends_its_answer_has_a_time_limit(
    registry: RegistryStub,
) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        while not registry.stopped.wait(0.02):
            handler.wfile.write(b" ")
        return True

    registry.answer = drip
    impatient = RegistryClient(registry.address, limit=0.5)
    with pytest.raises(CatalogueError, match=r"did not answer within 0\.5 seconds"):
        await impatient.search("x")
    await impatient.close()


async def test_a_compressed_answer_is_refused_before_it_is_unpacked(
    client: RegistryClient, registry: RegistryStub
) -> None:
    registry.answer = lambda handler: send(handler, 200, b"x", content_encoding="gzip")
    with pytest.raises(CatalogueError, match="compressed"):
        await client.search("x")


async def test_an_error_of_the_registry_is_told_by_its_status_alone(
    client: RegistryClient, registry: RegistryStub
) -> None:
    registry.answer = lambda handler: send(handler, 503, b"<b>secret internals</b>")
    with pytest.raises(CatalogueError, match="status 503") as caught:
        await client.search("x")
    assert "internals" not in str(caught.value)


async def test_nobody_at_the_address_is_said() -> None:
    with serving_registry() as gone:
        address = gone.address
    alone = RegistryClient(address)
    with pytest.raises(CatalogueError, match=r"cannot be reached \(.* .*\)"):
        await alone.search("x")
    await alone.close()


async def test_another_server_than_the_one_that_was_asked_for_is_refused(
    client: RegistryClient, registry: RegistryStub
) -> None:
    other: dict[str, Any] = {"server": {"name": "com.evil/mcp", "version": "9"}}
    registry.answer = lambda handler: send(handler, 200, json.dumps(other).encode())
    with pytest.raises(CatalogueError, match="another server"):
        await client.show("com.example.weather/mcp")
