"""The two streams that the SDK's client reads and writes, over the lines of a server process.

Shapes: `mcp.client._transport.ReadStream` and `WriteStream`. Lines that are not JSON-RPC never
reach the client; they are handed to `noise`, unless `message_repair` or a few lines put together
make a message of them. Two things keep large messages from blocking the loop:
a large document is parsed in slices (`sliced_json`), and a tool list that came in one message is
given to the SDK in pages, because it would validate 10,000 tools at once for a third of a second;
each page is read when it is asked for, and the schemas in it are left as text (`packed_tool_list`).
Must not start or end processes.
Source: MCP specification, server/utilities/pagination.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self, cast

import anyio
from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.servers.message_log import envelope
from desktop.servers.repair.message_repair import (
    DAMAGED,
    load_json,
    read_deep,
    refuse,
    repair_messages,
)
from desktop.servers.repair.oddities import report_oddity
from desktop.servers.sdk import SessionMessage
from desktop.servers.transport.sliced_json import PAGE, LongToolList, loads

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from mcp_types import JSONRPCMessage

    from desktop.processes.process import ServerProcess
    from desktop.servers.message_log import MessageRecorder
    from desktop.servers.transport.packed_tool_list import PackedToolList

# Which notifications of a server are passed over unread: more of one kind than anybody can follow.
#
# A server may send ten thousand in a second. To parse them and hand them on takes more than half of
# a core, so a line that is too much is known by how it begins. Log messages are left to whoever
# counts them; of the progress of one call, the latest is read when the second is over. What does
# not begin as SDKs write it is read as ever. Must not parse a line. Source: MCP specification,
# server/utilities/logging and basic/utilities/progress.


WINDOW: Final = 1.0
"""Seconds."""
MAX_PROGRESS: Final = 20
"""Signs of progress of one call that are read in a window: enough to renew its time limit."""
MAX_TOKENS: Final = 50
"""Calls whose progress is told apart in a window; that of all others together is one more."""
_OTHERS: Final = b""
_NOTIFICATION: Final = compile_later(
    rb'\s*+\{\s*+(?:"jsonrpc"\s*+:\s*+"2\.0"\s*+,\s*+)?'
    rb'"method"\s*+:\s*+"notifications/(message|progress)"'
)
_TOKEN: Final = compile_later(rb'"progressToken"\s*+:\s*+(-?\d{1,20}+|"(?:[^"\\]|\\.){0,200}+")')
_TOKEN_WITHIN: Final = 1000
"""Bytes of a line in which it is looked for."""


class FloodGate:
    """Keeps back what is too much of one connection."""

    def __init__(
        self,
        leaves_out_log: Callable[[], bool],
        read: Callable[[bytes], None],
        passed_over: Callable[[bytes], None],
    ) -> None:
        """Args: leaves_out_log: asked for each log message, whether it is too much.

        read: gets a line that was kept back, and is the latest. passed_over: each that never is.
        """
        self._leaves_out_log = leaves_out_log
        self._read, self._passed_over = read, passed_over
        self._counts: dict[bytes, int] = {}
        self._latest: dict[bytes, bytes] = {}
        self._end: asyncio.TimerHandle | None = None

    def keeps_back(self, line: bytes) -> bool:
        """Whether `line` is not to be read now."""
        found = _NOTIFICATION.match(line)
        if found is None:
            return False
        if found[1] == b"progress":
            return self._keeps_progress_back(line)
        if self._leaves_out_log():
            self._passed_over(line)
            return True
        return False

    def close(self) -> None:
        """Nothing is read any more."""
        if self._end is not None:
            self._end.cancel()

    def _keeps_progress_back(self, line: bytes) -> bool:
        if self._end is None:
            self._end = asyncio.get_running_loop().call_later(WINDOW, self._end_window)
        found = _TOKEN.search(line, 0, _TOKEN_WITHIN)
        token = found[1] if found is not None else _OTHERS
        if token not in self._counts and len(self._counts) >= MAX_TOKENS:
            token = _OTHERS
        count = self._counts[token] = self._counts.get(token, 0) + 1
        if count <= MAX_PROGRESS:
            return False
        if (before := self._latest.get(token)) is not None:
            self._passed_over(before)
        self._latest[token] = line
        return True

    def _end_window(self) -> None:
        self._end = None
        latest, self._latest, self._counts = self._latest, {}, {}
        for line in latest.values():
            self._read(line)


_CURSOR = "mcp-desktop/rest-of-page/"
_NOT_CACHED: Final = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What 2026-07-28 wants of each page, and may stand behind the tools; others do not look at it."""
_DAMAGED = "the rest of the list cannot be read"


