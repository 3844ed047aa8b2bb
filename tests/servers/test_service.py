"""One server that fails never stops the others, and each change of the config is taken over."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ServerError
from desktop.base.tasks import spawn
from desktop.servers.service import McpService, Stats, why_away
from tests.live_servers import ending, error_of, reached, stdio, surroundings, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

BAD = ("exits_at_start", "silent", "garbage", "bad_utf8", "dies_on_discover")


@pytest.fixture
async def service() -> AsyncGenerator[McpService]:
    async with ending(McpService(surroundings())) as one:
        yield one


async def settled(service: McpService) -> None:
    async with asyncio.timeout(LIMIT):
        for connection in service.connections.values():
            await connection.settle()


async def test_one_that_fails_does_not_stop_the_others(service: McpService) -> None:
    for name in BAD:
        service.add_server(stdio(name, connect_timeout=1 if name == "silent" else LIMIT))
    service.add_server(stdio("plain"))
    service.add_server(stdio("plain", name="off", enabled=False))
    await service.connect_all()
    assert service.get_connected_servers() == ["garbage", "bad_utf8", "dies_on_discover", "plain"]
    tools = sum(len(connection.tools) for connection in service.connections.values())
    assert service.get_stats() == Stats(total=7, enabled=6, connected=4, tools=tools)
    assert service.connection("off").state.phase == "stopped"


async def test_a_removed_server_takes_its_tools_along(service: McpService) -> None:
    service.add_server(stdio("plain"))
    service.add_server(stdio("garbage"))
    await service.connect_all()
    told: list[tuple[str, int]] = []
    service.tools_changed.connect(lambda name: told.append((name, service.get_stats().tools)))
    await service.remove_server("plain")
    assert told == [("plain", 1)]
    assert list(service.connections) == ["garbage"]
    with pytest.raises(ServerError, match="Configured: garbage"):
        await service.connection("plain").call_tool("echo", {})


async def test_why_no_tool_of_a_server_can_be_called(service: McpService) -> None:
    service.add_server(stdio("plain"))
    service.add_server(stdio("plain", name="off", enabled=False))
    service.add_server(stdio("exits_at_start", connect_timeout=1))
    await service.connect_all()
    assert await why_away(service, "plain") == ""
    assert await why_away(service, "nobody") == ""
    assert await why_away(service, "off") == "off is switched off: its tools cannot be called"
    assert (await why_away(service, "exits_at_start")).startswith(
        "exits_at_start is not connected (failed"
    )


async def test_a_server_that_is_being_started_is_waited_for(service: McpService) -> None:
    service.add_server(stdio("plain"))
    start = spawn(service.connect_all(), "start")
    await until(service.state_changed, lambda: service.connection("plain").state.is_starting)
    assert await why_away(service, "plain") == ""
    await start


async def test_a_name_is_taken_once(service: McpService) -> None:
    service.add_server(stdio("plain"))
    with pytest.raises(ServerError, match="already"):
        service.add_server(stdio("plain"))
    with pytest.raises(ServerError, match="No server is named 'other'"):
        await service.remove_server("other")


async def test_applying_adds_removes_and_orders(service: McpService) -> None:
    service.apply([stdio("plain", name=name) for name in ("a", "b")])
    await settled(service)
    kept = service.connection("b").pid
    service.apply([stdio("plain", name=name) for name in ("c", "b")])
    await settled(service)
    assert service.get_connected_servers() == ["c", "b"]
    assert service.connection("b").pid == kept


async def test_the_servers_are_announced_once_and_only_if_they_changed(service: McpService) -> None:
    changes: list[list[str]] = []
    service.servers_changed.connect(lambda: changes.append(list(service.connections)))
    off = [stdio("plain", name=name, enabled=False) for name in ("a", "b", "c")]
    service.apply(off)
    service.apply([stdio("plain", name="a"), *off[1:]])
    service.apply([off[1], off[0], off[2]])
    service.apply(off[:1])
    assert changes == [["a", "b", "c"], ["b", "a", "c"], ["a"]]


async def test_connecting_all_leaves_a_server_that_failed_to_a_person(service: McpService) -> None:
    connection = service.add_server(stdio("exits_at_start"))
    await service.connect_all()
    states: list[str] = []
    service.state_changed.connect(states.append)
    await service.connect_all()
    assert (connection.state.phase, states) == ("failed", [])


async def test_what_a_running_server_can_take_over_does_not_restart_it(service: McpService) -> None:
    service.apply([stdio("plain")])
    await settled(service)
    connection = service.connection("plain")
    states: list[str] = []
    service.state_changed.connect(states.append)
    rules = {"add": ("b >= a",)}
    service.apply([stdio("plain", timeout=5, disabled_tools=("echo",), tool_rules=rules)])
    assert connection.config.timeout == 5
    assert "echo" not in [tool.name for tool in connection.tools]
    assert states == []


async def test_another_command_restarts_only_its_server(service: McpService) -> None:
    service.apply([stdio("plain", name="a"), stdio("plain", name="b")])
    await settled(service)
    pids = {name: one.pid for name, one in service.connections.items()}
    service.apply([stdio("garbage", name="a"), stdio("plain", name="b")])
    await settled(service)
    assert service.connection("a").pid != pids["a"]
    assert service.connection("b").pid == pids["b"]
    assert service.connection("a").about.name == "garbage"


async def test_a_server_that_failed_is_not_tried_again_because_another_one_changed(
    service: McpService,
) -> None:
    service.apply([stdio("exits_at_start")])
    await settled(service)
    states: list[str] = []
    service.state_changed.connect(states.append)
    service.apply([stdio("exits_at_start"), stdio("plain", enabled=False)])
    assert states == []


async def test_switching_off_and_on_in_a_hurry_ends_as_it_was_left(service: McpService) -> None:
    for last in (False, True):
        for enabled in (True, False, not last, last):
            service.apply([stdio("plain", enabled=enabled)])
            await asyncio.sleep(0)
        connection = service.connection("plain")
        if last:
            await settled(service)
        else:
            await reached(connection, "stopped")
        assert connection.is_connected is last


async def test_a_server_taken_out_and_put_back_at_once_works(service: McpService) -> None:
    service.apply([stdio("ignores_eof")])
    await settled(service)
    service.apply([])
    service.apply([stdio("ignores_eof")])
    await settled(service)
    assert service.get_connected_servers() == ["ignores_eof"]


async def test_ending_all_waits_for_those_that_were_taken_out_just_before() -> None:
    around = surroundings()
    service = McpService(around)
    service.apply([stdio("ignores_eof"), stdio("plain")])
    await settled(service)
    service.apply([stdio("plain")])
    service.restart("plain")
    await service.disconnect_all()
    assert around.tracker.tracked == ()
    assert service.get_stats() == Stats(total=1, enabled=1, connected=0, tools=0)


async def test_a_removal_goes_on_when_whoever_asked_for_it_is_cancelled() -> None:
    around = surroundings()
    service = McpService(around)
    service.add_server(stdio("plain")).start()
    await settled(service)
    removal = spawn(service.remove_server("plain"), "removal")
    await asyncio.sleep(0)
    removal.cancel()
    await asyncio.wait({removal})
    await service.disconnect_all()
    assert around.tracker.tracked == ()


async def test_a_restart_is_told_and_calls_meanwhile_are_errors(service: McpService) -> None:
    service.apply([stdio("plain")])
    await settled(service)
    connection = service.connection("plain")
    service.restart("plain")
    assert not connection.is_connected
    error_of(await service.connection("plain").call_tool("echo", {}))
    await reached(connection, "starting")
    await reached(connection, "connected")


async def test_fifty_servers_are_all_usable(service: McpService) -> None:
    service.apply([stdio("plain", name=f"plain_{n}") for n in range(50)])
    async with asyncio.timeout(40):
        for connection in service.connections.values():
            await connection.settle()
    assert service.get_stats().connected == 50
    calls = (
        service.connection(name).call_tool("echo", {"message": name})
        for name in service.connections
    )
    assert [one.output for one in await asyncio.gather(*calls)] == list(service.connections)


async def test_silent_servers_do_not_hold_up_the_others(service: McpService) -> None:
    """By the order of events: all that answer are connected before the first silent one fails."""
    ended: list[str] = []

    def settled_one(name: str) -> None:
        if service.connection(name).state.phase in ("connected", "failed"):
            ended.append(name)

    service.state_changed.connect(settled_one)
    silent = [stdio("silent", name=f"silent_{n}", connect_timeout=20) for n in range(5)]
    service.apply([*silent, *(stdio("plain", name=f"plain_{n}") for n in range(45))])
    await until(service.state_changed, lambda: len(ended) == 45, 40)
    assert not [name for name in ended if name.startswith("silent")]
    await service.disconnect_all()
    assert service.connection("silent_0").state.phase == "stopped"
