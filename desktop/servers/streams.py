"""The two streams that the SDK's client reads and writes, over the lines of a server process.

Shapes: `mcp.client._transport.ReadStream` and `WriteStream`. What is not JSON-RPC never reaches the
client: it is handed to `noise`. Must not start or end processes.
"""

from __future__ import annotations

import asyncio
import json
import re
from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Self

import anyio
from mcp_types import jsonrpc_message_adapter

from desktop.servers import sliced_json
from desktop.servers.repaging import ToolListPager
from desktop.servers.sdk import SessionMessage

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from mcp_types import JSONRPCMessage

    from desktop.processes.process import ServerProcess
    from desktop.servers.traffic import MessageRecorder

LARGE = 512 * 1024
"""Characters from which a line is read in slices; below it, the SDK's own parser is faster."""
WAITING_LIMIT = 8 * 1024 * 1024
"""Bytes of unread lines at which the server is made to wait."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Stream(ABC):
    """One side of a transport, closed where its block ends."""

    @abstractmethod
    async def aclose(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


class ReceiveStream(Stream):
    """The side that is read, one message after the other until there are no more."""

    @abstractmethod
    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: there will be no more.
        """

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class MessageReader(ReceiveStream):
    """Messages in the order of their lines; parsed when they are asked for, never ahead."""

    def __init__(
        self, noise: Callable[[str], None], flow: Callable[[bool], None], tap: MessageRecorder
    ) -> None:
        """Args: noise: gets a line that is no message. flow: told to pause (False) or go on."""
        self._noise = noise
        self._flow = flow
        self.tap = tap
        self.pages = ToolListPager()
        self._lines: deque[bytes] = deque()
        self._answers: deque[SessionMessage] = deque()
        self._waiting = 0
        self._paused = False
        self._ended = False
        self._news = asyncio.Event()

    def feed(self, line: bytes) -> None:
        if not line.strip():
            return
        self._lines.append(line)
        self._waiting += len(line)
        self._news.set()
        if self._waiting > WAITING_LIMIT and not self._paused:
            self._paused = True
            self._flow(False)

    def put(self, message: JSONRPCMessage) -> None:
        """Add a message that did not come from the server."""
        self._answers.append(SessionMessage(message))
        self._news.set()

    def end(self) -> None:
        """No more lines come; what is there is still read."""
        self._ended = True
        self._news.set()

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: the server is gone and every line was read.
        """
        while True:
            while not self._lines:
                if self._answers:
                    return self._answers.popleft()
                if self._ended:
                    raise anyio.EndOfStream
                self._news.clear()
                await self._news.wait()
            message = await self._parse(self._next_line())
            if message is not None:
                return message

    async def aclose(self) -> None:
        self._lines.clear()
        self.end()

    def _next_line(self) -> bytes:
        line = self._lines.popleft()
        self._waiting -= len(line)
        if self._paused and self._waiting < WAITING_LIMIT // 2:
            self._paused = False
            self._flow(True)
        return line

    async def _parse(self, line: bytes) -> SessionMessage | None:
        try:
            if len(line) < LARGE:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            else:
                value = await sliced_json.loads(line.decode("utf-8", "replace"))
                message = jsonrpc_message_adapter.validate_python(value, by_name=False)
        except (ValueError, RecursionError):
            return self._repaired(line)
        self.tap.note("received", line)
        return SessionMessage(message if len(line) < LARGE else self.pages.cut(message))

    def _repaired(self, line: bytes) -> SessionMessage | None:
        """A message with a text that is no Unicode is still one; anything else is noise."""
        text = line.decode("utf-8", "replace")
        if len(line) < LARGE and ("\ufffd" in text or "\\u" in text):
            try:
                # Half a surrogate pair is valid JSON: Python writes it of a strange file name.
                whole = _SURROGATE.sub("\ufffd", json.dumps(json.loads(text), ensure_ascii=False))
                message = jsonrpc_message_adapter.validate_json(whole, by_name=False)
            except (ValueError, RecursionError):
                pass
            else:
                self.tap.note("received", line)
                return SessionMessage(message)
        self.tap.noise(line)
        self._noise(text)
        return None


class MessageWriter(Stream):
    """Writes each message as one line to the server's stdin."""

    def __init__(self, process: ServerProcess, reader: MessageReader) -> None:
        """Args: reader: gets what can be answered without the server."""
        self._process = process
        self._reader = reader

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message.

        Raises:
            anyio.BrokenResourceError: the server has closed its input.
        """
        if (answer := self._reader.pages.answer(item.message)) is not None:
            self._reader.put(answer)
            return
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        self._reader.tap.note("sent", line)
        try:
            await self._process.write(line + b"\n")
        except (BrokenPipeError, ConnectionError) as error:
            raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        """The transport ends the process, not the stream."""
