"""The three pipes of a server on Linux and macOS, connected to the event loop.

The app holds its ends itself, whoever started the process, so a message takes no detour through
the guardian. Must not know what the bytes mean or how processes are started.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import sys
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.processes.process import ProcessOutput


PIPE_BYTES = 64 * 1024
"""What a pipe of Linux holds by itself."""
WIDE_PIPE_BYTES = 1024 * 1024
"""What a pipe is made to hold that was once found full: as much as anybody may ask for."""


class ReadPipe(asyncio.Protocol):
    """Passes on incoming data and reports once when the pipe is closed.

    A pipe that was found full is widened: a large message then takes a few turns of both sides
    instead of a hundred. Only such a one, as what all pipes of a person hold together is limited.
    """

    def __init__(self, received: Callable[[bytes], None], closed: Callable[[], None]) -> None:
        self.pass_to(received, closed)
        self._pipe: IO[bytes] | None = None

    def pass_to(self, received: Callable[[bytes], None], closed: Callable[[], None]) -> None:
        self._received = received
        self._closed = closed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._pipe = transport.get_extra_info("pipe")

    def data_received(self, data: bytes) -> None:
        if self._pipe is not None and len(data) >= PIPE_BYTES:
            _widen(self._pipe)
            self._pipe = None
        self._received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed()


class WritePipe(asyncio.BaseProtocol):
    """Tracks whether the pipe is full or broken, and whether the other end read any of it."""

    def __init__(self) -> None:
        self.is_broken = False
        self.left_unread = False
        self._transport: asyncio.BaseTransport | None = None
        self._waiter: asyncio.Future[None] | None = None

    def pause_writing(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_broken = True
        # Now, because the pipe is closed next.
        pipe = self._transport.get_extra_info("pipe") if self._transport is not None else None
        self.left_unread = pipe is not None and _unread_bytes(pipe) > 0
        self.resume_writing()

    async def wait_writable(self) -> None:
        """Wait until the pipe accepts more data.

        Raises:
            BrokenPipeError: the other end is closed.
        """
        if self._waiter is not None:
            # Shielded: one writer that is cancelled must not cancel the wait of the others.
            await asyncio.shield(self._waiter)
        if self.is_broken:
            raise BrokenPipeError("the server has closed its input")


def _widen(pipe: IO[bytes]) -> None:
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError, ValueError):  # no more than that is allowed: it stays
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, WIDE_PIPE_BYTES)


def _unread_bytes(pipe: IO[bytes]) -> int:
    """Bytes in a pipe, from either of its ends; 0 where it is closed or the system does not say."""
    if sys.platform == "win32":
        return 0
    try:
        import fcntl
        import termios

        answer = fcntl.ioctl(pipe.fileno(), termios.FIONREAD, struct.pack("i", 0))
    except (ImportError, OSError, ValueError):
        return 0
    return struct.unpack("i", answer)[0]


class PipeEnds(NamedTuple):
    """One end of each of the three pipes, as files that close with their object."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def close(self) -> None:
        for end in self:
            with contextlib.suppress(OSError):  # a flush to a pipe that is no longer read
                end.close()


def make_pipes() -> tuple[PipeEnds, PipeEnds]:
    """Create three pipes; returns the app's ends and the server's ends.

    Raises:
        OSError: too many files are open.
    """
    files: list[IO[bytes]] = []
    try:
        for _ in range(3):
            reader, writer = os.pipe()
            files += [os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0)]
    except OSError:
        for file in files:
            file.close()
        raise
    server_stdin, stdin, stdout, server_stdout, stderr, server_stderr = files
    return PipeEnds(stdin, stdout, stderr), PipeEnds(server_stdin, server_stdout, server_stderr)


class PipedProcess:
    """The part of a `ServerProcess` that handles pipes and exit; subclasses start and watch it.

    Belongs to the event loop in which it was created.
    """

    def __init__(self, output: ProcessOutput) -> None:
        self._output = output
        self._stdout = ReadPipe(output.stdout_received, output.stdout_closed)
        self._stderr = ReadPipe(output.stderr_received, _ignore)
        self._loop = asyncio.get_running_loop()
        self._writer = WritePipe()
        self._stdin: asyncio.WriteTransport | None = None
        self._readers: list[asyncio.ReadTransport] = []
        self._exit_code: int | None = None
        self._has_written = False
        self.lost_keeper = False
        self.exited = asyncio.Event()

    @property
    def exit_code(self) -> int | None:
        return self._exit_code

    @property
    def left_input_unread(self) -> bool:
        return self._writer.left_unread or not self._has_written

    def members(self) -> None:
        """None: only Windows has jobs."""

    async def write(self, data: bytes) -> None:
        if self._stdin is None or self._stdin.is_closing():
            raise BrokenPipeError("the server's input is closed")
        self._stdin.write(data)
        # A pipe that nobody reads any more takes nothing, and says so at once.
        self._has_written = self._has_written or not self._stdin.is_closing()
        await self._writer.wait_writable()

    def set_output(self, output: ProcessOutput) -> None:
        self._output = output
        self._stdout.pass_to(output.stdout_received, output.stdout_closed)
        self._stderr.pass_to(output.stderr_received, _ignore)

    def pause_reading(self) -> None:
        with contextlib.suppress(RuntimeError):  # already closing
            self._readers[0].pause_reading()

    def resume_reading(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._readers[0].resume_reading()

    def close_stdin(self) -> None:
        if self._stdin is not None:
            self._stdin.close()

    async def _connect_pipes(self, ends: PipeEnds) -> None:
        transport, _ = await self._loop.connect_write_pipe(lambda: self._writer, ends.stdin)
        self._stdin = transport
        for protocol, pipe in ((self._stdout, ends.stdout), (self._stderr, ends.stderr)):
            reader, _ = await self._loop.connect_read_pipe(lambda each=protocol: each, pipe)
            self._readers.append(reader)

    def _close_pipes(self) -> None:
        stdin = self._stdin
        # Not if it is closed and flushed: asyncio would close the descriptor a second time.
        if stdin is not None and not (stdin.is_closing() and not stdin.get_write_buffer_size()):
            stdin.abort()
        for reader in self._readers:
            reader.close()

    def _report_exit(self, code: int) -> None:
        if self._exit_code is None:
            self._exit_code = code
            self.exited.set()
            self._output.process_exited(code)


def _ignore() -> None:
    """The end of stderr means nothing by itself."""
