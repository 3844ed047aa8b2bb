"""Saved calls on a real server: passed, failed, too slow, not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.history.saved_call import SavedCall
from desktop.history.saved_run import SavedCallOutcome, SavedCallRunner
from desktop.servers.service import McpService
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from tests.live_servers import ending, stdio, surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.tool_types import ToolCall


class Bench:
    """A runner over one real server, and the calls it made."""

    def __init__(self, service: McpService) -> None:
        registry = ToolRegistry()
        executor = ToolExecutor(registry)
        self.loader = ToolsLoader(service, registry)
        self.runner = SavedCallRunner(service, executor)
        self.calls: list[ToolCall] = []
        executor.started.connect(self.calls.append)

    async def run(self, tool: str, limit: float | None = None, **fields: Any) -> SavedCallOutcome:
        call = SavedCall.model_validate({"name": "n", "tool": tool, **fields})
        return await self.runner.run(call, "terminal", limit)


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        service.add_server(stdio("exits_at_start"))
        await service.connect_all()
        yield Bench(service)


async def test_a_call_passes_or_fails_by_its_expectations(bench: Bench) -> None:
    arguments = {"a": 1, "b": 2}
    passed = await bench.run("plain:add", arguments=arguments, expect={"contains": "3"})
    failed = await bench.run("plain:add", arguments=arguments, expect={"contains": "4"})
    assert (passed.outcome, failed.outcome) == ("passed", "failed")
    assert failed.to_json()["differences"][0]["expected"] == "4"
    assert {call.origin for call in bench.calls} == {"terminal"}


async def test_the_limit_of_a_call_is_its_own_or_that_of_the_run(bench: Bench) -> None:
    slow = {"seconds": 20}
    assert (await bench.run("plain:slow", 0.2, arguments=slow)).outcome == "timeout"
    own = await bench.run("plain:slow", 90, arguments=slow, timeout=0.2)
    assert own.outcome == "timeout"
    expected = await bench.run("plain:slow", 0.2, arguments=slow, expect={"error": "timeout"})
    assert expected.outcome == "passed"


@pytest.mark.parametrize("server", ["exits_at_start", "nowhere"])
async def test_a_server_that_is_away_is_told_from_a_tool_that_is(bench: Bench, server: str) -> None:
    verdict = await bench.run(f"{server}:add")
    assert verdict.outcome == "unreachable"
    assert server in verdict.differences[0].message
    assert bench.calls == []
    assert (await bench.run("plain:nothing")).outcome == "failed"
    expected = await bench.run(f"{server}:add", expect={"error": "server_unreachable"})
    assert expected.outcome == "passed"
