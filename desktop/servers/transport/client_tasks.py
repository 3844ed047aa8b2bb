"""Tasks that a server asks of its client: a form or a model's answer that it does not wait for.

It gets a task at once, asks how that is doing, and fetches the result. The SDK knows no such tasks:
this stands between it and the transport, and gives it the request without the task. So who answers
is as ever. Protocol 2025-11-25 alone. Source: MCP specification, basic/utilities/tasks.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from mcp_types import (
    INVALID_PARAMS,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from msgspec import Struct, field

from desktop.servers.sdk import SessionMessage
from desktop.servers.transport.message_stream import ReceiveStream, Stream
from desktop.values.acting_client import params_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from mcp.client._transport import ReadStream, Transport, TransportStreams, WriteStream
    from mcp_types import JSONRPCMessage

    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import JsonObject

    Answer = JSONRPCResponse | JSONRPCError

CAPABILITY: Final[JsonObject] = {
    "list": {},
    "cancel": {},
    "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}},
}
MAX_TASKS: Final = 50
"""Tasks that one session keeps at a time, finished ones until their time is over."""
MAX_TTL: Final = 3600.0
TTL: Final = 600.0
"""Seconds for which a task is kept: at most, and where its server names no time."""
POLL_MS: Final = 1_000
_TASKED: Final = frozenset({"sampling/createMessage", "elicitation/create"})
_RELATED: Final = "io.modelcontextprotocol/related-task"
_UNKNOWN: Final = "There is no such task."


class _ClientTask(Struct):
    """One request that runs on; `inner` is the id under which the SDK has it."""

    id: str
    inner: str
    ttl: float
    began: float
    created: str
    status: str = "working"
    changed: str = ""
    answer: Answer | None = None
    waiting: list[str | int] = field(default_factory=list["str | int"])
    """The requests for its result that were not answered yet."""

    def described(self) -> JsonObject:
        return {
            "taskId": self.id,
            "status": self.status,
            "createdAt": self.created,
            "lastUpdatedAt": self.changed or self.created,
            "ttl": round(self.ttl * 1000),
            "pollInterval": POLL_MS,
        }

    def end(self, status: str) -> None:
        self.status, self.changed = status, _now()

    def result(self, request_id: str | int) -> Answer:
        """The answer to a request for its result."""
        if isinstance(self.answer, JSONRPCResponse):
            about = {_RELATED: {"taskId": self.id}}
            meta = {**cast("JsonObject", self.answer.result.get("_meta") or {}), **about}
            return _response(request_id, {**self.answer.result, "_meta": meta})
        if self.answer is not None:
            return JSONRPCError(jsonrpc="2.0", id=request_id, error=self.answer.error)
        return _error(request_id, "The task was cancelled.")


class ClientTasks:
    """The tasks of one session."""

    def __init__(self, client: ActingClient | None = None) -> None:
        """Begin without a task; the server is asked as `client`, None for this program itself."""
        self._client = client
        self._tasks: dict[str, _ClientTask] = {}
        self._by_inner: dict[str, _ClientTask] = {}
        self._numbers = count(1)

    @asynccontextmanager
    async def over(self, transport: Transport) -> AsyncGenerator[TransportStreams]:
        """The streams of `transport`, with the tasks taken out of what comes and put into it."""
        async with transport as (read, write):
            yield _Reader(read, write, self), _Writer(write, self)

    def offered(self, message: JSONRPCMessage) -> JSONRPCMessage:
        """The greeting of a server with what is offered here; any other message as it is."""
        if self._client is not None and isinstance(message, JSONRPCRequest):
            asked = params_of(self._client, message.method, message.params)
            same = asked is message.params
            return message if same else message.model_copy(update={"params": asked})
        if not isinstance(message, JSONRPCRequest) or message.method != "initialize":
            return message
        params = dict(message.params or {})
        capabilities = {**params.get("capabilities", {}), "tasks": CAPABILITY}
        return message.model_copy(update={"params": {**params, "capabilities": capabilities}})

    def take(self, request: JSONRPCRequest) -> tuple[list[JSONRPCMessage], JSONRPCMessage | None]:
        """What is sent to the server at once, and what the SDK gets in place of the request."""
        params = dict(request.params or {})
        if request.method in _TASKED and isinstance(params.get("task"), dict):
            return self._begin(request, params)
        if not request.method.startswith("tasks/"):
            return [], request
        self._forget_old()
        if request.method == "tasks/list":
            listed = [task.described() for task in self._tasks.values()]
            return [_response(request.id, {"tasks": listed})], None
        task = self._tasks.get(str(params.get("taskId")))
        if task is None:
            return [_error(request.id, _UNKNOWN)], None
        match request.method:
            case "tasks/get":
                return [_response(request.id, task.described())], None
            case "tasks/result" if task.status == "working":
                task.waiting.append(request.id)
                return [], None
            case "tasks/result":
                return [task.result(request.id)], None
            case "tasks/cancel" if task.status == "working":
                task.end("cancelled")
                waiting, task.waiting = task.waiting, []
                answers = [task.result(each) for each in waiting]
                params = {"requestId": task.inner}
                withdrawn = JSONRPCNotification(
                    jsonrpc="2.0", method="notifications/cancelled", params=params
                )
                return [_response(request.id, task.described()), *answers], withdrawn
            case "tasks/cancel":
                return [_error(request.id, "The task has ended already.")], None
            case _:
                return [], request

    def keep(self, message: JSONRPCMessage) -> list[Answer] | None:
        """What is sent instead where `message` answers a task; None where it answers none."""
        if not isinstance(message, JSONRPCResponse | JSONRPCError):
            return None
        task = self._by_inner.pop(str(message.id), None)
        if task is None:
            return None
        if task.status != "working":  # cancelled meanwhile
            return []
        task.answer = message
        task.end("completed" if isinstance(message, JSONRPCResponse) else "failed")
        waiting, task.waiting = task.waiting, []
        return [task.result(each) for each in waiting]

    def _begin(
        self, request: JSONRPCRequest, params: JsonObject
    ) -> tuple[list[JSONRPCMessage], JSONRPCMessage | None]:
        self._forget_old()
        if len(self._tasks) >= MAX_TASKS:
            return [_error(request.id, "Too many tasks are kept already.")], None
        ttl = _seconds(cast("JsonObject", params["task"]).get("ttl"))
        params = {name: value for name, value in params.items() if name != "task"}
        inner = f"mcp-desktop-task-{next(self._numbers)}"
        task = _ClientTask(uuid4().hex, inner, ttl, time.monotonic(), _now())
        self._tasks[task.id] = self._by_inner[inner] = task
        begun = _response(request.id, {"task": task.described()})
        return [begun], request.model_copy(update={"id": inner, "params": params})

    def _forget_old(self) -> None:
        now = time.monotonic()
        over = [
            task
            for task in self._tasks.values()
            if task.status != "working" and now > task.began + task.ttl
        ]
        for task in over:
            del self._tasks[task.id]


class _Reader(ReceiveStream):
    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        write: WriteStream[SessionMessage],
        tasks: ClientTasks,
    ) -> None:
        self._inner, self._write, self._tasks = inner, write, tasks

    @property
    def last_context(self) -> Any:
        """What the SDK asks a stream for: who sent the message."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            item = await self._inner.receive()
            if isinstance(item, Exception) or not isinstance(item.message, JSONRPCRequest):
                return item
            answers, instead = self._tasks.take(item.message)
            for answer in answers:
                await self._write.send(SessionMessage(answer))
            if instead is item.message:
                return item
            if instead is not None:
                return SessionMessage(instead, metadata=item.metadata)

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Writer(Stream):
    def __init__(self, inner: WriteStream[SessionMessage], tasks: ClientTasks) -> None:
        self._inner, self._tasks = inner, tasks

    async def send(self, item: SessionMessage, /) -> None:
        answers = self._tasks.keep(item.message)
        if answers is not None:
            for answer in answers:
                await self._inner.send(SessionMessage(answer))
            return
        offered = self._tasks.offered(item.message)
        if offered is not item.message:
            item = SessionMessage(offered, metadata=item.metadata)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _seconds(ttl: object) -> float:
    """How long a server wants its task to be kept, within bounds."""
    if isinstance(ttl, bool) or not isinstance(ttl, int | float) or ttl <= 0:
        return TTL
    return min(ttl / 1000, MAX_TTL)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _response(request_id: str | int, result: JsonObject) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=request_id, result=dict(result))


def _error(request_id: str | int, words: str) -> JSONRPCError:
    error = ErrorData(code=INVALID_PARAMS, message=words)
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=error)
