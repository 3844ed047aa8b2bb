"""A process is started in a session of its own, read, and noticed when it ends."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform == "win32":
    raise pytest.skip.Exception("POSIX only", allow_module_level=True)

from desktop.base.tasks import spawn
from desktop.processes.posix import PosixProcess, start
from desktop.processes.process import LaunchSpec
from tests.processes.recorder import Recorder

if TYPE_CHECKING:
    from tests.processes.conftest import NewChildren


def launch(code: str) -> LaunchSpec:
    return LaunchSpec(sys.executable, ("-S", "-c", code), os.environ)


def no_pidfd(pid: int) -> int:
    raise OSError(errno.ENOSYS, "no such call")


@pytest.mark.parametrize("has_pidfd", [True, False])
async def test_what_a_process_writes_is_heard_and_its_exit_code_known(
    monkeypatch: pytest.MonkeyPatch, has_pidfd: bool
) -> None:
    if not has_pidfd:  # as before Linux 5.3
        monkeypatch.setattr(os, "pidfd_open", no_pidfd, raising=False)
    recorder = Recorder()
    code = "import sys; input(); print('out'); print('err', file=sys.stderr); sys.exit(7)"
    process = await start(launch(code), recorder)
    process.pause_reading()
    await process.write(b"\n")
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    assert recorder.stdout == b""
    process.resume_reading()
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    process.release()
    assert (recorder.stdout, recorder.stderr) == (b"out\n", b"err\n")
    assert recorder.code == process.exit_code == 7
    assert not process.lost_keeper


async def test_a_signal_that_ends_a_process_is_its_negative_exit_code() -> None:
    recorder = Recorder()
    process = await start(
        launch("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"), recorder
    )
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    assert recorder.code == -9


async def test_the_process_leads_a_group_of_its_own() -> None:
    process = await start(launch("import sys; sys.stdin.read()"), Recorder())
    assert os.getpgid(process.pid) == process.pid
    process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()


def is_watching() -> bool:
    """Whether a pidfd is open, or the loop still reads one that was closed (Linux)."""
    if sys.platform != "linux":
        return False
    loop = asyncio.get_running_loop()
    for file in range(1 + max(map(int, os.listdir("/proc/self/fd")))):
        try:
            is_pidfd = "pidfd" in os.readlink(f"/proc/self/fd/{file}")
        except FileNotFoundError:
            is_pidfd = loop.remove_reader(file)
        if is_pidfd:
            return True
    return False


async def test_its_pid_stays_taken_until_it_is_released() -> None:
    process = await start(launch("import sys; sys.stdin.read()"), Recorder())
    process.close_stdin()
    with pytest.raises(BrokenPipeError):
        await process.write(b"late")
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    assert psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    assert not is_watching(), "else the loop would be woken until it is released"
    process.release()
    assert not psutil.pid_exists(process.pid)


async def test_a_large_write_waits_for_the_reader_and_arrives_whole() -> None:
    recorder = Recorder()
    code = "import sys; print(len(sys.stdin.buffer.read()))"
    process = await start(launch(code), recorder)
    await process.write(b"x" * 3_000_000)
    process.close_stdin()
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    assert recorder.stdout == b"3000000\n"


async def test_writing_to_a_process_that_closed_its_input_is_a_broken_pipe() -> None:
    recorder = Recorder()
    code = "import os, sys; os.close(0); print('closed', flush=True); import signal; signal.pause()"
    process = await start(launch(code), recorder)
    await asyncio.wait_for(recorder.spoke.wait(), LIMIT)
    with pytest.raises(BrokenPipeError):
        await write_until_it_fails(process)
    psutil.Process(process.pid).kill()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()


async def write_until_it_fails(process: PosixProcess) -> None:
    while True:
        await process.write(b"x" * 100_000)
        await asyncio.sleep(0)


async def test_a_command_that_does_not_exist_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        await start(LaunchSpec("/nowhere/at/all"), Recorder())


async def test_releasing_twice_is_harmless() -> None:
    process = await start(launch(""), Recorder())
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    process.release()


async def test_a_start_that_is_cancelled_leaves_nothing(new_children: NewChildren) -> None:
    starting = spawn(start(launch("import time; time.sleep(60)"), Recorder()), "start")
    await asyncio.sleep(0)  # up to where it connects the pipes: the process is there already
    assert new_children()
    starting.cancel()
    await asyncio.wait({starting})
    assert starting.cancelled()
    assert new_children() == []
