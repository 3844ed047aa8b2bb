"""The three pipes of a server on Linux and macOS, attached to the loop: what its starters share.

The app's own ends, whoever started the process: a message takes no further hop. Knows no process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import IO, TYPE_CHECKING, NamedTuple

from desktop.processes.pipes import ReadPipe, WritePipe

if TYPE_CHECKING:
    from desktop.processes.process import ProcessOutput


class PipeEnds(NamedTuple):
    """One end of each of the three pipes, as files that close with their object."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def close(self) -> None:
        for end in self:
            with contextlib.suppress(OSError):  # nobody reads any more
                end.close()


def make_pipes() -> tuple[PipeEnds, PipeEnds]:
    """The app's ends and the server's ends.

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
    theirs, stdin, stdout, out, stderr, err = files
    return PipeEnds(stdin, stdout, stderr), PipeEnds(theirs, out, err)


class PipedProcess:
    """The half of a `ServerProcess` that is its pipes and its end; a subclass starts and watches.

    `_loop` is the one it was made in.
    """

    def __init__(self, output: ProcessOutput) -> None:
        self._output = output
        self._loop = asyncio.get_running_loop()
        self._writer = WritePipe()
        self._stdin: asyncio.WriteTransport | None = None
        self._readers: list[asyncio.ReadTransport] = []
        self._exit_code: int | None = None
        self.exited = asyncio.Event()

    @property
    def exit_code(self) -> int | None:
        return self._exit_code

    async def write(self, data: bytes) -> None:
        if self._stdin is None or self._stdin.is_closing():
            raise BrokenPipeError("the server's input is closed")
        self._stdin.write(data)
        await self._writer.ready()

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
        output = self._output
        transport, _ = await self._loop.connect_write_pipe(lambda: self._writer, ends.stdin)
        self._stdin = transport
        for received, closed, pipe in (
            (output.stdout_received, output.stdout_closed, ends.stdout),
            (output.stderr_received, _ignore, ends.stderr),
        ):
            reader, _ = await self._loop.connect_read_pipe(
                lambda received=received, closed=closed: ReadPipe(received, closed), pipe
            )
            self._readers.append(reader)

    def _close_pipes(self) -> None:
        stdin = self._stdin
        # Not once it is closed with nothing left to write: asyncio would close it twice.
        if stdin is not None and not (stdin.is_closing() and not stdin.get_write_buffer_size()):
            stdin.abort()
        for reader in self._readers:
            reader.close()

    def _ended(self, code: int) -> None:
        if self._exit_code is None:
            self._exit_code = code
            self.exited.set()
            self._output.process_exited(code)


def _ignore() -> None:
    """The end of stderr means nothing by itself."""
