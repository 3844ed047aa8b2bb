"""A server process of the proactor loop, with a typed stand-in for asyncio's transport."""

from __future__ import annotations

import asyncio

import pytest

from desktop.processes.windows import WindowsProcess
from tests.processes.recorder import Recorder


class Pipe(asyncio.WriteTransport):
    """A pipe of the stand-in that keeps what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


class Transport(asyncio.SubprocessTransport):
    """Stands for the proactor's transport of a process that ended with code 3."""

    def __init__(self) -> None:
        super().__init__()
        self.stdin = Pipe()

    def get_pid(self) -> int:
        return 42

    def get_returncode(self) -> int:
        return 3

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        return self.stdin if fd == 0 else None


def connected() -> tuple[WindowsProcess, Recorder, Transport]:
    recorder, transport = Recorder(), Transport()
    process = WindowsProcess(recorder)
    process.connection_made(transport)
    return process, recorder, transport


def test_output_is_told_apart_by_its_pipe() -> None:
    process, recorder, _ = connected()
    process.pipe_data_received(1, b"out")
    process.pipe_data_received(2, b"err")
    process.pipe_connection_lost(1, None)
    assert (recorder.stdout, recorder.stderr) == (b"out", b"err")
    assert recorder.closed.is_set()


def test_an_exit_is_told_with_its_code() -> None:
    process, recorder, _ = connected()
    process.process_exited()
    assert process.exited.is_set()
    assert (process.pid, recorder.code) == (42, 3)


async def test_writing_goes_to_stdin_until_it_is_closed() -> None:
    process, _, transport = connected()
    await process.write(b"message")
    assert transport.stdin.written == b"message"
    process.close_stdin()
    with pytest.raises(BrokenPipeError):
        await process.write(b"more")


async def test_writing_to_a_broken_pipe_fails() -> None:
    process, _, _ = connected()
    process.pipe_connection_lost(0, None)
    with pytest.raises(BrokenPipeError):
        await process.write(b"message")
