from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from builtin_servers.catalog import CATALOG
from desktop.base.paths import Paths
from desktop.cli.self_checks.check import CheckFailedError
from desktop.cli.self_checks.servers import (
    MAX_REQUEST_BYTES,
    PAGE,
    SUM,
    TrialCall,
    builtin_trials,
    call_server,
    serve_on_loopback,
)
from desktop.config.models import ServerConfig
from desktop.core import Core, build_core
from tests.live_servers import connected, stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


async def test_a_server_is_reached_at_the_address_and_gone_after_the_block() -> None:
    with serve_on_loopback() as address:
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
        (b" " * (MAX_REQUEST_BYTES + 1), 413, ""),
    ],
)
def test_what_is_no_request_is_refused(body: bytes, status: int, answer: str) -> None:
    with serve_on_loopback() as address:
        code, text = ask(f"{address}/mcp", body)
    assert code == status
    assert answer in text


def test_there_is_a_page_and_no_stream() -> None:
    with serve_on_loopback() as address:
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


def test_each_built_in_server_is_asked_something(tmp_path: Path) -> None:
    assert list(builtin_trials(tmp_path / "new", "http://127.0.0.1:1")) == list(CATALOG)


def test_nothing_is_touched_outside_of_the_folder(tmp_path: Path) -> None:
    """What they answer is seen by `test_self_test`."""
    folder = tmp_path / "new"
    for trial in builtin_trials(folder, "http://127.0.0.1:1").values():
        paths = [argument for argument in trial.arguments if "/" in argument]
        assert all(path.startswith(str(folder)) for path in paths)


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    built = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    yield built
    await built.close()


async def test_a_server_that_answers_is_told_with_its_tools(core: Core) -> None:
    words = await call_server(core, stdio("plain"), TrialCall("add", {"a": 1, "b": 2}, "3"))
    assert words.endswith("tools, add answered")


async def test_each_way_to_fail_is_told(core: Core) -> None:
    with pytest.raises(CheckFailedError, match="exited with code"):
        await call_server(core, stdio("exits_at_start"), TrialCall("add", {}, ""))
    with pytest.raises(CheckFailedError, match="answered '3', not '4'"):
        await call_server(core, stdio("plain"), TrialCall("add", {"a": 1, "b": 2}, "4"))
    with pytest.raises(CheckFailedError, match="no_such"):
        await call_server(core, stdio("plain", name="again"), TrialCall("no_such", {}, ""))
