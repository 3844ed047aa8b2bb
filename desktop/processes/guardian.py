"""The app's end of the guardian, the process that ends the servers when the app cannot.

It is started with the first server and told to leave with the last one. What each end does when
the other is gone: the guardian and its keepers kill all servers when the app dies (see
`guardian_program` and `keeper`); when the guardian dies, the keepers and the servers go on, and the
next server is started by a new guardian. Must not know what is started.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import time
from typing import TYPE_CHECKING, Protocol

from desktop.paths import guardian_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

KILLED_LIMIT = 1.0
"""Seconds to wait for the kernel where it had to be killed."""
_POLL = 0.002

logger = logging.getLogger(__name__)


class GuardianLostError(OSError):
    """There is no guardian, or it could not take a request: nothing was started."""


class Kept(Protocol):
    """A server under a keeper."""

    @property
    def is_leaving(self) -> bool:
        """Whether its keeper was told to end, and has not yet."""
        ...

    def hang_up(self) -> None:
        """Have its keeper kill all that is left of it. Never blocks, needs no loop."""
        ...


class Guardian:
    """Starts the guardian's process, hands requests to it and notices its end."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        self._command = list(command) or guardian_command()
        self._control: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._users: set[Kept] = set()
        self._ending: set[int] = set()
        self.pid: int | None = None

    def request(self, user: Kept, files: Sequence[int]) -> None:
        """Have a keeper forked that gets these files, for `user`, until `leave`.

        Raises:
            GuardianLostError: the guardian cannot be started, or takes nothing.
        """
        try:
            try:
                socket.send_fds(self._running(), [b"k"], files)
            except ConnectionError:  # its death was not noticed yet
                self._lost()
                socket.send_fds(self._running(), [b"k"], files)
        except OSError as error:
            raise GuardianLostError(error.errno, f"no guardian: {error}") from error
        self._users.add(user)

    def leave(self, user: Kept) -> None:
        """`user` needs it no more; without any it ends."""
        self._users.discard(user)
        if not self._users and self._control is not None:
            self._close()

    async def settle(self, limit: float) -> None:
        """Wait for the starts that were given up, too: their ends need the loop, which may end."""
        deadline = time.monotonic() + limit
        for _ in _moments(lambda: any(user.is_leaving for user in self._users), limit):
            await asyncio.sleep(_POLL)
        if all(user.is_leaving for user in self._users):  # it may be stopped
            self._close()
        await self.gone(max(0.0, deadline - time.monotonic()))

    async def gone(self, limit: float) -> None:
        """Wait until those that were told to leave have left; one that has not is killed."""
        for _ in self._waits(limit):
            await asyncio.sleep(_POLL)

    def forget(self, pid: int) -> None:
        """Nothing: the end of its channel says it."""

    def end(self, limit: float) -> None:
        """Have all killed now, without a loop, and wait for it: at exit, or as a last resort."""
        self._hang_up()
        self._close()
        for _ in self._waits(limit):
            time.sleep(_POLL)

    def _running(self) -> socket.socket:
        loop = asyncio.get_running_loop()
        if self._control is not None and self._loop is not loop:
            self._hang_up()  # of a loop that is over
            self._close()
        if self._control is None:
            self._reap()
            self._control = self._start()
            self._loop = loop
            loop.add_reader(self._control.fileno(), self._lost)
        return self._control

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            self.pid = os.posix_spawn(
                self._command[0],
                self._command,
                os.environ,
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
        ours.setblocking(False)
        return ours

    def _lost(self) -> None:
        """It says nothing, ever: what can be read from it is its end."""
        logger.warning("the guardian (PID %s) is gone; the next server starts a new one", self.pid)
        self._close()

    def _hang_up(self) -> None:
        for user in self._users:
            user.hang_up()
        self._users.clear()

    def _close(self) -> None:
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
        """Nobody may be waiting: look now and then, ever more rarely."""
        if self._reap():
            loop.call_later(delay, self._reap_later, loop, min(delay * 2, 1.0))

    def _waits(self, limit: float) -> Iterator[None]:
        """An item for each moment to wait until all have left, of themselves or by force."""
        yield from _moments(self._reap, limit)
        if self._ending:
            from desktop.processes import subreaper  # is seldom needed

            ending = list(self._ending)
            logger.warning("the guardian (PID %s) does not end; killing it", ending)
            subreaper.kill_trees(ending)
            yield from _moments(self._reap, KILLED_LIMIT)

    def _reap(self) -> bool:
        """Whether any has still to be reaped."""
        for pid in list(self._ending):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            self._ending.discard(pid)
        return bool(self._ending)


def _moments(goes_on: Callable[[], bool], limit: float) -> Iterator[None]:
    """An item for each moment to wait in: the loop may not run, and the kernel tells nobody."""
    deadline = time.monotonic() + limit
    while goes_on() and time.monotonic() < deadline:
        yield
