from __future__ import annotations

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from desktop.cli.self_checks.loopback import LARGEST, PAGE, serving
from desktop.cli.self_checks.servers import SUM
from desktop.config.models import ServerConfig
from tests.live_servers import connected


async def test_a_server_is_reached_at_the_address_and_gone_after_the_block() -> None:
    with serving() as address:
        url = f"{address}/mcp"
        config = ServerConfig.checked(name="loopback", transport="http", url=url)
        async with connected(config) as connection:
            assert connection.is_connected, connection.state.words
            result = await connection.call_tool(SUM.tool, SUM.arguments)
            assert result.output == SUM.expected
    with pytest.raises(OSError, match="refused"):
        ask(url, b"{}")


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        (b"{", 200, "not JSON"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nonsense"}', 200, "method not found"),
        (b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', 202, ""),
        (b" " * (LARGEST + 1), 413, ""),
    ],
)
def test_what_is_no_request_is_refused(body: bytes, status: int, answer: str) -> None:
    with serving() as address:
        code, text = ask(f"{address}/mcp", body)
    assert code == status
    assert answer in text


def test_there_is_a_page_and_no_stream() -> None:
    with serving() as address:
        assert get(f"{address}/") == (200, f"<html><body><h1>{PAGE}</h1></body></html>")
        assert get(f"{address}/mcp")[0] == 405


def get(url: str) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=5)
    try:
        connection.request("GET", parts.path)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def ask(url: str, body: bytes) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=5)
    try:
        connection.request("POST", parts.path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    if response.status == 200:
        return 200, json.dumps(json.loads(text)["error"])
    return response.status, text
