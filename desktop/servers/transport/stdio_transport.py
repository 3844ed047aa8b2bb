"""Our own stdio transport: owns the process, reads in linear time, notices its end, leaves nothing.

The SDK's transport hides the PID, reads long lines in quadratic time, does not notice a server's
death and leaves its children behind. `ServerTransport` is what a connection needs of any transport
beside the SDK's two streams: the PID, and news when the other side is gone. Must not decide when to
connect or to try again. Source: MCP specification, basic/transports, stdio.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import TYPE_CHECKING, Final, Protocol

import anyio

from desktop.base.translatable import translatable
from desktop.processes.process import LaunchSpec
from desktop.servers.transport.message_stream import MessageReader, MessageWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil
    from mcp.client._transport import Transport, TransportStreams

    from desktop.processes.tracker import McpProcessTracker, TrackedProcess
    from desktop.processes.tree_limits import ReachedLimit
    from desktop.servers.message_log import MessageRecorder
    from desktop.servers.transport.prestart import Prestarted
    from desktop.servers.transport.stderr_log import StderrLog


class ServerTransport(Protocol):
    """One way to one server, for one connection; `pid` and `exit_code` only of a process."""

    @property
    def transport(self) -> Transport: ...
    @property
    def pid(self) -> int | None: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def lost_keeper(self) -> bool:
        """Whether its process ended with that which watches all of them."""
        ...

    @property
    def reached(self) -> ReachedLimit:
        """At which limit its process ended, if it has that; a kill by the system is of memory."""
        ...

    @property
    def lost(self) -> str:
        """Why nothing can be received any more, in words; empty while it can."""
        ...

    @property
    def is_closed(self) -> bool: ...
    @property
    def is_closed_on_purpose(self) -> bool:
        """Whether the tracker was asked to end the process: then it is not started again."""
        ...

    @property
    def url(self) -> str:
        """Where the server is; empty where it is a process."""
        ...

    @property
    def died_of_input(self) -> bool:
        """Whether a process ended that may have read what it was sent and never answered it."""
        ...

    @property
    def is_sse(self) -> bool: ...

    @property
    def program(self) -> str:
        """The file that is started; empty for a URL."""
        ...

    async def settle(self) -> None:
        """Wait until it is known why it was lost, where that may still be told."""


MAX_LINE_BYTES = 256 * 1024 * 1024
"""Bytes in one line. A list of 10,000 tools of 5 kB is 50 MB; beyond this a server is broken."""


class LineTooLongError(Exception):
    """A line passed the limit; the stream cannot be read on from here."""


JOINED_BYTES = 8 * 1024 * 1024
"""Bytes of a line from which it is put together as it comes: at once, 50 MB take 50 ms."""


class LineBuffer:
    """Collects chunks and gives back whole lines without their newline."""

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._chunks: list[bytes] = []
        self._unjoined = 0
        self._joined: BytesIO | None = None
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Add `data`; return the lines that it completes.

        Raises:
            LineTooLongError: a line is longer than the limit.
        """
        if b"\n" not in data:
            self._keep(data)
            return []
        first, *ends = data.split(b"\n")
        self._keep(first)
        ends.insert(0, self._take())
        self._keep(ends.pop())
        if any(len(line) > self._limit for line in ends):
            raise LineTooLongError
        return ends

    def _keep(self, part: bytes) -> None:
        self._chunks.append(part)
        self._unjoined += len(part)
        self._size += len(part)
        if self._size > self._limit:
            self._take()
            raise LineTooLongError
        if self._unjoined >= JOINED_BYTES:
            self._join()

    def _join(self) -> BytesIO:
        """The line so far; the pages of memory that it needs are those of this part alone."""
        joined = self._joined = self._joined or BytesIO()
        joined.writelines(self._chunks)
        self._chunks.clear()
        self._unjoined = 0
        return joined

    def _take(self) -> bytes:
        line = b"".join(self._chunks) if self._joined is None else self._join().getvalue()
        self._chunks.clear()
        self._joined = None
        self._unjoined = self._size = 0
        return line


DRAIN = 0.2
"""Seconds after an exit in which its last output is still read: a child may hold the pipe open."""
VERDICT = 0.4
"""Seconds after the end of its output in which its exit, with a code, explains that end.

The exit is told by the server's keeper, another process, which a busy machine may let wait."""
"""Begins such a line among those of stderr."""
MAX_NOISE_LENGTH = 300
"""Characters of a line that is no message, as it is shown."""


