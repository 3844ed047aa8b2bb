"""Calls that run as tasks at their server: started, watched, fetched when they are done, cancelled.

A task outlives the session that started it, so its result is fetched over another one where that is
lost. Protocol 2025-11-25; later ones have tasks as an extension, which the SDK does not know. Must
not keep tasks: the server does. Source: MCP specification 2025-11-25, basic/utilities/tasks.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Final

import mcp_types as types
from msgspec import Struct

from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.servers.content import beside_loop, from_sdk
from desktop.servers.lists import read_pages
from desktop.servers.repair.oddities import Oddities
from desktop.values.tool_types import ErrorCode, Progress, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.servers.calls import Requester
    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import JsonObject

POLL: Final = 1.0
"""Seconds between two looks at a task whose server names no time."""
MIN_POLL = 0.05
MAX_POLL = 10.0
"""Bounds of what a server may name."""
MAX_LOST = 3
"""Looks in a row that may find the server gone; each tries to reach it anew."""
CANCEL_LIMIT = 5.0
"""Seconds until a server that does not confirm the end of a task is left alone."""
MAX_MESSAGE_LENGTH = 1_000
MAX_TASKS = 1_000
"""Tasks taken of a server's list."""


class TaskState(Struct, frozen=True):
    """A task as its server described it last; `ttl` and `poll` are in seconds."""

    id: str
    status: types.TaskStatus
    message: str = ""
    created: str = ""
    updated: str = ""
    ttl: float | None = None
    poll: float = POLL

    @property
    def words(self) -> str:
        """Status and message, for whoever watches."""
        return f"{self.status}: {self.message}" if self.message else self.status


class ServerTasks:
    """The tasks of one server; every failure is an error, none is raised."""

    def __init__(self, server: Requester) -> None:
        """Args: server: the connection, by which everything is sent."""
        self._server = server

    async def start(
        self, tool: str, arguments: JsonObject, *, ttl: float | None = None
    ) -> TaskState | ToolError:
        """Call a tool as a task; returns as soon as the server has taken it.

        Args:
            tool: its own name.
            arguments: sent as they are.
            ttl: seconds for which the server is asked to keep the result; None leaves it to it.
        """
        metadata = types.TaskMetadata(ttl=round(ttl * 1000) if ttl is not None else None)
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments), task=metadata)

        async def send(client: Client, _: ProgressFnT) -> TaskState:
            # That it has no content is no fault of this answer.
            with Oddities(self._server.name, lambda _: None).collecting():
                answer = await client.session.send_request(
                    types.CallToolRequest(params=params), types.CreateTaskResult
                )
            return _state(answer.task)

        return await self._server.request(f"{self._server.name}:{tool}", send)

    async def get(self, task: str) -> TaskState | ToolError:
        """How a task is doing."""
        params = types.GetTaskRequestParams(task_id=task)

        async def send(client: Client, _: ProgressFnT) -> TaskState:
            request = types.GetTaskRequest(params=params)
            return _state(await client.session.send_request(request, types.GetTaskResult))

        return await self._server.request(self._subject(task), send)

    async def result(
        self,
        task: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        call_id: str = "",
    ) -> ToolResult:
        """The result of a task; waits for it where it is not done. Every failure is a result."""
        params = types.GetTaskPayloadRequestParams(task_id=task)

        async def send(client: Client, _: ProgressFnT) -> ToolResult:
            request = types.GetTaskPayloadRequest(params=params)
            answer = await client.session.send_request(request, types.CallToolResult)
            return await beside_loop(partial(from_sdk, answer), answer.content)

        result = await self._server.request(
            self._subject(task), send, timeout=timeout, on_progress=on_progress, call_id=call_id
        )
        if isinstance(result, ToolError):
            return ToolResult(success=False, error=result)
        return result

    async def cancel(self, task: str) -> TaskState | ToolError:
        """End a task at its server."""
        params = types.CancelTaskRequestParams(task_id=task)

        async def send(client: Client, _: ProgressFnT) -> TaskState:
            request = types.CancelTaskRequest(params=params)
            return _state(await client.session.send_request(request, types.CancelTaskResult))

        return await self._server.request(self._subject(task), send, timeout=CANCEL_LIMIT)

    async def list(self) -> tuple[TaskState, ...] | ToolError:
        """The tasks that the server keeps, `MAX_TASKS` at most."""
        name = self._server.name

        async def send(client: Client, on_progress: ProgressFnT) -> tuple[TaskState, ...]:
            async def ask(cursor: str | None) -> types.ListTasksResult:
                params = types.PaginatedRequestParams(cursor=cursor)
                request = types.ListTasksRequest(params=params)
                return await client.session.send_request(request, types.ListTasksResult)

            found: list[TaskState] = []
            pages = read_pages(name, "tasks/list", ask, lambda page: page.tasks)
            async with aclosing(pages):
                async for page in pages:
                    found += map(_state, page.tasks)
                    await on_progress(len(found), None, None)
                    if len(found) >= MAX_TASKS:
                        break
            return tuple(found[:MAX_TASKS])

        return await self._server.request(translatable("{server}, its tasks", server=name), send)

    def _subject(self, task: str) -> str:
        return translatable("{server}, task {task}", server=self._server.name, task=task)


