"""Starts a server as a child of the app (macOS, and Linux without a guardian).

Guarantees: the server has a session of its own. It is not reaped before `release`, so until then
its process group cannot be reused, and killing the group reaches only its own processes. Weaker:
if the app is killed, its servers go on. The exit is noticed through a pidfd, or without one by a
thread: with `waitid` (macOS from Python 3.13, old kernels) or at a kqueue (macOS before). What ends
before the kqueue knows of it is reaped at once: its PID may be another's before `release`.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING

from desktop.base.file_limit import give_first_limit
from desktop.processes.pipes import PipedProcess, PipeEnds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.processes.process import LaunchSpec, ProcessOutput

if sys.platform == "win32":
    raise ImportError("this is not for Windows")

MAX_REAP_WAIT = 1.0
"""Seconds to wait, after its SIGKILL, for a process whose start failed."""

_NOTE_EXITSTATUS = 0x0400_0000
"""NOTE_EXITSTATUS of sys/event.h, which Python's `select` has no name for."""


class PosixProcess(PipedProcess):
    """A server process that is a child of this process. Created by `start`."""

    keeper_pid = None

    def __init__(self, popen: subprocess.Popen[bytes], output: ProcessOutput) -> None:
        super().__init__(output)
        self._popen = popen
        self._pidfd = -1

    @property
    def pid(self) -> int:
        return self._popen.pid

    async def connect(self) -> None:
        """Connect the pipes to the event loop and begin to watch for the exit."""
        popen = self._popen
        await self._connect_pipes(PipeEnds(*_pipes(popen)))
        self._watch()

    def release(self) -> None:
        self._unwatch()
        self._close_pipes()
        if self._popen.poll() is not None:
            self._report_exit(self._popen.returncode)

    async def wait_released(self, limit: float) -> bool:
        return self._popen.returncode is not None

    def _watch(self) -> None:
        if sys.platform == "linux":
            with contextlib.suppress(OSError):  # an older kernel
                self._pidfd = os.pidfd_open(self.pid)
                self._loop.add_reader(self._pidfd, self._on_pidfd)
                return
        threading.Thread(target=self._wait_in_thread, daemon=True).start()

    def _unwatch(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    def _on_pidfd(self) -> None:
        self._unwatch()
        code = _wait_by_waitid(self.pid, os.WNOHANG)
        if code is not None:
            self._report_exit(code)

    def _wait_in_thread(self) -> None:
        code = _wait_by_waitid(self.pid)
        if code is None:
            code = _wait_at_kqueue(self.pid)
        if code is None:
            code = self._popen.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for the exit
            self._loop.call_soon_threadsafe(self._report_exit, code)


def _pipes(popen: subprocess.Popen[bytes]) -> Iterator[IO[bytes]]:
    """Its three pipes, which `start` asks for."""
    return filter(None, (popen.stdin, popen.stdout, popen.stderr))


def _wait_by_waitid(pid: int, how: int = 0) -> int | None:
    """Wait for the end of a child without reaping it (WNOWAIT); its exit code, if it has ended."""
    if sys.platform == "darwin" and sys.version_info < (3, 13):  # which do not have it
        return None
    try:
        status = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | how)
    except ChildProcessError:
        return None
    if status is None:
        return None
    return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status


def _wait_at_kqueue(pid: int) -> int | None:
    """The same without `waitid`; None as well for a child that had ended before."""
    if sys.platform != "darwin":
        return None
    try:
        queue = select.kqueue()
    except OSError:
        return None
    wanted = select.kevent(
        pid,
        select.KQ_FILTER_PROC,
        select.KQ_EV_ADD | select.KQ_EV_ONESHOT,
        select.KQ_NOTE_EXIT | _NOTE_EXITSTATUS,
    )
    with contextlib.closing(queue):
        try:
            (event,) = queue.control([wanted], 1, None)
        except (OSError, ValueError):
            return None
    if event.flags & select.KQ_EV_ERROR:
        return None
    return os.waitstatus_to_exitcode(event.data)


async def start(launch: LaunchSpec, output: ProcessOutput) -> PosixProcess:
    """Start a server.

    Raises:
        OSError: it cannot be started (not found, not executable, no such folder, no memory).
        ValueError: a NUL byte in command, arguments or environment.
    """
    # The arguments are the person's own config, and no shell is involved. A vfork blocks for 1 to
    # 3 ms; asyncio's own call blocks, too, and reaps the process before its tree could be ended.
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
    give_first_limit(popen.pid)
    process = PosixProcess(popen, output)
    try:
        await process.connect()
    except BaseException:
        popen.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(MAX_REAP_WAIT)  # nobody else would reap it
        process.release()
        for pipe in _pipes(popen):
            pipe.close()  # the ones that no transport owns yet
        raise
    return process