class ToolListPager:
    """What is left of lists that were cut, by the cursor that asks for it."""

    def __init__(self) -> None:
        self._rest: dict[str, dict[str, Any] | LongToolList | PackedToolList] = {}
        self._count = 0

    def cut(self, message: JSONRPCMessage) -> JSONRPCMessage:
        """The message itself, or the first page of a long tool list."""
        if not isinstance(message, JSONRPCResponse):
            return message
        return self._page(message.id, message.result)

    def begin(self, message_id: Any, tools: LongToolList | PackedToolList) -> JSONRPCMessage:
        """The first page of a list of which no more than that is parsed."""
        page = {**_NOT_CACHED, **tools.page, "nextCursor": self._keep(tools)}
        return JSONRPCResponse(jsonrpc="2.0", id=message_id, result=page)

    def answer(self, message: JSONRPCMessage) -> JSONRPCMessage | None:
        """The next page, when `message` asks for one that is kept here."""
        if not isinstance(message, JSONRPCRequest) or message.method != "tools/list":
            return None
        cursor = (message.params or {}).get("cursor")
        rest = self._rest.pop(cursor, None) if isinstance(cursor, str) else None
        if rest is None:
            return None
        if isinstance(rest, dict):
            return self._page(message.id, rest)
        try:
            return self.read(message.id, rest)
        except (ValueError, RecursionError):
            error = ErrorData(code=PARSE_ERROR, message=_DAMAGED)
            return JSONRPCError(jsonrpc="2.0", id=message.id, error=error)

    def read(self, message_id: Any, tools: LongToolList | PackedToolList) -> JSONRPCMessage:
        """The next page of a list that is read a page at a time.

        Raises:
            ValueError, RecursionError: it is not JSON from here on.
        """
        tools.read_page()
        return self.take(message_id, tools)

    def take(self, message_id: Any, tools: LongToolList | PackedToolList) -> JSONRPCMessage:
        """The page that was read last."""
        if tools.is_last:
            return self._page(message_id, tools.page)
        return self.begin(message_id, tools)

    def _page(self, message_id: Any, result: dict[str, Any]) -> JSONRPCMessage:
        tools: object = result.get("tools")
        if isinstance(tools, list) and len(cast("list[Any]", tools)) > PAGE:
            result = self._keep_rest(result, cast("list[Any]", tools))
        return JSONRPCResponse(jsonrpc="2.0", id=message_id, result=result)

    def _keep_rest(self, result: dict[str, Any], tools: list[Any]) -> dict[str, Any]:
        cursor = self._keep({**result, "tools": tools[PAGE:]})
        return {**result, "tools": tools[:PAGE], "nextCursor": cursor}

    def _keep(self, rest: dict[str, Any] | LongToolList | PackedToolList) -> str:
        self._count += 1
        cursor = f"{_CURSOR}{self._count}"
        self._rest[cursor] = rest
        return cursor


