"""One way to run a tool: found, checked, run with a limit; every outcome is a told result."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.servers.service import McpService
from desktop.tasks import spawn
from desktop.tools.call import Progress, ToolCall
from desktop.tools.definition import ToolDefinition
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from desktop.tools.result import ErrorCode, ToolResult
from tests.live_servers import ending, error_of, stdio, surroundings, written

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.tools.definition import JsonObject
    from desktop.tools.events import CallStep
    from tests.conftest import ExpectedLogs


class Bench:
    """An executor over one real server, and what it told."""

    def __init__(self, service: McpService) -> None:
        self.service = service
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(self.registry)
        self.loader = ToolsLoader(service, self.registry)
        self.told: list[ToolCall | ToolResult] = []
        self.executor.started.connect(self.told.append)
        self.executor.finished.connect(lambda _, result: self.told.append(result))

    async def run(self, key: str, **arguments: object) -> ToolResult:
        """One call, which has to be told of with its result."""
        self.told.clear()
        call = ToolCall(key, arguments)
        result = await self.executor.run(call)
        assert self.told == [call, result]
        return result


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        yield Bench(service)


async def test_a_call_runs_and_its_time_is_taken(bench: Bench) -> None:
    result = await bench.run("plain:add", a=1, b=2)
    assert (result.success, result.output) == (True, "3")
    assert result.execution_time > 0
    assert result.timestamp.tzinfo is not None
    assert (await bench.run("add", a=1, b=2)).success


async def test_a_tool_that_is_not_there_is_answered_with_near_names(bench: Bench) -> None:
    code, message = error_of(await bench.run("plain:ad"))
    assert code == ErrorCode.NOT_FOUND
    assert "plain:add" in message


async def test_wrong_arguments_are_not_sent(bench: Bench) -> None:
    code, message = error_of(await bench.run("plain:crash", code="not a number"))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "nothing was sent" in message
    assert "code" in message
    assert bench.service.connection("plain").is_connected
    code, message = error_of(await bench.run("plain:add", a=1))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "b" in message


async def test_checking_tells_what_is_wrong_and_sends_nothing(bench: Bench) -> None:
    assert bench.executor.check("plain:add", {"a": 1, "b": 2}) == []
    issues = bench.executor.check("plain:add", {"a": "1", "b": 2})
    assert [issue.path for issue in issues] == [("a",)]
    assert bench.executor.check("plain:nothing", {}) == []
    assert bench.told == []


async def test_a_failing_tool_is_a_result(bench: Bench) -> None:
    result = await bench.run("plain:fail", message="no")
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "no")


async def test_a_server_that_was_removed_meanwhile_is_unreachable(bench: Bench) -> None:
    bench.loader.close()
    await bench.service.remove_server("plain")
    code, message = error_of(await bench.run("plain:add", a=1, b=2))
    assert code == ErrorCode.UNREACHABLE
    assert "no server named 'plain'" in message


async def test_a_call_over_its_limit_is_a_result(bench: Bench) -> None:
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 2}, timeout=0.1)
    assert error_of(await bench.executor.run(call))[0] == ErrorCode.TIMEOUT


async def test_progress_is_passed_on(bench: Bench) -> None:
    told: list[Progress] = []
    call = ToolCall("plain:slow", {"seconds": 0.02, "steps": 2})
    assert (await bench.executor.run(call, told.append)).success
    assert [one.progress for one in told] == [1, 2]


async def test_a_cancellation_passes_through_is_told_and_reaches_the_server(bench: Bench) -> None:
    began = asyncio.Event()
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 600})
    running = spawn(bench.executor.run(call, lambda _: began.set()), "run")
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    _, result = bench.told
    assert isinstance(result, ToolResult)
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled.")
    await written(bench.service.connection("plain"), "cancelled ")


class Broken:
    """A tool with a fault of its own, or with a schema that is none."""

    def __init__(self, schema: JsonObject) -> None:
        self.definition = ToolDefinition("own", "broken", input_schema=schema)

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        raise LookupError(f"lost {arguments}")


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": 7},
        {"$ref": "#/nowhere"},
        {"properties": []},
        {"pattern": "("},
        {"$ref": "http://127.0.0.1:1/x"},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_a_fault_in_a_tool_is_a_result_and_is_logged(
    bench: Bench, schema: JsonObject, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("call of own:broken failed")
    bench.registry.set_server("own", [Broken(schema)])
    code, _ = error_of(await bench.run("own:broken"))
    assert code in (ErrorCode.INTERNAL, ErrorCode.INVALID_ARGUMENTS)


async def test_every_call_begins_with_started_and_ends_with_finished(bench: Bench) -> None:
    steps: list[CallStep] = []
    bench.executor.stepped.connect(steps.append)
    result = await bench.run("plain:add", a=1, b=2)
    assert (steps[0].step, steps[0].elapsed) == ("started", 0.0)
    assert (steps[-1].step, steps[-1].result) == ("finished", result)
    assert {step.call.key for step in steps} == {"plain:add"}
