"""The decisions of the Windows module, with typed stand-ins for asyncio's transport and Windows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.processes.windows import KILL_ON_JOB_CLOSE, Job, WindowsProcess
from tests.processes.recorder import Recorder

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


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


class Windows:
    """Stands for the system; refuses what it is told to."""

    def __init__(self, refuses: str = "") -> None:
        self.asked: list[tuple[str, int, int]] = []
        self._refuses = refuses

    def create_job(self) -> int:
        return self._note("create", 0, 7)

    def limit(self, job: int, flags: int) -> None:
        self._note("limit", job, flags)

    def assign(self, job: int, pid: int) -> None:
        self._note("assign", job, pid)

    def resume(self, pid: int) -> None:
        self._note("resume", 0, pid)

    def terminate(self, job: int) -> None:
        self._note("terminate", job, 0)

    def _note(self, what: str, job: int, value: int) -> int:
        self.asked.append((what, job, value))
        if what == self._refuses:
            raise OSError(what)
        return value


def test_a_server_is_in_the_job_before_it_runs() -> None:
    system = Windows()
    job = Job(system)
    job.add(42)
    assert system.asked == [
        ("create", 0, 7),
        ("limit", 7, KILL_ON_JOB_CLOSE),
        ("assign", 7, 42),
        ("resume", 0, 42),
    ]


def test_there_is_one_job_for_all_servers_and_none_without_one() -> None:
    system = Windows()
    job = Job(system)
    job.kill_all(1.0)
    assert system.asked == []
    job.add(42)
    job.add(43)
    job.kill_all(1.0)
    assert [what for what, *_ in system.asked].count("create") == 1
    assert system.asked[-1] == ("terminate", 7, 0)


def test_a_server_runs_without_the_job_where_that_is_refused(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("outside the app's job")
    system = Windows(refuses="assign")
    Job(system).add(42)
    assert system.asked[-1] == ("resume", 0, 42)


def test_a_job_without_its_limit_is_none(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("outside the app's job")
    system = Windows(refuses="limit")
    Job(system).add(42)
    assert [what for what, *_ in system.asked] == ["create", "limit", "resume"]