LARGE = 64 * 1024
"""Bytes from which a line is read in slices; of small ones, the SDK's own parser keeps less busy.

Of many objects it takes twice as long as the standard library's, of a long text two thirds.
"""
HEAD = 4096
"""Bytes of such a line in which a list of tools begins, where it has one."""
MAX_WAITING_BYTES = 8 * 1024 * 1024
"""Bytes of unread lines at which the server is made to wait."""
MAX_SPREAD_LENGTH = 1_000_000
"""Bytes of lines that are put together because one message may be spread over them."""


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
        self,
        noise: Callable[[str], None],
        flow: Callable[[bool], None],
        tap: MessageRecorder,
        leaves_out_log: Callable[[], bool] = lambda: False,
    ) -> None:
        """Args: noise: gets a line that is no message. flow: told to pause (False) or go on.

        leaves_out_log: whether one more log message is too much.
        """
        self._noise = noise
        self._flow = flow
        self.tap = tap
        self.pages = ToolListPager()
        self._gate = FloodGate(leaves_out_log, self._put_line, self._note)
        self.has_received = False
        """Whether the server has sent a message yet."""
        self._lines: deque[bytes] = deque()
        self._spread: list[bytes] = []
        self._spread_length = 0
        self._batch: deque[SessionMessage] = deque()
        self._answers: deque[SessionMessage] = deque()
        self._large: JSONRPCResponse | None = None
        self._waiting = 0
        self._paused = False
        self._ended = False
        self._news = asyncio.Event()

    def feed(self, line: bytes) -> None:
        if not line or line.isspace() or self._gate.keeps_back(line):
            return
        self._put_line(line)

    def _note(self, line: bytes) -> None:
        self.tap.note("received", line)

    def _put_line(self, line: bytes) -> None:
        self._lines.append(line)
        self._waiting += len(line)
        self._news.set()
        if self._waiting > MAX_WAITING_BYTES and not self._paused:
            self._paused = True
            self._flow(False)

    def put(self, message: JSONRPCMessage) -> None:
        """Add a message that did not come from the server."""
        self._answers.append(SessionMessage(message))
        self._news.set()

    def end(self) -> None:
        """No more lines come; what is there is still read."""
        self._gate.close()
        self._ended = True
        self._news.set()

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: the server is gone and every line was read.
        """
        if self._large is not None:
            # Who waited has the result; the SDK's loop holds the message until the next one comes.
            self._large.result, self._large = {}, None
        while True:
            if self._batch:
                return self._batch.popleft()
            while not self._lines:
                if self._answers:
                    return self._answers.popleft()
                if self._ended:
                    self._drop_spread()
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
        if self._paused and self._waiting < MAX_WAITING_BYTES // 2:
            self._paused = False
            self._flow(True)
        return line

    async def _parse(self, line: bytes) -> SessionMessage | None:
        try:
            if len(line) < LARGE:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            else:
                message = await self._load(line)
        except (ValueError, RecursionError):
            return await self._repaired(line)
        if self._spread:
            self._drop_spread()
        self.has_received = True
        self.tap.note("received", line)
        if len(line) >= LARGE:
            message = self.pages.cut(message)
            self._large = message if isinstance(message, JSONRPCResponse) else None
        return SessionMessage(message)

    async def _load(self, line: bytes) -> JSONRPCMessage:
        """A large message; of a long list of tools no more than its first page.

        Raises:
            ValueError, RecursionError: it is not a message.
        """
        header = envelope(line)
        may_be_cut = header.kind == "response" and header.id is not None
        if may_be_cut and (tools := packed_tools(line)) is not None:
            with suppress(ValueError, RecursionError):  # what is wrong is said by who reads it all
                return self.pages.read(header.id, tools)
        value = await loads(line, may_be_cut=may_be_cut)
        if isinstance(value, LongToolList):
            return self.pages.begin(header.id, value)
        return jsonrpc_message_adapter.validate_python(value, by_name=False)

    async def _repaired(self, line: bytes) -> SessionMessage | None:
        """What can be made of a line that is no message; the rest is noise."""
        if self._spread or line.rstrip() == b"{":
            self._spread.append(line)
            self._spread_length += len(line)
            if (line := self._put_together()) == b"":
                return None
        try:
            messages = repair_messages(await _value_of(line))
        except RecursionError:
            messages = read_deep(line)
        if not (messages := messages or refuse(line, DAMAGED)):
            self._drop(line)
            return None
        self.has_received = True
        self.tap.note("received", line)
        self._batch.extend(SessionMessage(self.pages.cut(message)) for message in messages)
        return self._batch.popleft()

    def _put_together(self) -> bytes:
        """The lines from a lone `{` to its `}` as one: some servers write JSON for people to read.

        Empty as long as more lines are needed.
        """
        if self._spread[-1].rstrip() == b"}":
            joined = b" ".join(line.strip() for line in self._spread)
            if _is_object(joined):
                report_oddity("JSON-RPC", translatable("its messages span several lines"))
                self._spread, self._spread_length = [], 0
                return joined
            self._drop_spread()
        elif self._spread_length > MAX_SPREAD_LENGTH:
            self._drop_spread()
        return b""

    def _drop_spread(self) -> None:
        spread, self._spread, self._spread_length = self._spread, [], 0
        for line in spread:
            self._drop(line)

    def _drop(self, line: bytes) -> None:
        self.tap.noise(line)
        self._noise(line.decode("utf-8", "replace"))


def packed_tools(line: bytes) -> PackedToolList | None:
    """The list of tools in a message, where there plainly is one."""
    if b'"tools"' not in line[:HEAD]:
        return None
    # With what it needs it takes ten milliseconds, and few servers have so long a list.
    from desktop.servers.transport.packed_tool_list import PackedToolList

    return PackedToolList.find(line)


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(load_json(text.decode("utf-8", "replace")), dict)
    except RecursionError:
        return True  # it is refused where it is read


async def _value_of(line: bytes) -> Any:
    """The JSON of a line, whatever its encoding does wrong; None where there is none.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if len(line) < LARGE:
        return load_json(line.decode("utf-8", "replace"))
    try:
        return await loads(line)
    except ValueError:
        return None


class MessageWriter(Stream):
    """Writes each message as one line to the server's stdin."""

    def __init__(self, process: ServerProcess, reader: MessageReader) -> None:
        """Args: reader: gets what can be answered without the server."""
        self._process = process
        self.reader = reader

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message.

        Raises:
            anyio.BrokenResourceError: the server has closed its input.
        """
        if (answer := self.reader.pages.answer(item.message)) is not None:
            self.reader.put(answer)
            return
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        self.reader.tap.note("sent", line)
        try:
            await self._process.write(line + b"\n")
        except (BrokenPipeError, ConnectionError) as error:
            raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        """The transport ends the process, not the stream."""
