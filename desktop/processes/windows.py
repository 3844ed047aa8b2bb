"""Starts a server on Windows through asyncio's proactor loop: no console window, three pipes.

Guarantees: the process and what psutil finds below it are ended by the tracker; with a `job` all
that the server started ends when the app dies. Written from the documentation and not run: kept as
small as it can be.
"""

from __future__ import annotations

import asyncio
import subprocess
from typing import TYPE_CHECKING, cast

from desktop.processes.pipes import WritePipe

if TYPE_CHECKING:
    from desktop.processes.job import Job
    from desktop.processes.process import LaunchSpec, ProcessOutput

_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_SUSPENDED = 0x4


class WindowsProcess(asyncio.SubprocessProtocol):
    """A server process under the proactor loop. Made by `start`."""

    keeper_pid = None

    def __init__(self, output: ProcessOutput) -> None:
        self._output = output
        self._writer = WritePipe()
        self._transport: asyncio.SubprocessTransport | None = None
        self.exited = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport is not None else 0

    @property
    def exit_code(self) -> int | None:
        return self._transport.get_returncode() if self._transport is not None else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._output.stdout_received(data)
        else:
            self._output.stderr_received(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writer.connection_lost(exc)
        elif fd == 1:
            self._output.stdout_closed()

    def process_exited(self) -> None:
        self.exited.set()
        self._output.process_exited(self.exit_code or 0)

    def pause_writing(self) -> None:
        self._writer.pause_writing()

    def resume_writing(self) -> None:
        self._writer.resume_writing()

    async def write(self, data: bytes) -> None:
        stdin = cast("asyncio.WriteTransport | None", self._pipe(0))
        if stdin is None or stdin.is_closing():
            raise BrokenPipeError("the server's input is closed")
        stdin.write(data)
        await self._writer.ready()

    def pause_reading(self) -> None:
        if (stdout := cast("asyncio.ReadTransport | None", self._pipe(1))) is not None:
            stdout.pause_reading()

    def resume_reading(self) -> None:
        if (stdout := cast("asyncio.ReadTransport | None", self._pipe(1))) is not None:
            stdout.resume_reading()

    def close_stdin(self) -> None:
        if (stdin := self._pipe(0)) is not None:
            stdin.close()

    def release(self) -> None:
        if self._transport is not None:
            self._transport.close()

    async def settle(self, limit: float) -> bool:
        return self.exited.is_set()

    def _pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return self._transport.get_pipe_transport(fd) if self._transport is not None else None


async def start(
    launch: LaunchSpec, output: ProcessOutput, job: Job | None = None
) -> WindowsProcess:
    """Start a server, in `job` from its first instruction on.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    process = WindowsProcess(output)
    await asyncio.get_running_loop().subprocess_exec(
        lambda: process,
        launch.command,
        *launch.args,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(launch.environment),
        cwd=launch.cwd,
        creationflags=_NO_WINDOW | (_SUSPENDED if job is not None else 0),
    )
    if job is not None:
        try:
            job.take(process.pid)
        except OSError:
            process.release()
            raise
    return process
