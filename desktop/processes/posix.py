"""Starts a server as a child of the app (Linux and macOS): own session, three pipes, exit watched.

What is used where there is no guardian. Guarantees: the group ID is the PID and stays taken until
`release`, because the process is not reaped before; so a group kill up to then can only reach this
server's own processes. Nothing here outlives the app: what it leaves when it is killed, stays. The
exit is noticed through a pidfd (Linux) or a thread that waits (macOS, older kernels).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from typing import IO, TYPE_CHECKING, cast

from desktop.processes.piped import PipedProcess, PipeEnds

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, ProcessOutput

REAP_LIMIT = 1.0
"""Seconds to wait for a process whose start was given up, after its SIGKILL."""


class PosixProcess(PipedProcess):
    """A server process that this process started. Made by `start`."""

    keeper_pid = None

    def __init__(self, popen: subprocess.Popen[bytes], output: ProcessOutput) -> None:
        super().__init__(output)
        self._popen = popen
        self._pidfd = -1

    @property
    def pid(self) -> int:
        return self._popen.pid

    async def connect(self) -> None:
        """Attach the pipes to the loop and begin to watch for the exit."""
        popen = self._popen
        ends = (cast("IO[bytes]", end) for end in (popen.stdin, popen.stdout, popen.stderr))
        await self._connect_pipes(PipeEnds(*ends))
        self._watch()

    def release(self) -> None:
        self._unwatch()
        self._close_pipes()
        if self._popen.poll() is not None:
            self._ended(self._popen.returncode)

    async def settle(self, limit: float) -> bool:
        return self._popen.returncode is not None

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


async def start(launch: LaunchSpec, output: ProcessOutput) -> PosixProcess:
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
