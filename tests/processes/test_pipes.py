"""Pipes pass data on; writing waits while a pipe is full and fails when it is broken."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import IO, TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.processes.pipes import (
    PIPE_BYTES,
    WIDE_PIPE_BYTES,
    PipedProcess,
    ReadPipe,
    WritePipe,
    _unread_bytes,  # pyright: ignore[reportPrivateUsage] a closed pipe is met by chance alone
    make_pipes,
)
from tests.patience import LIMIT
from tests.processes.recorder import GREETING, Recorder, started

if TYPE_CHECKING:
    from pathlib import Path

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def test_what_arrives_is_handed_on_and_the_end_is_told() -> None:
    heard: list[bytes] = []
    pipe = ReadPipe(heard.append, lambda: heard.append(b"end"))
    pipe.data_received(b"a")
    pipe.connection_lost(None)
    assert heard == [b"a", b"end"]


def wide(pipe: IO[bytes]) -> int:
    assert sys.platform == "linux"
    import fcntl

    return fcntl.fcntl(pipe.fileno(), fcntl.F_GETPIPE_SZ)


@pytest.mark.skipif(sys.platform != "linux", reason="pipes of Linux alone can be widened")
async def test_a_pipe_that_was_found_full_holds_more_from_then_on() -> None:
    ours, theirs = make_pipes()
    heard: list[int] = []
    reading = asyncio.Event()

    def take(data: bytes) -> None:
        heard.append(len(data))
        reading.set()

    theirs.stdout.write(b"x" * 100)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: ReadPipe(take, reading.set), ours.stdout)
    for size in (100, PIPE_BYTES):
        async with asyncio.timeout(LIMIT):
            await reading.wait()
        reading.clear()
        assert heard[-1] == size
        assert wide(theirs.stdout) == (PIPE_BYTES if size == 100 else WIDE_PIPE_BYTES)
        theirs.stdout.write(b"x" * PIPE_BYTES)
    transport.close()
    await asyncio.sleep(0)
    ours.close()
    theirs.close()


async def test_a_full_pipe_is_waited_for() -> None:
    pipe = WritePipe()
    pipe.pause_writing()
    waiting = spawn(pipe.wait_writable(), "write")
    await asyncio.sleep(0)
    assert not waiting.done()
    pipe.resume_writing()
    await asyncio.wait_for(waiting, LIMIT)


async def test_a_pipe_that_breaks_while_it_is_full_wakes_whoever_waits() -> None:
    pipe = WritePipe()
    pipe.pause_writing()
    waiting = asyncio.gather(pipe.wait_writable(), return_exceptions=True)
    await asyncio.sleep(0)
    pipe.connection_lost(None)
    (error,) = await asyncio.wait_for(waiting, LIMIT)
    assert isinstance(error, BrokenPipeError)


async def test_a_broken_pipe_takes_nothing() -> None:
    pipe = WritePipe()
    pipe.connection_lost(None)
    with pytest.raises(BrokenPipeError):
        await pipe.wait_writable()


@posix_only
def test_what_one_end_writes_the_other_reads() -> None:
    ours, theirs = make_pipes()
    ours.stdin.write(b"in")
    theirs.stdout.write(b"out")
    theirs.stderr.write(b"err")
    assert (theirs.stdin.read(9), ours.stdout.read(9), ours.stderr.read(9)) == (
        b"in",
        b"out",
        b"err",
    )
    assert not any(os.get_inheritable(end.fileno()) for end in (*ours, *theirs))
    ours.close()
    theirs.close()
    assert all(end.closed for end in (*ours, *theirs))


def test_a_closed_pipe_has_nothing_unread(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        pass
    assert _unread_bytes(file) == 0


class Silence:
    """A process of which nobody hears."""

    def stdout_received(self, data: bytes) -> None: ...
    def stdout_closed(self) -> None: ...
    def stderr_received(self, data: bytes) -> None: ...
    def process_exited(self, code: int) -> None: ...


class Orphaned(PipedProcess):
    """A server that ended while one of its children still holds the other end of its input."""

    async def end(self) -> bytes:
        """What the child reads then, to the end of its input."""
        ours, theirs = make_pipes()
        await self._connect_pipes(ours)
        await self.write(b"in")
        self._close_pipes()
        heard: list[bytes] = []
        closed = asyncio.Event()
        child, _ = await self._loop.connect_read_pipe(
            lambda: ReadPipe(heard.append, closed.set), theirs.stdin
        )
        try:
            await asyncio.wait_for(closed.wait(), LIMIT)
        finally:
            child.close()
            theirs.close()
        return b"".join(heard)


@posix_only
async def test_the_input_ends_with_the_server_and_not_with_its_children() -> None:
    assert await Orphaned(Silence()).end() == b"in"


@posix_only
async def test_input_that_the_server_left_unread_is_noted() -> None:
    process = Orphaned(Silence())
    await process.end()
    assert process.left_input_unread


async def test_what_comes_after_another_listener_was_set_goes_to_that_one_alone() -> None:
    process, before = await started("plain")
    try:
        await process.write(GREETING)
        async with asyncio.timeout(LIMIT):
            await before.spoke.wait()
        heard, after = before.stdout, Recorder()
        process.set_output(after)
        assert not process.left_input_unread
        await process.write(GREETING)
        async with asyncio.timeout(LIMIT):
            await after.spoke.wait()
        process.close_stdin()
        async with asyncio.timeout(LIMIT):
            await after.closed.wait()
            await process.exited.wait()
        assert not process.left_input_unread
        assert (before.stdout, before.closed.is_set(), before.code) == (heard, False, None)
        assert (b'"result"' in after.stdout, after.code) == (True, 0)
    finally:
        process.release()
