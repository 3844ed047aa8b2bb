"""A session's own tool is called over its own connection, and says so when that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tool_types import ErrorCode
from desktop.tools.direct_adapter import DirectMcpToolAdapter
from tests.live_servers import connected, error_of, stdio

if TYPE_CHECKING:
    from pathlib import Path


async def test_it_calls_its_connection_under_the_tools_own_name() -> None:
    async with connected(stdio("plain", name="mine")) as connection:
        definition = next(tool for tool in connection.tools if tool.name == "add")
        adapter = DirectMcpToolAdapter(connection, definition)
        assert (adapter.name, adapter.get_server_name()) == ("mine:add", "mine")
        assert adapter.get_original_tool_name() == "add"
        assert [one.name for one in adapter.parameters] == ["a", "b"]
        assert [issue.where for issue in adapter.validate({"a": "x", "b": 1})] == ["a"]
        assert (await adapter.execute({"a": 1, "b": 2}, call_id="7")).output == "3"
        await connection.disconnect()
        code, message = error_of(await adapter.execute({"a": 1, "b": 2}))
        assert code is ErrorCode.UNREACHABLE
        assert "mine is not connected" in message


async def test_the_limit_of_a_call_is_the_servers_or_the_callers(tmp_path: Path) -> None:
    async with connected(stdio("waiting")) as connection:
        (tool,) = (DirectMcpToolAdapter(connection, tool) for tool in connection.tools)
        arguments = {"path": str(tmp_path / "file")}
        code, message = error_of(await tool.execute(arguments, timeout=0.05))
        assert code is ErrorCode.TIMEOUT
        assert "0.05 s" in message
        assert connection.config.timeout == 120