async def call_as_task(
    connection: ServerConnection,
    tool: str,
    arguments: JsonObject,
    *,
    call_id: str = "",
    timeout: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> ToolResult:
    """Call a tool that asks to be a task, and wait for its result; every failure is a result.

    Cancelling the caller cancels the task. A server that has no tasks is called as usual.

    Args:
        connection: to the server.
        tool: its own name.
        arguments: sent as they are.
        call_id: repeated in the progress.
        timeout: seconds without a change of the task's state; None for the server's own.
        on_progress: called with each change; its message is the state in words.
    """
    if not connection.capabilities.tasks:
        return await connection.call_tool(
            tool, arguments, call_id=call_id, timeout=timeout, on_progress=on_progress
        )
    tasks = ServerTasks(connection)
    started = await tasks.start(tool, arguments)
    if isinstance(started, ToolError):
        return ToolResult(success=False, error=started)
    limit = timeout if timeout is not None else connection.config.timeout
    try:
        error = await _watch(tasks, started, limit, on_progress, call_id)
        if error is None:
            return await tasks.result(
                started.id, timeout=limit, on_progress=on_progress, call_id=call_id
            )
    except asyncio.CancelledError:
        # Not waited for: whoever gave up does not want to wait.
        spawn(tasks.cancel(started.id), f"cancel a task of {connection.name}")
        raise
    if error.code == ErrorCode.TIMEOUT:
        await tasks.cancel(started.id)
    return ToolResult(success=False, error=error)


async def _watch(
    tasks: ServerTasks,
    state: TaskState,
    limit: float,
    on_progress: Callable[[Progress], None] | None,
    call_id: str,
) -> ToolError | None:
    """Wait until a task has its result, or waits for a person; the error where it comes to none.

    A question to a person comes with the request for the result.
    """
    clock = asyncio.get_running_loop().time
    deadline, changes, lost = clock() + limit, 0, 0
    while state.status == "working":
        if clock() > deadline:
            words = translatable(
                "task {task} made no progress for {limit:g} s and was cancelled. Allow "
                "more time in the server's settings, or with --timeout for a single call.",
                task=state.id,
                limit=limit,
            )
            return ToolError("TimeoutError", words, ErrorCode.TIMEOUT)
        await asyncio.sleep(min(state.poll, limit))
        seen = await tasks.get(state.id)
        if isinstance(seen, ToolError):
            lost += 1
            if seen.code != ErrorCode.UNREACHABLE or lost >= MAX_LOST:
                return seen
            continue
        lost = 0
        if (seen.status, seen.message, seen.updated) != (
            state.status,
            state.message,
            state.updated,
        ):
            changes += 1
            deadline = clock() + limit
            if on_progress is not None:
                on_progress(Progress(changes, None, seen.words, call_id))
        state = seen
    return None


def _state(task: types.Task) -> TaskState:
    poll = task.poll_interval / 1000 if task.poll_interval is not None else POLL
    return TaskState(
        task.task_id,
        task.status,
        (task.status_message or "")[:MAX_MESSAGE_LENGTH],
        task.created_at,
        task.last_updated_at,
        task.ttl / 1000 if task.ttl is not None else None,
        min(max(poll, MIN_POLL), MAX_POLL),
    )
