"""The log messages of a server are kept with their level, in the number that a person can read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.servers import server_log
from desktop.servers.service import McpService
from tests.live_servers import connected, ending, stdio, surroundings, until, written

if TYPE_CHECKING:
    import pytest

    from desktop.servers.server_log import LogMessage

MODERN = stdio("offers", "--era", "modern", era="auto")


async def test_a_message_is_kept_with_its_level_and_where_it_is_from() -> None:
    heard: list[LogMessage] = []
    async with connected(stdio("offers")) as server:
        server.log_received.connect(heard.append)
        await server.call_tool("log", {"level": "warning", "data": "it is late"})
        await written(server, "[warning] part: it is late")
        await server.call_tool("log", {"data": {"a": [1]}})
        await written(server, '[info] part: {"a": [1]}')
    assert [(one.level, one.logger) for one in heard] == [("warning", "part"), ("info", "part")]


async def test_a_flood_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_log, "WINDOW", 1000.0)
    async with connected(stdio("offers")) as server:
        await server.call_tool("log", {"times": 5_000})
        await until(server.output.received, lambda: len(server.output.lines) >= 200)
        await server.disconnect()
        kept = [line for line in server.output.lines if line.startswith("[info]")]
        assert len(kept) == server_log.MAX_PER_WINDOW
        (said,) = [line for line in server.output.lines if "dropped" in line]
        assert "4800 log messages dropped" in said


async def test_the_level_of_the_config_is_asked_for() -> None:
    async with connected(stdio("offers", log_level="warning")) as server:
        await written(server, "level warning")
        assert await server.set_log_level("debug") is None
        await written(server, "level debug")


async def test_the_level_goes_with_each_request_where_the_protocol_wants_it_so() -> None:
    async with connected(MODERN) as server:
        assert json.loads((await server.call_tool("log_level", {})).output) is None
        assert await server.set_log_level("debug") is None
        assert json.loads((await server.call_tool("log_level", {})).output) == "debug"
    async with connected(MODERN.changed(log_level="error")) as server:
        assert json.loads((await server.call_tool("log_level", {})).output) == "error"


async def test_another_level_in_the_config_needs_no_new_session() -> None:
    config = stdio("offers", log_level="warning")
    async with ending(McpService(surroundings())) as service:
        service.apply([config])
        server = service.connection("offers")
        await server.settle()
        await written(server, "level warning")
        pid = server.pid
        service.apply([config.changed(log_level="error")])
        assert server.is_connected
        await written(server, "level error")
        assert server.pid == pid


async def test_a_server_without_a_log_is_not_asked_for_a_level() -> None:
    async with connected(stdio("plain", log_level="debug")) as server:
        assert await server.set_log_level("info") is None
        assert server.is_connected
