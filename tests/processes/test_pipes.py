"""Bytes are handed on; writing waits while a pipe is full and fails when it is broken."""

from __future__ import annotations

import asyncio

import pytest

from desktop.processes.pipes import ReadPipe, WritePipe
from desktop.tasks import spawn


def test_what_arrives_is_handed_on_and_the_end_is_told() -> None:
    heard: list[bytes] = []
    pipe = ReadPipe(heard.append, lambda: heard.append(b"end"))
    pipe.data_received(b"a")
    pipe.connection_lost(None)
    assert heard == [b"a", b"end"]


async def test_a_full_pipe_is_waited_for() -> None:
    pipe = WritePipe()
    pipe.pause_writing()
    waiting = spawn(pipe.ready(), "write")
    await asyncio.sleep(0)
    assert not waiting.done()
    pipe.resume_writing()
    await asyncio.wait_for(waiting, 5)


async def test_a_pipe_that_breaks_while_it_is_full_wakes_whoever_waits() -> None:
    pipe = WritePipe()
    pipe.pause_writing()
    waiting = asyncio.gather(pipe.ready(), return_exceptions=True)
    await asyncio.sleep(0)
    pipe.connection_lost(None)
    (error,) = await asyncio.wait_for(waiting, 5)
    assert isinstance(error, BrokenPipeError)


async def test_a_broken_pipe_takes_nothing() -> None:
    pipe = WritePipe()
    pipe.connection_lost(None)
    with pytest.raises(BrokenPipeError):
        await pipe.ready()
