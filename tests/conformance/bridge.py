"""Serves a stdio server at a loopback URL over Streamable HTTP, for clients that only speak HTTP.

Up to 2025-11-25 each session has a process of its own; since 2026-07-28 each request has one. Must
not judge or repair what server and client say: of the bridge are only the sessions, the HTTP
statuses and the checks of headers, which stdio does not have. Progress comes with the answer.
"""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit
from uuid import uuid4

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from starlette.requests import Request

    Json = dict[str, Any]

ANSWER_LIMIT = 60.0
END_LIMIT = 5.0
MAX_LINE = 64 * 1024 * 1024
STATELESS = "2026-07-28"
"""The first revision without sessions; revisions are dates, so later ones compare as greater."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
REFUSED, NOT_FOUND, INVALID_PARAMS = -32600, -32601, -32602
ENDED, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32603, -32020, -32022
STATUS = {
    REFUSED: HTTPStatus.BAD_REQUEST,
    NOT_FOUND: HTTPStatus.NOT_FOUND,
    INVALID_PARAMS: HTTPStatus.BAD_REQUEST,
    UNSUPPORTED_VERSION: HTTPStatus.BAD_REQUEST,
}
"""Of a server's errors in stateless requests; in sessions they are answers like any other."""


class StdioServer:
    """One process of the server, which answers any number of requests at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[tuple[str, object], asyncio.Queue[Json]] = {}

    @classmethod
    @asynccontextmanager
    async def running(cls, command: Sequence[str]) -> AsyncGenerator[StdioServer]:
        """A process that ends with the context."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=MAX_LINE
        )
        server = cls(process)
        reading = spawn(server._read(), "read")
        try:
            yield server
        finally:
            server._stdin.close()
            try:
                await asyncio.wait_for(process.wait(), END_LIMIT)
            except TimeoutError:
                process.kill()
            await reading

    async def send(self, message: Json) -> None:
        self._stdin.write(json.dumps(message).encode() + b"\n")
        await self._stdin.drain()

    async def ask(self, request: Json) -> list[Json]:
        """The notifications of the request's progress, then its answer.

        Raises TimeoutError: nothing came within the limit.
        """
        coming: asyncio.Queue[Json] = asyncio.Queue()
        names = ("id", request["id"]), ("token", _meta(request).get("progressToken"))
        self._waiting |= dict.fromkeys(names, coming)
        await self.send(request)
        messages: list[Json] = []
        while not messages or "method" in messages[-1]:
            messages.append(await asyncio.wait_for(coming.get(), ANSWER_LIMIT))
        return messages

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            message: Json = json.loads(line)
            token = message.get("params", {}).get("progressToken")
            name = ("token", token) if "method" in message else ("id", message["id"])
            if (waiting := self._waiting.get(name)) is not None:
                waiting.put_nowait(message)
        for waiting in self._waiting.values():
            waiting.put_nowait({"error": {"code": ENDED, "message": "the server has ended"}})

    @property
    def _stdin(self) -> asyncio.StreamWriter:
        return cast("asyncio.StreamWriter", self._process.stdin)


class Bridge:
    """Answers the requests of HTTP clients; leaving `sessions` ends all processes."""

    def __init__(self, command: Sequence[str], sessions: AsyncExitStack) -> None:
        self._command = command
        self._ending = sessions
        self._sessions: dict[str, StdioServer] = {}

    async def respond(self, request: Request) -> Response:
        headers = request.headers
        if not _is_from_here(request):
            return _refusal(HTTPStatus.FORBIDDEN, {}, "only from this machine")
        session = self._sessions.get(name := headers.get("Mcp-Session-Id", ""))
        if request.method == "DELETE":
            self._sessions.pop(name, None)
            return Response(status_code=HTTPStatus.OK if session else HTTPStatus.NOT_FOUND)
        message: Json = await request.json()
        if _version(message) is not None or headers.get("MCP-Protocol-Version", "") >= STATELESS:
            return await self._respond_alone(request, message)
        if message.get("method") == "initialize":
            session = await self._ending.enter_async_context(StdioServer.running(self._command))
            self._sessions[name := str(uuid4())] = session
        if session is None:
            status = HTTPStatus.NOT_FOUND if name else HTTPStatus.BAD_REQUEST
            return _refusal(status, message, "no such session")
        response = await _answer(session, message, {})
        response.headers["Mcp-Session-Id"] = name
        return response

    async def _respond_alone(self, request: Request, message: Json) -> Response:
        wanted = {"MCP-Protocol-Version": _version(message), "Mcp-Method": message.get("method")}
        if message.get("method") == "tools/call":
            wanted["Mcp-Name"] = message.get("params", {}).get("name")
        wrong = [name for name, text in wanted.items() if request.headers.get(name) != text]
        # Without a version in the body the server itself says what is missing.
        if wrong and _version(message) is not None:
            words = f"not as in the body: {', '.join(wrong)}"
            return _refusal(HTTPStatus.BAD_REQUEST, message, words, HEADER_MISMATCH)
        async with StdioServer.running(self._command) as server:
            return await _answer(server, message, STATUS)


async def _answer(server: StdioServer, message: Json, statuses: dict[int, HTTPStatus]) -> Response:
    if "id" not in message or "method" not in message:
        await server.send(message)
        return Response(status_code=HTTPStatus.ACCEPTED)
    *progress, answer = await server.ask(message)
    if progress:
        events = (f"event: message\ndata: {json.dumps(each)}\n\n" for each in (*progress, answer))
        return Response("".join(events), media_type="text/event-stream")
    code = answer.get("error", {}).get("code")
    return JSONResponse(answer, statuses.get(code, HTTPStatus.OK))


def _refusal(status: HTTPStatus, message: Json, words: str, code: int = REFUSED) -> Response:
    error = {"code": code, "message": words}
    return JSONResponse({"jsonrpc": "2.0", "id": message.get("id"), "error": error}, status)


def _is_from_here(request: Request) -> bool:
    """Whether neither Host nor Origin is a name that a web page has bound to this address."""
    addresses = [f"//{request.headers.get('Host')}", request.headers.get("Origin", "//localhost")]
    return all(urlsplit(address).hostname in LOOPBACK for address in addresses)


def _meta(message: Json) -> Json:
    params: Json = message.get("params") or {}
    return params.get("_meta") or {}


def _version(message: Json) -> object:
    return _meta(message).get("io.modelcontextprotocol/protocolVersion")


@asynccontextmanager
async def serving(command: Sequence[str]) -> AsyncGenerator[str]:
    """The URL at which the server of `command` is reached; in the end no process is left."""
    async with AsyncExitStack() as sessions:
        bridge = Bridge(command, sessions)
        app = Starlette(routes=[Route("/mcp", bridge.respond, methods=["POST", "DELETE"])])
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            task = spawn(server.serve([listening]), "serve")
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            finally:
                server.should_exit = True
                await task
