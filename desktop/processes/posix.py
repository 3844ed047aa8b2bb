"""Starts a server on Linux and macOS: own session and process group, three pipes, exit watched.

Guarantees: the group ID is the PID and stays taken until `release`, because the process is not
reaped before; so a group kill up to then can only reach this server's own processes. The exit is
noticed through a pidfd (Linux) or a thread that waits (macOS, older kernels). Decides no timing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
from typing import IO, TYPE_CHECKING, cast

from desktop.processes.pipes import ReadPipe, WritePipe

if TYPE_CHECKING:
    from desktop.processes.process import Launch, ProcessOutput

REAP_LIMIT = 1.0
"""Seconds to wait for a process whose start was given up, after its SIGKILL."""


class PosixProcess:
    """A server process that this process started. Made by `start`."""

    def __init__(self, popen: subprocess.Popen[bytes], output: ProcessOutput) -> None:
        self._popen = popen
        self._output = output
        self._loop = asyncio.get_running_loop()
        self._writer = WritePipe()
        self._stdin: asyncio.WriteTransport | None = None
        self._readers: list[asyncio.ReadTransport] = []
        self._pidfd = -1
        self._exit_code: int | None = None
        self.exited = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        return self._exit_code

    async def connect(self) -> None:
        """Attach the pipes to the loop and begin to watch for the exit."""
        output, popen = self._output, self._popen
        stdout, stderr = cast("IO[bytes]", popen.stdout), cast("IO[bytes]", popen.stderr)
        transport, _ = await self._loop.connect_write_pipe(lambda: self._writer, popen.stdin)
        self._stdin = transport
        for received, closed, pipe in (
            (output.stdout_received, output.stdout_closed, stdout),
            (output.stderr_received, _ignore, stderr),
        ):
            reader, _ = await self._loop.connect_read_pipe(
                lambda received=received, closed=closed: ReadPipe(received, closed), pipe
            )
            self._readers.append(reader)
        self._watch()

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

    def release(self) -> None:
        self._unwatch()
        if self._stdin is not None and not self._writer.broken:
            self._stdin.abort()
        for reader in self._readers:
            reader.close()
        if self._popen.poll() is not None:
            self._ended(self._popen.returncode)

    def _watch(self) -> None:
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except (AttributeError, OSError):
            threading.Thread(target=self._wait_in_thread, daemon=True).start()
            return
        self._loop.add_reader(self._pidfd, self._on_pidfd)

    def _unwatch(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    def _on_pidfd(self) -> None:
        self._unwatch()
        # WNOWAIT: the exit is known, but the PID stays ours until `release`.
        status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is not None:
            exited = status.si_code == os.CLD_EXITED
            self._ended(status.si_status if exited else -status.si_status)

    def _wait_in_thread(self) -> None:
        code = self._popen.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to be told
            self._loop.call_soon_threadsafe(self._ended, code)

    def _ended(self, code: int) -> None:
        if self._exit_code is None:
            self._exit_code = code
            self.exited.set()
            self._output.process_exited(code)


def _ignore() -> None:
    """The end of stderr means nothing by itself."""


async def start(launch: Launch, output: ProcessOutput) -> PosixProcess:
    """Start a server.

    Raises:
        OSError: it cannot be started (not found, not executable, no such folder, no memory).
        ValueError: a NUL byte in command, arguments or environment.
    """
    # The arguments are the person's own config and no shell reads them. Blocking, for the 1 to 3 ms
    # of a vfork: asyncio's own call does the same, and reaps before a tree could be swept.
    popen = subprocess.Popen(  # noqa: S603, ASYNC220
        [launch.command, *launch.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(launch.environment),
        cwd=launch.cwd,
        start_new_session=True,
        bufsize=0,
    )
    process = PosixProcess(popen, output)
    try:
        await process.connect()
    except BaseException:
        popen.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(REAP_LIMIT)  # gone in a moment, and nobody else reaps it
        process.release()
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            cast("IO[bytes]", pipe).close()  # those that no transport has taken over yet
        raise
    return process
