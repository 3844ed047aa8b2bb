"""A server under a keeper works like a child of the app, and ends with everything it started."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "linux":
    raise pytest.skip.Exception("a subreaper is Linux's", allow_module_level=True)

from desktop.processes import guardian_protocol as protocol
from desktop.processes.linux_guardian import Guardian
from desktop.processes.linux_process import MAX_START_WAIT, GuardedProcess, start
from desktop.processes.pipes import make_pipes
from desktop.processes.process import LaunchSpec
from tests.processes.guarded_app import gone_within
from tests.processes.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

READS = "import sys; sys.stdin.read()"
RUNNERS = """
import os, sys, time
end = time.monotonic() + 20
for _ in range(5):
    if os.fork() == 0:
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            os.setsid()
        os._exit(0)
print("running", flush=True)
sys.stdin.read()
"""
"""Five processes that each have another PID and session every moment."""
ORPHAN = """
import os, sys
if os.fork() == 0:
    if os.fork() == 0:
        print(os.getpid(), flush=True)
    os._exit(0)
os.wait()
sys.stdin.read()
"""


@pytest.fixture
async def guardian() -> AsyncIterator[Guardian]:
    guardian = Guardian()
    yield guardian
    guardian.kill_all(LIMIT)


def launch(code: str, **environment: str) -> LaunchSpec:
    return LaunchSpec(sys.executable, ("-S", "-c", code), {**os.environ, **environment})


async def ended(process: GuardedProcess) -> None:
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    assert await process.wait_released(LIMIT)


async def test_what_a_process_writes_is_heard_and_its_exit_code_known(guardian: Guardian) -> None:
    recorder = Recorder()
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)"
    process = await start(launch(code), recorder, guardian)
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    await ended(process)
    assert (recorder.stdout, recorder.stderr) == (b"out\n", b"err\n")
    assert recorder.code == process.exit_code == 7


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
async def test_a_signal_that_ends_a_process_is_its_negative_exit_code(
    number: signal.Signals, guardian: Guardian
) -> None:
    recorder = Recorder()
    code = f"import os, resource; resource.setrlimit(4, (0, 0)); os.kill(os.getpid(), {number})"
    await ended(await start(launch(code), recorder, guardian))
    assert recorder.code == -number


async def test_its_pid_and_its_group_are_its_own_until_it_is_released(guardian: Guardian) -> None:
    process = await start(launch(READS), Recorder(), guardian)
    assert os.getpgid(process.pid) == os.getsid(process.pid) == process.pid
    process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    assert psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    await ended(process)
    assert not psutil.pid_exists(process.pid)


async def test_a_large_write_arrives_whole(guardian: Guardian) -> None:
    recorder = Recorder()
    code = "import sys; print(len(sys.stdin.buffer.read()))"
    process = await start(launch(code), recorder, guardian)
    await process.write(b"x" * 3_000_000)
    process.close_stdin()
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    await ended(process)
    assert recorder.stdout == b"3000000\n"
    with pytest.raises(BrokenPipeError):
        await process.write(b"more")


async def test_arguments_environment_and_folder_arrive(
    guardian: Guardian, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hasattr(os, "memfd_create"):  # then what is secret in the environment is on no disk
        monkeypatch.delattr("tempfile.TemporaryFile")
    recorder = Recorder()
    code = "import os, sys; print(sys.argv[1:], os.getcwd(), len(os.environ['BIG']))"
    environment = {f"V{number}": "x" * 100_000 for number in range(5)} | {"BIG": "y" * 100_000}
    arguments = ("-S", "-c", code, "", "a b", "ü")
    wanted = LaunchSpec(sys.executable, arguments, environment, str(tmp_path))
    process = await start(wanted, recorder, guardian)
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    await ended(process)
    said = recorder.stdout.decode()
    assert said.startswith(f"['', 'a b', 'ü'] {tmp_path} 100000"), (said, recorder.stderr)


async def test_a_process_starts_where_the_app_is_now(
    guardian: Guardian, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await start(launch(READS), Recorder(), guardian)
    monkeypatch.chdir(tmp_path)
    second = await start(launch(READS), Recorder(), guardian)
    assert os.readlink(f"/proc/{second.pid}/cwd") == str(tmp_path)
    for process in (first, second):
        process.close_stdin()
        await ended(process)


async def test_a_command_without_a_path_is_looked_up_in_the_environment_given(
    guardian: Guardian,
) -> None:
    recorder = Recorder()
    wanted = LaunchSpec("sh", ("-c", "echo found"), {"PATH": "/nowhere:/bin:/usr/bin"})
    await ended(await start(wanted, recorder, guardian))
    assert recorder.code == 0


async def test_what_cannot_be_started_fails_with_its_own_error(
    guardian: Guardian, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    plain.write_text("no program")
    with pytest.raises(FileNotFoundError, match="/nowhere/at/all"):
        await start(LaunchSpec("/nowhere/at/all"), Recorder(), guardian)
    assert guardian.pid is None, "it has not waited until nothing was left of it"
    with pytest.raises(PermissionError, match="plain"):
        await start(LaunchSpec(str(plain)), Recorder(), guardian)
    with pytest.raises(NotADirectoryError, match="plain"):
        await start(LaunchSpec("/bin/cat", cwd=str(plain)), Recorder(), guardian)
    with pytest.raises(FileNotFoundError, match="/no/such/folder"):
        await start(LaunchSpec("/bin/cat", cwd="/no/such/folder"), Recorder(), guardian)
    with pytest.raises(ValueError):
        await start(LaunchSpec("/bin/cat", ("a\0b",)), Recorder(), guardian)
    with pytest.raises(OSError, match="Argument list too long"):
        await start(LaunchSpec("/bin/cat", ("x" * 3_000_000,)), Recorder(), guardian)


async def test_a_killed_keeper_ends_its_server_and_that_is_noticed(
    guardian: Guardian, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("the process that watches the servers .* ended")
    expected_logs.allow("guardian .* is gone")
    recorder = Recorder()
    process = await start(launch(READS), recorder, guardian)
    assert process.keeper_pid is not None
    keeper = psutil.Process(process.keeper_pid)
    keeper.kill()
    assert gone_within(LIMIT, [keeper])
    # Asked for before that is noticed: the guardian must not keep the request for a dead keeper.
    async with asyncio.timeout(MAX_START_WAIT / 2):
        after = await start(launch(READS), Recorder(), guardian)
    await ended(process)
    assert recorder.code == -signal.SIGKILL
    assert process.keeper_pid is None
    assert process.lost_keeper
    after.close_stdin()
    await ended(after)


async def test_a_keeper_that_ends_with_its_reply_is_noticed_too(
    guardian: Guardian, expected_logs: ExpectedLogs
) -> None:
    """On a busy machine both are read in one turn, before who waits for the start has its own."""
    expected_logs.expect("the process that watches the servers .* ended")
    channel, keeper_channel = socket.socketpair()
    ends, server_ends = make_pipes()
    recorder = Recorder()
    process = GuardedProcess(recorder, guardian, channel)
    process.watch()
    keeper_channel.send(b"%s %d 4711\n" % (protocol.STARTED, os.getpid()))
    keeper_channel.close()
    server_ends.close()
    await process.wait_started(LaunchSpec("server"), ends)
    assert process.lost_keeper
    await ended(process)
    assert recorder.code == -signal.SIGKILL


async def test_an_orphan_is_reaped_while_its_server_runs(guardian: Guardian) -> None:
    recorder = Recorder()
    process = await start(launch(ORPHAN), recorder, guardian)
    await asyncio.wait_for(recorder.spoke.wait(), LIMIT)
    orphan = int(recorder.stdout)
    async with asyncio.timeout(LIMIT):
        while psutil.pid_exists(orphan):  # noqa: ASYNC110 - not our child
            await asyncio.sleep(0.001)
    process.close_stdin()
    await ended(process)


async def test_processes_that_fork_and_exit_without_end_are_caught(guardian: Guardian) -> None:
    recorder = Recorder()
    process = await start(launch(RUNNERS), recorder, guardian)
    await asyncio.wait_for(recorder.spoke.wait(), LIMIT)
    keeper = psutil.Process(process.keeper_pid or 0)
    process.release()
    assert await process.wait_released(LIMIT)
    assert not keeper.is_running()


async def test_many_starts_leave_neither_files_nor_processes(guardian: Guardian) -> None:
    other = await start(launch(READS), Recorder(), guardian)
    assert guardian.pid is not None
    own, its = psutil.Process(), psutil.Process(guardian.pid)
    before = own.num_fds(), its.num_fds()
    for number in range(100):
        command = "/bin/true" if number % 5 else "/nowhere/at/all"
        try:
            process = await start(LaunchSpec(command), Recorder(), guardian)
        except FileNotFoundError:
            continue
        await ended(process)
    await only_child_left(its)
    async with asyncio.timeout(LIMIT):  # it opens one for a moment as it looks for its children
        while (own.num_fds(), its.num_fds()) != before:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.002)
    other.close_stdin()
    await ended(other)


async def only_child_left(guardian: psutil.Process) -> None:
    """The guardian reaps a keeper a moment after its channel has ended."""
    async with asyncio.timeout(LIMIT):
        while len(guardian.children()) > 1:  # noqa: ASYNC110 - not our children
            await asyncio.sleep(0.002)


async def test_twenty_at_once_all_start(guardian: Guardian) -> None:
    processes = await asyncio.gather(
        *(start(launch(READS), Recorder(), guardian) for _ in range(20))
    )
    assert len({process.pid for process in processes}) == 20
    for process in processes:
        process.close_stdin()
    await asyncio.gather(*(ended(process) for process in processes))


async def test_a_start_that_is_cancelled_leaves_nothing(guardian: Guardian) -> None:
    other = await start(launch(READS), Recorder(), guardian)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(start(launch(READS), Recorder(), guardian), 0)
    for delay in (0.0005, 0.001, 0.002):
        try:
            async with asyncio.timeout(delay):
                late = await start(launch(READS), Recorder(), guardian)
        except TimeoutError:
            continue
        late.release()
    await only_child_left(psutil.Process(guardian.pid or 0))
    other.close_stdin()
    await ended(other)


async def test_servers_go_on_when_the_guardian_is_killed(
    guardian: Guardian, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("guardian .* is gone")
    first = await start(launch(READS), Recorder(), guardian)
    psutil.Process(guardian.pid or 0).kill()
    second = await start(launch(READS), Recorder(), guardian)
    for process in (first, second):
        assert process.exit_code is None
        process.close_stdin()
        await ended(process)
