"""Serves one `BuiltinServer` over stdin and stdout until the client leaves.

The main thread reads, and answers what takes no time. Worker threads run the tools in the order of
the calls, one at a time unless the server allows more, so a ping and a cancellation get through
while a tool is running. Start-up is counted in milliseconds, so neither asyncio nor logging nor
typing is imported (hence the local `TYPE_CHECKING`).
"""

from __future__ import annotations

import os
import sys
from queue import SimpleQueue
from threading import Condition, Thread
from time import monotonic

from builtin_servers.framework.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ROOTS_KEY,
    ProtocolSession,
    RpcAnswer,
    RpcError,
    RpcWriter,
    parse_message,
    read_lines,
)
from builtin_servers.framework.schema import find_problems, is_array, is_object
from builtin_servers.framework.tool import CallContext, ToolCallError, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from builtin_servers.framework.protocol import RpcRequest
    from builtin_servers.framework.tool import BuiltinServer, BuiltinTool


_ROOTS_ARE_NEW = ("notifications/initialized", "notifications/roots/list_changed")
_MAX_FINISH_SECONDS = 0.25
"""How long a call that is still running when the input ends may take to answer."""
_MAX_WAIT_SECONDS = 5.0
"""How long a call waits for a client that promised roots and does not say them."""
_MAX_ROOTS = 1000


class ServerLoop:
    """One connection: its session, its workers, and the calls that are not answered yet."""

    def __init__(self, server: BuiltinServer, writer: RpcWriter) -> None:
        self._session = ProtocolSession(server)
        self._max_workers = server.max_workers
        self._writer = writer
        self._roots = ClientRoots(writer)
        self._calls: dict[str | int, CallContext] = {}
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._workers: list[Thread] = []

    def receive(self, line: bytes | None) -> None:
        """Answer one line; None stands for a line that was too long."""
        request = None
        try:
            message = parse_message(line)
            if isinstance(message, RpcAnswer):
                self._roots.take(message)
            elif message is not None:
                request = message
                self._dispatch(request)
        except RpcError as error:
            self._writer.send(error.to_message(request.id if request else None))

    def finish(self) -> None:
        """The input has ended: give running calls a moment to answer."""
        for _ in self._workers:
            self._jobs.put(None)
        end = monotonic() + _MAX_FINISH_SECONDS
        for worker in self._workers:
            worker.join(max(0.0, end - monotonic()))

    def _dispatch(self, request: RpcRequest) -> None:
        if request.id is None:
            self._handle_notification(request)
        elif request.method == "tools/call":
            self._enqueue(request, request.id)
        else:
            self._send_result(request.id, self._session.answer(request))

    def _handle_notification(self, notification: RpcRequest) -> None:
        if notification.method == "notifications/cancelled":
            call_id = notification.params.get("requestId")
            call = self._calls.get(call_id) if isinstance(call_id, str | int) else None
            if call is not None:
                call.cancel()
        elif notification.method in _ROOTS_ARE_NEW and self._session.may_ask_for_roots:
            self._roots.ask()

    def _enqueue(self, request: RpcRequest, call_id: str | int) -> None:
        tool = self._session.find_tool(request)
        if call_id in self._calls:
            raise RpcError(INVALID_REQUEST, "a request with this id is not answered yet")
        call = CallContext(request.params.get("arguments", {}), self._reporter(request))
        if self._session.wants_roots_for(request):
            answers: object = request.params.get("inputResponses")
            if not is_object(answers) or ROOTS_KEY not in answers:
                self._send_result(call_id, self._session.to_root_request())
                return
            call.roots = read_roots(answers[ROOTS_KEY])
        self._calls[call_id] = call
        self._jobs.put(lambda: self._run(request, call_id, tool, call))
        if len(self._workers) < min(len(self._calls), self._max_workers):
            self._workers.append(Thread(target=self._work, name="tools", daemon=True))
            self._workers[-1].start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _run(
        self, request: RpcRequest, call_id: str | int, tool: BuiltinTool, call: CallContext
    ) -> None:
        if call.roots is None:
            call.roots = self._roots.wait()
        outcome = None if call.is_cancelled else _execute(tool, call)
        # Before answering: the client may reuse the id as soon as it has read the answer.
        self._calls.pop(call_id, None)
        if outcome is not None and not call.is_cancelled:  # a cancelled request gets no answer
            reply, is_error = outcome
            result = self._session.to_result(request, reply, is_error=is_error)
            self._send_result(call_id, result)

    def _reporter(self, request: RpcRequest) -> Callable[[float, float | None, str], None]:
        token = request.meta.get("progressToken")

        def report(progress: float, total: float | None, message: str) -> None:
            if token is None:
                return
            params: dict[str, Any] = {"progressToken": token, "progress": progress}
            params |= {} if total is None else {"total": total}
            params |= {"message": message} if message else {}
            method = "notifications/progress"
            self._writer.send({"jsonrpc": "2.0", "method": method, "params": params})

        return report

    def _send_result(self, request_id: str | int, result: dict[str, Any]) -> None:
        try:
            self._writer.send({"jsonrpc": "2.0", "id": request_id, "result": result})
        except (TypeError, ValueError) as error:
            fault = RpcError(INTERNAL_ERROR, f"the result is not JSON: {error}")
            self._writer.send(fault.to_message(request_id))


