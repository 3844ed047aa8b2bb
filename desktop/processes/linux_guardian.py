"""The app's end of the guardian, the process that ends the servers when the app cannot (Linux).

The guardian is started with the first server and exits with the last one. When the app dies, the
guardian and its keeper kill all servers (`guardian_process`). When the guardian dies, keeper and
servers go on, and the next server is started by a new guardian. Must not know what is started.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import time
from typing import TYPE_CHECKING, Protocol

from desktop.base.file_limit import give_first_limit
from desktop.base.paths import guardian_command
from desktop.processes.process_tree import guard_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

if sys.platform != "linux":
    raise ImportError("this is for Linux")

MAX_KILL_WAIT = 1.0
"""Seconds to wait for a guardian to be gone after it had to be killed."""
_POLL = 0.002
"""Seconds between two looks."""

logger = logging.getLogger(__name__)


class GuardianLostError(OSError):
    """There is no guardian, or it could not take a request: nothing was started."""


class GuardedProcessHandle(Protocol):
    """A server under a keeper, as far as the guardian has to know it."""

    @property
    def is_releasing(self) -> bool:
        """Whether its keeper was told to end, but has not ended yet."""
        ...

    def hang_up(self) -> None:
        """Close the channel, so that the keeper kills what is left. Never blocks, needs no loop."""
        ...


class Guardian:
    """Starts the guardian's process, sends requests to it and notices its end."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        self._command = list(command) or guardian_command()
        self._control: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handles: set[GuardedProcessHandle] = set()
        self._ending: set[int] = set()
        self._lost_keeper: int | None = None
        """The last keeper that ended before its guardian."""
        self.pid: int | None = None

    def request(self, handle: GuardedProcessHandle, files: Sequence[int]) -> None:
        """Have the keeper start what `files` say; it serves `handle` until `remove`.

        Raises:
            GuardianLostError: the guardian cannot be started or accepts nothing.
        """
        try:
            try:
                socket.send_fds(self._connect(), [b"k"], files)
            except ConnectionError:  # it died, which had not been noticed yet
                self._on_lost()
                socket.send_fds(self._connect(), [b"k"], files)
        except OSError as error:
            raise GuardianLostError(error.errno, f"no guardian: {error}") from error
        self._handles.add(handle)

    def remove(self, handle: GuardedProcessHandle) -> None:
        """`handle` has ended. After the last one the guardian exits."""
        self._handles.discard(handle)
        if not self._handles and self._control is not None:
            self._disconnect()

    def forget(self, pid: int) -> None:
        """Do nothing: the end of the server's channel is what counts."""

    async def wait_idle(self, limit: float) -> None:
        """Wait for cancelled starts, too: they need the event loop, which may be about to end."""
        deadline = time.monotonic() + limit
        for _ in _poll(lambda: any(handle.is_releasing for handle in self._handles), limit):
            await asyncio.sleep(_POLL)
        if all(handle.is_releasing for handle in self._handles):  # the guardian may be stopped
            self._disconnect()
        await self.wait_exited(max(0.0, deadline - time.monotonic()))

    async def wait_exited(self, limit: float) -> None:
        """Wait until guardians that should exit have exited; after `limit` seconds, kill them."""
        for _ in self._poll_exit(limit):
            await asyncio.sleep(_POLL)

    def kill_all(self, limit: float) -> None:
        """Have everything killed, without a loop, and wait: at exit, or as a last resort."""
        self._hang_up_all()
        self._disconnect()
        for _ in self._poll_exit(limit):
            time.sleep(_POLL)

    def _connect(self) -> socket.socket:
        loop = asyncio.get_running_loop()
        if self._control is not None and self._loop is not loop:
            self._hang_up_all()  # their loop has ended
            self._disconnect()
        if self._control is None:
            self._reap()
            self._control = self._start()
            self._loop = loop
            loop.add_reader(self._control.fileno(), self._on_lost)
        return self._control

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            self.pid = os.posix_spawn(
                self._command[0],
                self._command,
                guard_environment(),
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, theirs.fileno(), 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_RDWR, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_RDWR, 0),
                ],
                setsid=True,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        give_first_limit(self.pid)
        ours.setblocking(False)
        return ours

    def note_lost_keeper(self, pid: int) -> None:
        """Say once, for all its servers, that a keeper has ended."""
        if pid != self._lost_keeper:
            self._lost_keeper = pid
            logger.warning(
                "the process that watches the servers (PID %d) ended, and they with it;"
                " all are started again",
                pid,
            )

    def _on_lost(self) -> None:
        """The guardian never sends anything: if its socket is readable, it has ended."""
        words = "the guardian (PID %s) is gone; the next server starts a new one"
        is_said = self._lost_keeper is not None  # with its keeper
        logger.log(logging.INFO if is_said else logging.WARNING, words, self.pid)
        self._lost_keeper = None
        self._disconnect()

    def _hang_up_all(self) -> None:
        for handle in self._handles:
            handle.hang_up()
        self._handles.clear()

    def _disconnect(self) -> None:
        control, loop, self._control = self._control, self._loop, None
        if control is not None and loop is not None:
            if not loop.is_closed():
                loop.remove_reader(control.fileno())
            control.close()
        if self.pid is not None:
            self._ending.add(self.pid)
            self.pid = None
            if loop is not None and not loop.is_closed():
                self._reap_later(loop, _POLL)

    def _reap_later(self, loop: asyncio.AbstractEventLoop, delay: float) -> None:
        """Look again, at growing intervals: perhaps nobody waits for the exit."""
        if self._reap():
            loop.call_later(delay, self._reap_later, loop, min(delay * 2, 1.0))

    def _poll_exit(self, limit: float) -> Iterator[None]:
        """Yield for each pause until all have exited, by themselves or killed."""
        yield from _poll(self._reap, limit)
        if self._ending:
            # Imported here: it is rarely needed, and only then.
            from desktop.processes import subreaper

            ending = list(self._ending)
            logger.warning("the guardian (PID %s) does not end; killing it", ending)
            subreaper.kill_trees(ending)
            yield from _poll(self._reap, MAX_KILL_WAIT)

    def _reap(self) -> bool:
        """Reap what has exited; whether any guardian still has to."""
        for pid in list(self._ending):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            self._ending.discard(pid)
        return bool(self._ending)


def _poll(is_pending: Callable[[], bool], limit: float) -> Iterator[None]:
    """Yield for each pause while `is_pending`; serves waits with and without an event loop."""
    deadline = time.monotonic() + limit
    while is_pending() and time.monotonic() < deadline:
        yield
