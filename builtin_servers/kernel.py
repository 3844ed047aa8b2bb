"""Serves one `Server` over stdin and stdout until the client leaves.

The main thread reads and answers what takes no time; workers run the tools in the order they were
called, one at a time unless the server says that more can work side by side, so that a ping and a
cancellation get through while a tool works. Start-up is counted in milliseconds: no asyncio, no
logging, no typing at run time (hence the local `TYPE_CHECKING`).
"""

from __future__ import annotations

import os
import sys
from queue import SimpleQueue
from threading import Thread
from time import monotonic

from builtin_servers.call import Call, Reply, ToolError
from builtin_servers.protocol import Session
from builtin_servers.rpc import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Outbox,
    RpcError,
    parse,
    read_lines,
)
from builtin_servers.schema import find_problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from builtin_servers.declaration import Server, Tool
    from builtin_servers.rpc import Request

_LAST_WORDS = 0.25
"""How long, in seconds, a call that is under way when the input ends may take to answer."""


class Kernel:
    """The state of one connection: its session and the calls that are not answered yet."""

    def __init__(self, server: Server, outbox: Outbox) -> None:
        self._session = Session(server)
        self._most_workers = server.workers
        self._outbox = outbox
        self._calls: dict[str | int, Call] = {}
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._workers: list[Thread] = []

    def receive(self, line: bytes | None) -> None:
        """Answer one line; None stands for one that was too long."""
        request = None
        try:
            request = parse(line)
            if request is not None:
                self._dispatch(request)
        except RpcError as error:
            self._outbox.send(error.to_message(request.id if request else None))

    def finish(self) -> None:
        """The input ended: let what is under way answer, for a moment."""
        for _ in self._workers:
            self._jobs.put(None)
        end = monotonic() + _LAST_WORDS
        for worker in self._workers:
            worker.join(max(0.0, end - monotonic()))

    def _dispatch(self, request: Request) -> None:
        if request.id is None:
            self._note(request)
        elif request.method == "tools/call":
            self._enqueue(request, request.id)
        else:
            self._send_result(request.id, self._session.answer(request))

    def _note(self, notification: Request) -> None:
        if notification.method == "notifications/cancelled":
            call_id = notification.params.get("requestId")
            call = self._calls.get(call_id) if isinstance(call_id, str | int) else None
            if call is not None:
                call.cancel()

    def _enqueue(self, request: Request, call_id: str | int) -> None:
        tool = self._session.find_tool(request)
        if call_id in self._calls:
            raise RpcError(INVALID_REQUEST, "a request with this id is not answered yet")
        call = Call(request.params.get("arguments", {}), self._reporter(request))
        self._calls[call_id] = call
        self._jobs.put(lambda: self._run(request, call_id, tool, call))
        if len(self._workers) < min(len(self._calls), self._most_workers):
            self._workers.append(Thread(target=self._work, name="tools", daemon=True))
            self._workers[-1].start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _run(self, request: Request, call_id: str | int, tool: Tool, call: Call) -> None:
        outcome = None if call.is_cancelled else _execute(tool, call)
        # Before the answer: the client may use the id again as soon as it has read it.
        self._calls.pop(call_id, None)
        if outcome is not None and not call.is_cancelled:  # a cancelled request gets no answer
            reply, is_error = outcome
            result = self._session.to_result(request, reply, is_error=is_error)
            self._send_result(call_id, result)

    def _reporter(self, request: Request) -> Callable[[float, float | None, str], None]:
        token = request.meta.get("progressToken")

        def report(progress: float, total: float | None, message: str) -> None:
            if token is None:
                return
            params: dict[str, Any] = {"progressToken": token, "progress": progress}
            params |= {} if total is None else {"total": total}
            params |= {"message": message} if message else {}
            method = "notifications/progress"
            self._outbox.send({"jsonrpc": "2.0", "method": method, "params": params})

        return report

    def _send_result(self, request_id: str | int, result: dict[str, Any]) -> None:
        try:
            self._outbox.send({"jsonrpc": "2.0", "id": request_id, "result": result})
        except (TypeError, ValueError) as error:
            fault = RpcError(INTERNAL_ERROR, f"the result is not JSON: {error}")
            self._outbox.send(fault.to_message(request_id))


def serve(server: Server) -> int:
    """Serve until the input ends; returns the process's exit code."""
    source, sink = _take_stdio()
    kernel = Kernel(server, Outbox(sink))
    for line in read_lines(source):
        kernel.receive(line)
    kernel.finish()
    return 0


def _execute(tool: Tool, call: Call) -> tuple[Reply, bool]:
    problems = find_problems(tool.input_schema, call.arguments)
    if problems:
        return Reply("Invalid arguments: " + "; ".join(problems)), True
    try:
        return tool.handler(call), False
    except ToolError as error:
        return Reply(str(error)), True
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the boundary: no bug of a tool ends the server
        sys.excepthook(type(error), error, error.__traceback__)  # to stderr
        return Reply(f"{tool.name} failed: {type(error).__name__}"), True


def _take_stdio() -> tuple[int, int]:
    """Keep both pipes for the protocol; a stray print() goes to stderr, a stray input() ends."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    return source, sink
