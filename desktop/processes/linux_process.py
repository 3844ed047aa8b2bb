"""Starts a server through the guardian (Linux): the pipes are the app's, the parent is its keeper.

Guarantees: whatever the server starts ends with it, however it was forked: on `release`, and when
the app dies, even by SIGKILL. PID and process group stay the server's own until `release`. Weaker:
if guardian and keeper are both killed, only the server itself is sure to die (the kernel kills it),
and the tracker finds the rest by group and marker.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
from typing import IO, TYPE_CHECKING, cast

from desktop.base.paths import current_folder
from desktop.processes import guardian_protocol as protocol
from desktop.processes.pipes import PipedProcess, PipeEnds, make_pipes

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, ProcessOutput

if sys.platform != "linux":
    raise ImportError("this is for Linux")

# It is for Linux, too.
from desktop.processes.linux_guardian import Guardian, GuardianLostError

MAX_START_WAIT = 10.0
"""Seconds in which the guardian forks and executes a server, on a very busy machine."""
MAX_FAILED_START_WAIT = 1.0
"""Seconds to wait until nothing is left of a start that failed."""


class GuardedProcess(PipedProcess):
    """A server process under the keeper. Created by `start`."""

    def __init__(self, output: ProcessOutput, guardian: Guardian, channel: socket.socket) -> None:
        super().__init__(output)
        self._guardian = guardian
        self._channel = channel
        self._received = b""
        self._reply: asyncio.Future[list[bytes]] = self._loop.create_future()
        self._channel_ended = asyncio.Event()
        self._is_released = self._has_hung_up = False
        self.pid = 0
        self.keeper_pid: int | None = None

    @property
    def is_releasing(self) -> bool:
        return self._has_hung_up and not self._channel_ended.is_set()

    def watch(self) -> None:
        """Begin to read what the keeper sends."""
        self._channel.setblocking(False)
        self._loop.add_reader(self._channel.fileno(), self._on_channel_readable)

    async def wait_started(self, launch: LaunchSpec, ends: PipeEnds) -> None:
        """Connect the pipes and wait until the server runs.

        Raises:
            OSError: it could not be started.
        """
        await self._connect_pipes(ends)
        async with asyncio.timeout(MAX_START_WAIT):
            word, *rest = await self._reply
        if word == protocol.FAILED:
            number, place = int(rest[0]), rest[1]
            what = launch.cwd if place == protocol.IN_FOLDER else launch.command
            raise OSError(number, os.strerror(number), what)

    def release(self) -> None:
        if not self._is_released:
            self._is_released = True
            self._close_pipes()
            self.hang_up()

    def hang_up(self) -> None:
        self._has_hung_up = True
        with contextlib.suppress(OSError):  # the keeper is gone already
            self._channel.shutdown(socket.SHUT_WR)
        if self._loop.is_closed():  # nobody would read the end of the channel
            self._channel.close()

    async def wait_released(self, limit: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._channel_ended.wait(), limit)
        await self._guardian.wait_exited(limit)
        return self._channel_ended.is_set()

    def _on_channel_readable(self) -> None:
        try:
            data = self._channel.recv(4096)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            self._handle_reply(line.split())
        if not data:
            self._on_channel_end()

    def _handle_reply(self, words: list[bytes]) -> None:
        if words[0] == protocol.ENDED:
            self._report_exit(int(words[1]))
        elif not self._reply.done():
            if words[0] != protocol.FAILED:  # before the end of the channel, which may come with it
                self.pid, self.keeper_pid = int(words[1]), int(words[2])
            self._reply.set_result(words)

    def _on_channel_end(self) -> None:
        """Nothing of the server is left; or the keeper was killed, and the kernel kills it."""
        self._loop.remove_reader(self._channel.fileno())
        self._channel.close()
        keeper, self.keeper_pid = self.keeper_pid, None
        self._channel_ended.set()
        if keeper is not None and not self._has_hung_up:
            self.lost_keeper = True
            self._guardian.note_lost_keeper(keeper)
        if not self._reply.done():
            self._reply.set_exception(GuardianLostError("the guardian did not start the server"))
            self._reply.exception()  # retrieved: the caller may have been cancelled
        elif self.pid:
            self._report_exit(-signal.SIGKILL)
        self._guardian.remove(self)


async def start(launch: LaunchSpec, output: ProcessOutput, guardian: Guardian) -> GuardedProcess:
    """Start a server.

    Raises:
        GuardianLostError: there is no guardian that could start it.
        OSError: it cannot be started (not found, not executable, no such folder, no memory).
        ValueError: a NUL byte in command, arguments or environment.
    """
    order = protocol.pack_order(
        launch.cwd or current_folder() or "", [launch.command, *launch.args], launch.environment
    )
    try:
        return await _start(launch, order, output, guardian)
    except GuardianLostError:  # it died during the request; another request starts a new one
        return await _start(launch, order, output, guardian)


async def _start(
    launch: LaunchSpec, order: bytes, output: ProcessOutput, guardian: Guardian
) -> GuardedProcess:
    ends, server_ends = make_pipes()
    try:
        channel, keeper_channel = socket.socketpair()
    except OSError:
        ends.close()
        server_ends.close()
        raise
    process = GuardedProcess(output, guardian, channel)
    try:
        with _write_to_file(order) as order_file:
            files = [keeper_channel, order_file, *server_ends]
            guardian.request(process, [file.fileno() for file in files])
        process.watch()
    except BaseException:
        channel.close()
        ends.close()
        raise
    finally:
        keeper_channel.close()
        server_ends.close()
    try:
        await process.wait_started(launch, ends)
    except BaseException as error:
        process.release()
        ends.close()
        if isinstance(error, OSError):  # `Guardian.wait_idle` waits for a cancelled start
            await process.wait_released(MAX_FAILED_START_WAIT)
        raise
    return process


def _write_to_file(content: bytes) -> IO[bytes]:
    """A file with `content`: an order may be larger than a socket accepts at once."""
    if hasattr(os, "memfd_create"):  # only in memory, because the environment contains secrets
        file = cast("IO[bytes]", os.fdopen(os.memfd_create("order"), "w+b", 0))
    else:
        file = cast("IO[bytes]", tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    try:
        file.write(content)
    except BaseException:
        file.close()
        raise
    return file
