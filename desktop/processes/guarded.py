"""Starts a server through the guardian (Linux): its pipes are the app's, its parent is a keeper.

Guarantees: whatever the server starts, however it is forked, ends with it: on `release`, and when
the app dies, of SIGKILL even. PID and process group are the server's own until `release`. Weaker:
when guardian and keeper are both killed, only the server itself is sure to die (by the kernel), and
the tracker looks for the rest by group and marker.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import tempfile
from typing import IO, TYPE_CHECKING, cast

from desktop.processes import order
from desktop.processes.guardian import GuardianLostError
from desktop.processes.piped import PipedProcess, PipeEnds, make_pipes

if TYPE_CHECKING:
    from desktop.processes.guardian import Guardian
    from desktop.processes.process import LaunchSpec, ProcessOutput

REPLY_LIMIT = 10.0
"""Seconds in which the guardian starts and executes a server, on a machine that is very busy."""

SETTLE_LIMIT = 1.0
"""Seconds to wait until nothing is left of a start that failed."""


class GuardedProcess(PipedProcess):
    """A server process under a keeper. Made by `start`."""

    def __init__(self, output: ProcessOutput, guardian: Guardian, channel: socket.socket) -> None:
        super().__init__(output)
        self._guardian = guardian
        self._channel = channel
        self._said = b""
        self._reply: asyncio.Future[list[bytes]] = self._loop.create_future()
        self._kept = asyncio.Event()
        self._released = self._hung_up = False
        self.pid = 0
        self.keeper_pid: int | None = None

    @property
    def is_leaving(self) -> bool:
        return self._hung_up and not self._kept.is_set()

    def watch(self) -> None:
        """Begin to hear the keeper."""
        self._channel.setblocking(False)
        self._loop.add_reader(self._channel.fileno(), self._on_channel)

    async def started(self, launch: LaunchSpec, ends: PipeEnds) -> None:
        """Attach the pipes and wait until the server runs.

        Raises:
            OSError: it does not.
        """
        await self._connect_pipes(ends)
        async with asyncio.timeout(REPLY_LIMIT):
            word, *rest = await self._reply
        if word == order.FAILED:
            number, place = int(rest[0]), rest[1]
            what = launch.cwd if place == order.IN_FOLDER else launch.command
            raise OSError(number, os.strerror(number), what)
        self.pid = int(rest[0])
        self.keeper_pid = int(rest[1])

    def release(self) -> None:
        if not self._released:
            self._released = True
            self._close_pipes()
            self.hang_up()

    def hang_up(self) -> None:
        self._hung_up = True
        with contextlib.suppress(OSError):  # the keeper is gone already
            self._channel.shutdown(socket.SHUT_WR)
        if self._loop.is_closed():  # nobody hears its end
            self._channel.close()

    async def settle(self, limit: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._kept.wait(), limit)
        await self._guardian.gone(limit)
        return self._kept.is_set()

    def _on_channel(self) -> None:
        try:
            data = self._channel.recv(4096)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            self._hear(line.split())
        if not data:
            self._on_end()

    def _hear(self, words: list[bytes]) -> None:
        if words[0] == order.ENDED:
            self._ended(int(words[1]))
        elif not self._reply.done():
            self._reply.set_result(words)

    def _on_end(self) -> None:
        """Nothing of the server is left; or the keeper was killed, and the kernel ends it."""
        self._loop.remove_reader(self._channel.fileno())
        self._channel.close()
        self.keeper_pid = None
        self._kept.set()
        if not self._reply.done():
            self._reply.set_exception(GuardianLostError("the guardian did not start the server"))
            self._reply.exception()  # who started it may have stopped waiting
        elif self.pid:
            self._ended(-signal.SIGKILL)
        self._guardian.leave(self)


async def start(launch: LaunchSpec, output: ProcessOutput, guardian: Guardian) -> GuardedProcess:
    """Start a server.

    Raises:
        GuardianLostError: there is no guardian that could.
        OSError: it cannot be started (not found, not executable, no such folder, no memory).
        ValueError: a NUL byte in command, arguments or environment.
    """
    ordered = order.pack(
        launch.cwd or _folder(), [launch.command, *launch.args], launch.environment
    )
    try:
        return await _start(launch, ordered, output, guardian)
    except GuardianLostError:  # it died as it was asked: there is a new one for the next request
        return await _start(launch, ordered, output, guardian)


async def _start(
    launch: LaunchSpec, ordered: bytes, output: ProcessOutput, guardian: Guardian
) -> GuardedProcess:
    ours, theirs = make_pipes()
    try:
        channel, keepers = socket.socketpair()
    except OSError:
        ours.close()
        theirs.close()
        raise
    process = GuardedProcess(output, guardian, channel)
    try:
        with _file_of(ordered) as file:
            files = [keepers, file, *theirs]
            guardian.request(process, [one.fileno() for one in files])
        process.watch()
    except BaseException:
        channel.close()
        ours.close()
        raise
    finally:
        keepers.close()
        theirs.close()
    try:
        await process.started(launch, ours)
    except BaseException as error:
        process.release()
        ours.close()
        if isinstance(error, OSError):  # a cancelled one is waited for by `Guardian.settle`
            await process.settle(SETTLE_LIMIT)
        raise
    return process


def _folder() -> str:
    """Where the app is; the guardian stays where the app was when it was started."""
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _file_of(content: bytes) -> IO[bytes]:
    """A file that holds it: an order may be larger than any socket takes at once."""
    if hasattr(os, "memfd_create"):  # in memory alone: the environment holds secrets
        file = cast("IO[bytes]", os.fdopen(os.memfd_create("order"), "w+b", 0))
    else:
        file = cast("IO[bytes]", tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    try:
        file.write(content)
    except BaseException:
        file.close()
        raise
    return file