def serve(server: BuiltinServer) -> int:
    """Serve until the input ends; returns the exit code of the process."""
    source, sink = _claim_stdio()
    loop = ServerLoop(server, RpcWriter(sink))
    for line in read_lines(source):
        loop.receive(line)
    loop.finish()
    return 0


def _execute(tool: BuiltinTool, call: CallContext) -> tuple[ToolReply, bool]:
    problems = find_problems(tool.input_schema, call.arguments)
    if problems:
        return ToolReply("Invalid arguments: " + "; ".join(problems)), True
    try:
        return tool.handler(call), False
    except ToolCallError as error:
        return ToolReply(str(error)), True
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a bug in a tool must not end the server
        sys.excepthook(type(error), error, error.__traceback__)  # to stderr
        return ToolReply(f"{tool.name} failed: {type(error).__name__}"), True


def _claim_stdio() -> tuple[int, int]:
    """Keep both pipes for the protocol; print() then writes to stderr, input() gets EOF."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    return source, sink


class ClientRoots:
    """The roots of one connection; the reading thread asks and takes, the workers wait."""

    def __init__(self, writer: RpcWriter) -> None:
        self._writer = writer
        self._changed = Condition()
        self._asked = 0
        self._is_waiting = False
        self._roots: list[str] = []

    def ask(self) -> None:
        """Ask the client; only the answer to the last request counts."""
        with self._changed:
            self._asked += 1
            self._is_waiting = True
            request = {"jsonrpc": "2.0", "id": self._id, "method": "roots/list"}
        self._writer.send(request)

    def take(self, answer: RpcAnswer) -> None:
        """An answer of the client; one to a request that is not ours is left alone."""
        with self._changed:
            if answer.id == self._id:
                self._roots = read_roots(answer.result)
                self._is_waiting = False
                self._changed.notify_all()

    def wait(self) -> list[str]:
        """The paths of the roots, once the client has answered or some seconds have passed."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_waiting, _MAX_WAIT_SECONDS)
            self._is_waiting = False  # the next call does not wait as long again
            return list(self._roots)

    @property
    def _id(self) -> str:
        return f"roots-{self._asked}"


def read_roots(result: object) -> list[str]:
    """The paths in a `ListRootsResult`; what is no folder of this machine is left out."""
    roots: object = result.get("roots") if is_object(result) else None
    paths = [_to_path(root) for root in roots[:_MAX_ROOTS]] if is_array(roots) else []
    return [path for path in paths if path is not None]


def _to_path(root: object) -> str | None:
    # Imported late: a server that is offered no roots starts without it.
    from urllib.parse import unquote, urlsplit

    uri: object = root.get("uri") if is_object(root) else None
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    if not is_here or not path.startswith("/") or "\0" in path:
        return None
    return path.removeprefix("/") if sys.platform == "win32" and path[2:3] == ":" else path
