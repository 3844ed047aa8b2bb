"""Serves one client over two pipes, such as this process's input and output, until it leaves.

Its messages are read and written on the loop, without a thread in between: a call through the
gateway should take little longer than one past it. A file in the place of a pipe works, too. What
is printed by accident must not get between the messages: nothing else may write to standard output.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Protocol

import anyio
from mcp_types import jsonrpc_message_adapter

from desktop.base.tasks import spawn
from desktop.features.gateway.server.sdk import SessionMessage, serve_loop
from desktop.processes.pipes import ReadPipe, WritePipe
from desktop.servers.transport.message_stream import ReceiveStream, Stream
from desktop.servers.transport.stdio_transport import MAX_LINE_BYTES, LineBuffer, LineTooLongError

if TYPE_CHECKING:
    from mcp.server.models import InitializationOptions

    from desktop.features.gateway.server.sdk import Server

logger = logging.getLogger(__name__)
_CHUNK = 1 << 16
_ENVELOPE = b"io.modelcontextprotocol/protocolVersion"
"""Stands in each request of the era without a handshake, and in none before it."""
MAX_WAITING = 1_000
"""Lines that were read and not yet worked on; then the client has to wait."""


class Served(Protocol):
    """A server of the SDK, and what it says of itself."""

    @property
    def server(self) -> Server[Any]: ...
    @property
    def options(self) -> InitializationOptions: ...
    async def ready(self) -> None:
        """Wait until a client can be greeted; called once."""


async def serve_stdio(served: Served) -> None:
    """Serve on this process's standard input and output until the client closes its end."""
    pipe = sys.stdout.buffer
    # What is printed by accident goes where people look for it, and not into the protocol.
    sys.stdout = sys.stderr
    await serve_pipes(served, sys.stdin.buffer, pipe)


async def serve_pipes(served: Served, source: IO[bytes], target: IO[bytes]) -> None:
    """Serve a client that writes to `source` and reads `target`, until it closes its end."""
    output = await _Output.open(target)
    try:
        incoming = _Input()
        reading = await incoming.open(source)
        try:
            await _serve(served, incoming, output)
        finally:
            reading.close()
    finally:
        await output.aclose()


async def _serve(served: Served, incoming: _Input, output: _Output) -> None:
    line = await incoming.first_line()
    await served.ready()
    if _ENVELOPE in line:
        await served.server.run(incoming, output, served.options)
    else:  # the same without another stream in between, which every message would pass
        options = served.options
        await serve_loop(served.server, incoming, output, lifespan_state={}, init_options=options)


class _Input(ReceiveStream):
    """The client's messages; what is none is told to the SDK, which answers with an error."""

    def __init__(self) -> None:
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._transport: asyncio.ReadTransport | None = None
        self._first: bytes | None = b""

    async def open(self, pipe: IO[bytes]) -> Any:
        loop = asyncio.get_running_loop()
        try:
            transport, _ = await loop.connect_read_pipe(
                lambda: ReadPipe(self._received, self._closed), pipe
            )
        except (ValueError, OSError):  # a file
            return _Threaded(spawn(self._read_file(pipe), "read standard input"))
        self._transport = transport
        return transport

    async def first_line(self) -> bytes:
        """The first line, which `receive` returns all the same; empty where there is none."""
        self._first = await self._waiting.get()
        return self._first or b""

    async def receive(self) -> SessionMessage | Exception:
        line, self._first = self._first, b""
        if line == b"":
            line = await self._waiting.get()
        if line is None:
            self._waiting.put_nowait(None)
            raise anyio.EndOfStream
        self._set_flow(self._waiting.qsize() < MAX_WAITING)
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except (ValueError, RecursionError) as error:
            logger.info("a client sent a line that is no message")
            return error

    async def aclose(self) -> None:
        self._closed()

    def _received(self, data: bytes) -> None:
        try:
            lines = self._lines.feed(data)
        except LineTooLongError:
            logger.warning("a client sent a line longer than %d bytes", MAX_LINE_BYTES)
            self._closed()
            return
        for line in lines:
            if line.strip():
                self._waiting.put_nowait(line)
        self._set_flow(self._waiting.qsize() < MAX_WAITING)

    def _closed(self) -> None:
        self._waiting.put_nowait(None)

    def _set_flow(self, flowing: bool) -> None:
        if self._transport is not None and flowing != self._transport.is_reading():
            with suppress(RuntimeError):  # it is closing
                (self._transport.resume_reading if flowing else self._transport.pause_reading)()

    async def _read_file(self, pipe: IO[bytes]) -> None:
        while data := await asyncio.to_thread(os.read, pipe.fileno(), _CHUNK):
            self._received(data)
        self._received(b"\n")  # a last line without its end
        self._closed()


class _Threaded:
    def __init__(self, task: asyncio.Task[None]) -> None:
        self.close = task.cancel


class _Output(Stream):
    """The messages for the client, a line each."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._state = WritePipe()
        self._transport: asyncio.WriteTransport | None = None

    @classmethod
    async def open(cls, pipe: IO[bytes]) -> _Output:
        output = cls(pipe)
        loop = asyncio.get_running_loop()
        with suppress(ValueError):  # a file: written to directly
            output._transport, _ = await loop.connect_write_pipe(lambda: output._state, pipe)
        return output

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message.

        Raises:
            anyio.BrokenResourceError: the client has gone.
        """
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        try:
            if self._transport is None:
                self._pipe.write(line)
                self._pipe.flush()
                return
            self._transport.write(line)
            await self._state.wait_writable()
        except (BrokenPipeError, ConnectionError) as error:
            raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        if self._transport is not None:
            self._transport.close()
