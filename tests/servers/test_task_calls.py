"""A tool that is a task is called like any other: its states are seen, its end is its result."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.servers.service import McpService
from desktop.servers.task_calls import ServerTasks, TaskState, call_as_task
from desktop.tools.adapters import wrap_mcp_tool
from desktop.values.tool_types import ErrorCode, ToolError
from tests.live_servers import (
    QUICK,
    connected,
    ending,
    error_of,
    reached,
    stdio,
    surroundings,
    written,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import Progress


@pytest.fixture
async def server() -> AsyncGenerator[ServerConnection]:
    async with connected(stdio("task_server", name="tasks")) as connection:
        yield connection


async def test_the_states_of_a_task_are_its_progress_and_its_end_the_result(
    server: ServerConnection,
) -> None:
    told: list[Progress] = []
    result = await call_as_task(server, "work", {"steps": 3}, call_id="c", on_progress=told.append)
    assert (result.error, result.output) == (None, "completed")
    assert [(step.message, step.call_id) for step in told] == [
        ("working: 2 left", "c"),
        ("working: 1 left", "c"),
        ("completed: 0 left", "c"),
    ]
    assert server.oddities == ()


async def test_a_failed_task_is_an_error_of_the_tool(server: ServerConnection) -> None:
    assert error_of(await call_as_task(server, "broken", {})) == (ErrorCode.TOOL_ERROR, "failed")


async def test_an_adapter_calls_a_tool_as_a_task_where_the_tool_asks_for_it() -> None:
    async with ending(McpService(surroundings())) as service:
        server = service.add_server(stdio("task_server", name="tasks"))
        await server.connect()
        tool = next(tool for tool in server.tools if tool.name == "work")
        result = await wrap_mcp_tool(service, tool).execute({})
        assert result.output == "completed"


async def test_a_task_that_does_not_change_is_cancelled_at_the_limit(
    server: ServerConnection,
) -> None:
    code, words = error_of(await call_as_task(server, "stuck", {}, timeout=0.1))
    assert code == ErrorCode.TIMEOUT
    assert "task task-1 made no progress for 0.1 s" in words
    await written(server, "cancelled task-1")


async def test_a_caller_that_gives_up_cancels_the_task(server: ServerConnection) -> None:
    told = asyncio.Event()
    calling = spawn(
        call_as_task(server, "work", {"steps": 9_999}, on_progress=lambda _: told.set()), "call"
    )
    await told.wait()
    calling.cancel()
    await asyncio.wait({calling})
    await written(server, "cancelled task-1")


async def test_the_result_is_fetched_after_the_server_was_lost(tmp_path: object) -> None:
    config = stdio("task_server", "--keep", f"{tmp_path}/tasks.json", name="tasks")
    async with connected(config, surroundings(pauses=QUICK)) as server:
        tasks = ServerTasks(server)
        started = await tasks.start("work", {"steps": 2})
        assert isinstance(started, TaskState)
        assert isinstance(await tasks.get(started.id), ToolError)  # it dies of the look
        await reached(server, "connected")
        seen = await tasks.get(started.id)
        assert isinstance(seen, TaskState)
        assert seen.status == "completed"
        assert (await tasks.result(started.id)).output == "completed"


async def test_tasks_are_listed_looked_at_and_cancelled(server: ServerConnection) -> None:
    tasks = ServerTasks(server)
    started = await tasks.start("stuck", {}, ttl=60)
    assert isinstance(started, TaskState)
    assert (started.id, started.words, started.ttl) == ("task-1", "working: 2 left", 60)
    assert await tasks.list() == (started,)
    cancelled = await tasks.cancel(started.id)
    assert isinstance(cancelled, TaskState)
    assert cancelled.status == "cancelled"
    unknown = await tasks.get("nothing")
    assert isinstance(unknown, ToolError)
    assert unknown.message.startswith("tasks, task nothing: no such task")


async def test_a_server_without_tasks_is_called_as_usual() -> None:
    async with connected(stdio("plain")) as server:
        assert (await call_as_task(server, "echo", {"message": "hi"})).output == "hi"
