"""A server's fault costs the part that is wrong alone, and a person is told what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from tests.live_servers import connected, names, stdio
from tests.misbehaving_servers.faults import STDIO, Fault
from tests.misbehaving_servers.http_faults import HTTP, HttpFault
from tests.misbehaving_servers.sloppy_http import SloppyWebServer

if TYPE_CHECKING:
    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import ToolResult
    from tests.conftest import ExpectedLogs

LIMIT = 10.0
"""Seconds for a call; nothing here waits for anything, so none comes near it."""
IN_ONE_PROCESS = ("tool", "listing", "result", "error", "notification")
"""Groups whose faults are set one after the other in a server that goes on."""
NO_LIST = ("tools-null", "tools-missing", "tools-object")


def sloppy(fault: str = "none") -> ServerConfig:
    return stdio("sloppy", "--fault", fault, name="sloppy", timeout=LIMIT)


def expected_names(fault: Fault) -> list[str]:
    if fault.name in NO_LIST:
        return []
    return ["good", *(["t"] if fault.outcome != "gone" else []), "set_fault"]


async def what_came_of(fault: Fault, connection: ServerConnection) -> list[str]:
    """What is not as the table has it, each in a sentence; empty when all is."""
    wrong: list[str] = []
    if names(connection) != expected_names(fault):
        wrong.append(f"its tools are {names(connection)}")
    problems = [text for tool in connection.tools for text in tool.problems]
    result: ToolResult | None = None
    if fault.outcome != "gone":
        result = await connection.call_tool("t", {"a": "x"})
        if result.success != (fault.outcome == "fine"):
            wrong.append(f"the call came to {result}")
        elif result.success and result.output != fault.output:
            wrong.append(f"the output is {result.output!r}")
    good = await connection.call_tool("good", {"message": "still here"})
    if good.output != "still here":
        wrong.append(f"the other tool gave {good}")
    error = result.error.message if result is not None and result.error else ""
    told = "\n".join([error, *problems, *connection.output.lines])
    if fault.told not in told:
        wrong.append(f"told is {told!r}")
    if not fault.told and problems:
        wrong.append(f"its problems are {problems}")
    return [f"{fault.name}: {text}" for text in wrong]


@pytest.mark.parametrize("group", IN_ONE_PROCESS)
async def test_one_fault_costs_its_part_alone_and_is_told(
    group: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("server sloppy: notifications/")
    wrong: list[str] = []
    async with connected(sloppy()) as connection:
        for fault in (fault for fault in STDIO if fault.group == group):
            await connection.call_tool("set_fault", {"name": fault.name})
            await connection.list_tools()
            wrong += await what_came_of(fault, connection)
    assert wrong == []


STARTED = [fault for fault in STDIO if fault.group not in IN_ONE_PROCESS]


@pytest.mark.parametrize("fault", STARTED, ids=lambda fault: fault.name)
async def test_a_fault_of_the_connection_is_put_up_with_and_told(fault: Fault) -> None:
    async with connected(sloppy(fault.name)) as connection:
        if fault.outcome == "failed":
            assert connection.state.phase == "failed"
            assert fault.told in connection.state.error
        else:
            assert connection.state.error == ""
            assert await what_came_of(fault, connection) == []


def test_the_table_has_each_fault_once() -> None:
    assert len({fault.name for fault in [*STDIO, *HTTP]}) == len(STDIO) + len(HTTP) >= 200


@pytest.mark.parametrize("fault", HTTP, ids=lambda fault: fault.name)
async def test_a_fault_of_a_server_at_a_url_costs_its_part_alone(
    fault: HttpFault, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("mcp.client")  # the app does not show what the SDK logs
    async with SloppyWebServer() as server:
        config = ServerConfig.checked(
            name="web", transport="http", url=server.url(fault.name), era="legacy", timeout=LIMIT
        )
        async with connected(config) as connection:
            if fault.outcome == "failed":
                assert connection.state.phase == "failed"
                assert fault.told in connection.state.error
                return
            assert connection.state.error == ""
            assert names(connection) == ["good"]
            result = await connection.call_tool("good", {})
            assert result.success == (fault.outcome == "fine"), result
            told = result.error.message if result.error else ""
            assert fault.told in told
            assert "gave no answer" not in told