class StdioTransport:
    """One server process and its two streams. Used once: a reconnect makes a new one."""

    url = ""
    is_sse = False

    @property
    def program(self) -> str:
        return self._launch.command if isinstance(self._launch, LaunchSpec) else ""

    def __init__(
        self,
        owner: str,
        launch: LaunchSpec | Prestarted,
        tracker: McpProcessTracker,
        output: StderrLog,
        tap: MessageRecorder,
        *,
        closed: Callable[[], None],
        started: Callable[[psutil.Process | None], None],
        leaves_out_log: Callable[[], bool] = lambda: False,
        line_limit: int = MAX_LINE_BYTES,
    ) -> None:
        """Make a link that has not been entered.

        Args:
            owner: the server's name.
            launch: what to start, or the process that was started already.
            tracker: knows the process from then on.
            output: gets stderr, and what is no message on stdout.
            tap: told of every message.
            closed: called once, when nothing more can be received.
            started: gets the process; None if it has ended already.
            leaves_out_log: whether one more log message is too much to be read.
            line_limit: bytes of the longest line that is read.
        """
        self._owner = owner
        self._launch = launch
        self._tracker = tracker
        self._output = output
        self._closed = closed
        self._started = started
        self._lines = LineBuffer(line_limit)
        self._limit = line_limit
        self._reader = MessageReader(self._heard_noise, self._set_flow, tap, leaves_out_log)
        self._tracked: TrackedProcess | None = None
        self._silent = False
        self._verdict = asyncio.Event()
        self.is_closed = self.is_closed_on_purpose = False
        self.lost = ""

    @property
    def transport(self) -> StdioTransport:
        return self

    @property
    def pid(self) -> int | None:
        return self._tracked.process.pid if self._tracked is not None else None

    @property
    def exit_code(self) -> int | None:
        return self._tracked.process.exit_code if self._tracked is not None else None

    @property
    def lost_keeper(self) -> bool:
        return self._tracked is not None and self._tracked.process.lost_keeper

    @property
    def reached(self) -> ReachedLimit:
        if (tracked := self._tracked) is None:
            return ""
        return tracked.reached or ("memory" if tracked.is_killed else "")

    @property
    def died_of_input(self) -> bool:
        tracked = self._tracked
        if tracked is None or self._reader.has_received:
            return False
        return not tracked.process.left_input_unread

    async def __aenter__(self) -> TransportStreams:
        """Start the process.

        Raises:
            OSError: it cannot be started.
            ValueError: a NUL byte in command, arguments or environment.
        """
        self._tracked = tracked = await self._start()
        self._started(tracked.identity)
        return self._reader, MessageWriter(tracked.process, self._reader)

    async def __aexit__(self, *_: object) -> None:
        """End the process and its tree, whatever is being cancelled: within about three seconds."""
        tracked = self._tracked
        if tracked is not None:
            with anyio.CancelScope(shield=True):
                if self._silent and not self.is_closed:
                    with anyio.move_on_after(VERDICT, shield=True):
                        await self._verdict.wait()
                # Before it is told to end: an exit after that is no reason why it was lost.
                self._end(_exit_words(code) if (code := self.exit_code) is not None else "")
                await self._tracker.close_connection(tracked)

    async def _start(self) -> TrackedProcess:
        if isinstance(self._launch, LaunchSpec):
            return await self._tracker.start(self._owner, self._launch, self)
        return self._launch.hand_over(self)

    async def settle(self) -> None:
        with anyio.move_on_after(VERDICT + DRAIN):
            await self._verdict.wait()
        await asyncio.sleep(0)  # what it wrote last may be read in the same turn

    def stdout_received(self, data: bytes) -> None:
        if self.is_closed:
            return
        try:
            lines = self._lines.feed(data)
        except LineTooLongError:
            self._end(
                translatable("sent a line longer than {value} MB", value=self._limit // 1000000)
            )
            return
        for line in lines:
            self._reader.feed(line)

    def stdout_closed(self) -> None:
        self._silent = True
        self._reader.end()
        if (code := self.exit_code) is not None:
            self._end(_exit_words(code))
        else:
            asyncio.get_running_loop().call_later(VERDICT, self._end, "closed its output")

    def stderr_received(self, data: bytes) -> None:
        self._output.feed(data)

    def process_exited(self, code: int) -> None:
        if self._silent:
            self._end(_exit_words(code))
        else:
            asyncio.get_running_loop().call_later(DRAIN, self._end, _exit_words(code))

    def _end(self, why: str) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        # Only an earlier wish counts: on leaving, this link has the process closed itself.
        self.is_closed_on_purpose = self._tracked is not None and self._tracked.is_closing
        self.lost = _UNWATCHED if why and self.lost_keeper else why
        self._verdict.set()
        self._reader.end()
        self._closed()

    def _heard_noise(self, line: str) -> None:
        self._output.add_noise(line[:MAX_NOISE_LENGTH])

    def _set_flow(self, flowing: bool) -> None:
        if self._tracked is not None:
            process = self._tracked.process
            (process.resume_reading if flowing else process.pause_reading)()


_UNWATCHED: Final = translatable("ended, because the process that watches the servers had ended")


def _exit_words(code: int) -> str:
    return (
        translatable("was ended by signal {value}", value=-code)
        if code < 0
        else translatable("exited with code {code}", code=code)
    )
