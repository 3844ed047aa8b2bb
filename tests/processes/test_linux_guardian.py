"""The guardian exists from the first server to the last, and its end is noticed."""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import chain, count
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "linux":
    raise pytest.skip.Exception("a subreaper is Linux's", allow_module_level=True)

from desktop.base.tasks import spawn
from desktop.processes import process_tree
from desktop.processes.linux_guardian import Guardian, GuardianLostError
from desktop.processes.linux_process import GuardedProcess
from desktop.processes.process import LaunchSpec
from desktop.processes.spawn import start_process
from desktop.processes.tracker import McpProcessTracker
from tests.processes.guarded_app import gone_within
from tests.processes.recorder import Recorder, tracked_server
from tests.processes.test_keeper_process import NO_FORK

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs
    from tests.processes.conftest import NewChildren


SLOW_END = """
import time
from desktop.processes.keeper_process import Keeper
run = Keeper.run
def slow_to_end(self):
    run(self)
    time.sleep(0.05)
Keeper.run = slow_to_end
"""
"""A keeper that ends a while after the last channel, as it now and then does on a busy machine."""
RUN = "from desktop.processes import guardian_process; guardian_process.run()"


async def test_it_comes_with_the_first_server_and_leaves_with_the_last(
    tracker: McpProcessTracker,
) -> None:
    assert tracker.guardian.pid is None
    first, _ = await tracked_server(tracker, "plain")
    pid = tracker.guardian.pid
    assert pid is not None
    assert os.getsid(pid) == pid, "what a terminal ends is not to end it"
    second, _ = await tracked_server(tracker, "plain")
    await tracker.close_connection(first)
    assert tracker.guardian.pid == pid
    assert psutil.pid_exists(pid)
    await tracker.close_connection(second)
    assert tracker.guardian.pid is None
    assert not psutil.pid_exists(pid)


def is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


async def test_the_loop_reads_none_of_its_files_when_it_has_gone(
    tracker: McpProcessTracker,
) -> None:
    """Else the next file of the same number would be taken for it."""
    await tracked_server(tracker, "plain")
    most = max(int(file) for file in os.listdir("/proc/self/fd"))
    await tracker.close_all()
    loop = asyncio.get_running_loop()
    closed = [file for file in range(most + 1) if not is_open(file)]
    assert closed
    assert [file for file in closed if loop.remove_reader(file)] == []


async def test_its_end_is_noticed_and_the_next_server_has_a_new_one(
    expected_logs: ExpectedLogs,
    tracker: McpProcessTracker,
) -> None:
    expected_logs.expect("guardian .* is gone")
    first, _ = await tracked_server(tracker, "daemon_child")
    lost = tracker.guardian.pid
    psutil.Process(lost or 0).kill()
    async with asyncio.timeout(LIMIT):
        while tracker.guardian.pid is not None:  # noqa: ASYNC110 - it is not told to anybody
            await asyncio.sleep(0)
    second, _ = await tracked_server(tracker, "plain")
    assert tracker.guardian.pid not in (None, lost)
    assert await tracker.close_connection(first) == "closed"
    assert await tracker.close_connection(second) == "closed"


async def test_a_lost_keeper_is_said_once_for_all_its_servers(
    tracker: McpProcessTracker, expected_logs: ExpectedLogs, caplog: pytest.LogCaptureFixture
) -> None:
    expected_logs.expect("the process that watches the servers .* ended")
    servers = [(await tracked_server(tracker, "plain"))[0] for _ in range(2)]
    psutil.Process(servers[0].process.keeper_pid).kill()
    for server in servers:
        await asyncio.wait_for(server.process.exited.wait(), LIMIT)
    assert [record.levelname for record in caplog.records].count("WARNING") == 1
    await tracker.close_all()


@pytest.mark.parametrize("with_keeper", [False, True])
async def test_a_server_has_a_new_one_although_the_end_of_the_last_was_not_noticed_yet(
    expected_logs: ExpectedLogs, tracker: McpProcessTracker, with_keeper: bool
) -> None:
    expected_logs.expect("guardian .* is gone")
    if with_keeper:
        expected_logs.expect("the process that watches .* ended")
    first, _ = await tracked_server(tracker, "plain")
    assert first.keeper is not None
    lost = psutil.Process(tracker.guardian.pid)
    ended = [first.keeper, lost] if with_keeper else [lost]
    for each in ended:
        each.kill()
    assert gone_within(LIMIT, ended)  # without a turn of the loop
    second, _ = await tracked_server(tracker, "plain")
    assert second.process.keeper_pid is not None
    assert second.keeper == psutil.Process(second.process.keeper_pid) != first.keeper
    assert tracker.guardian.pid not in (None, lost.pid)
    await tracker.close_all()


async def test_the_loop_goes_on_while_its_end_is_waited_for(
    expected_logs: ExpectedLogs, tracker: McpProcessTracker
) -> None:
    expected_logs.expect("guardian .* does not end; killing it")
    expected_logs.allow("watches the servers")
    tracked, _ = await tracked_server(tracker, "plain")
    stopped = psutil.Process(tracker.guardian.pid)
    stopped.suspend()
    guardian = tracker.guardian
    assert isinstance(guardian, Guardian)
    assert isinstance(tracked.process, GuardedProcess)
    guardian.remove(tracked.process)
    waiting = spawn(guardian.wait_exited(0.05), "wait")
    await asyncio.sleep(0)
    assert not waiting.done()
    await asyncio.wait_for(waiting, LIMIT)
    assert gone_within(0, [stopped])
    await tracker.close_connection(tracked)


async def test_ending_it_needs_no_loop_and_takes_every_server_with_it(
    tracker: McpProcessTracker,
) -> None:
    tracked, _ = await tracked_server(tracker, "stubborn")
    tracker.guardian.kill_all(LIMIT)
    assert not psutil.pid_exists(tracked.process.pid)
    await asyncio.wait_for(tracked.process.exited.wait(), LIMIT)
    tracked.process.release()


async def test_where_it_cannot_be_started_servers_are_without_it(
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("started without the guardian")
    guardian = Guardian(["/nowhere/at/all"])
    with pytest.raises(GuardianLostError, match="No such file"):
        guardian.request(Nobody(), [])
    recorder = Recorder()
    process = await start_process(LaunchSpec("/bin/cat", (), os.environ), recorder, guardian)
    assert process.keeper_pid is None
    process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()


async def test_one_that_gets_no_further_process_says_so_and_stays(
    new_children: NewChildren,
) -> None:
    guardian = Guardian([sys.executable, "-c", f"{NO_FORK}\n{RUN}"])
    launch = LaunchSpec("/bin/cat", (), os.environ)
    with pytest.raises(BlockingIOError):
        await start_process(launch, Recorder(), guardian)
    await guardian.wait_idle(LIMIT)
    assert new_children() == []


async def test_one_that_ends_at_once_is_as_good_as_none(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("guardian .* is gone")
    expected_logs.expect("started without the guardian")
    recorder = Recorder()
    launch = LaunchSpec("/bin/cat", (), os.environ)
    process = await start_process(launch, recorder, Guardian(["/bin/true"]))
    assert process.keeper_pid is None
    process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    await asyncio.sleep(0.05)


async def test_a_start_that_is_cancelled_at_any_moment_is_gone_when_all_is_closed(
    tracker: McpProcessTracker, new_children: NewChildren
) -> None:
    for turns in chain([0], (2**power for power in count())):
        starting = spawn(tracked_server(tracker, "plain"), "start")
        for _ in range(turns):
            await asyncio.sleep(0)
        was_late = starting.done()
        starting.cancel()
        await asyncio.wait({starting})
        await tracker.close_all()
        assert new_children() == []  # not even a zombie, now and not later
        if was_late:
            break


def test_a_start_that_ended_with_its_loop_is_gone_when_the_next_loop_closes_all(
    new_children: NewChildren,
) -> None:
    tracker = McpProcessTracker()

    async def begin() -> None:
        spawn(tracked_server(tracker, "plain"), "start")
        for _ in range(10):
            await asyncio.sleep(0)

    async def start_and_close() -> None:
        await tracked_server(tracker, "plain")
        await tracker.close_all()

    asyncio.run(begin())
    assert new_children() != []
    asyncio.run(start_and_close())
    assert new_children() == []


async def test_one_that_was_stopped_is_ended_all_the_same(
    tracker: McpProcessTracker, new_children: NewChildren
) -> None:
    tracked, _ = await tracked_server(tracker, "plain")
    psutil.Process(tracker.guardian.pid or 0).suspend()
    await tracker.close_connection(tracked)
    await tracker.close_all()
    assert new_children() == []


async def test_one_that_never_answers_is_killed_when_all_is_closed(
    expected_logs: ExpectedLogs, tracker: McpProcessTracker, new_children: NewChildren
) -> None:
    expected_logs.expect("guardian .* does not end")
    tracker.guardian = Guardian(["/bin/sleep", "60"])
    starting = spawn(tracked_server(tracker, "plain"), "start")
    for _ in range(10):
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait({starting})
    await tracker.close_all()
    assert new_children() == []


async def test_what_was_stopped_is_ended_without_a_loop_too(
    expected_logs: ExpectedLogs, tracker: McpProcessTracker, new_children: NewChildren
) -> None:
    expected_logs.expect("guardian .* does not end")
    tracked, _ = await tracked_server(tracker, "stubborn")
    keeper = tracked.keeper
    assert keeper is not None
    for process in (psutil.Process(tracker.guardian.pid or 0), keeper):
        process.suspend()
    tracker.kill_all()
    assert new_children() == []
    assert tracked.identity is not None
    assert gone_within(LIMIT, [keeper, tracked.identity])
    tracked.process.release()


@pytest.mark.parametrize("has_ended", [True, False])
async def test_a_keeper_that_was_stopped_goes_on_where_a_server_has_to_end(
    tracker: McpProcessTracker, monkeypatch: pytest.MonkeyPatch, has_ended: bool
) -> None:
    for limit in ("TERMINATE_AFTER", "MAX_REAP_WAIT"):
        monkeypatch.setattr(f"desktop.processes.tracker.{limit}", 0.05)
    first, _ = await tracked_server(tracker, "plain")
    second, _ = await tracked_server(tracker, "daemon_child")
    assert second.keeper is not None
    assert second.keeper == first.keeper
    if has_ended:
        second.process.close_stdin()
        await asyncio.wait_for(second.process.exited.wait(), LIMIT)
    second.keeper.suspend()
    assert await tracker.close_connection(second) == "closed"
    assert not second.is_alive
    assert first.is_alive
    assert second.keeper.status() != psutil.STATUS_STOPPED


async def test_killing_all_returns_when_a_stopped_keeper_is_gone_too(
    tracker: McpProcessTracker, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("guardian .* is gone")
    tracker.guardian = Guardian([sys.executable, "-c", f"{SLOW_END}\n{RUN}"])
    tracked, _ = await tracked_server(tracker, "stubborn")
    assert tracked.keeper is not None
    psutil.Process(tracker.guardian.pid or 0).kill()
    tracked.keeper.suspend()
    tracker.kill_all()
    assert not process_tree.is_alive(tracked.keeper)
    assert not tracked.is_alive
    tracked.process.release()


@pytest.mark.parametrize("server", ["plain", "stubborn"])
async def test_closing_all_leaves_no_keeper_when_the_guardian_was_killed(
    tracker: McpProcessTracker, server: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("guardian .* is gone")
    tracker.guardian = Guardian([sys.executable, "-c", f"{SLOW_END}\n{RUN}"])
    tracked, _ = await tracked_server(tracker, server)
    psutil.Process(tracker.guardian.pid or 0).kill()
    assert tracked.keeper is not None
    await tracker.close_all()
    assert not process_tree.is_alive(tracked.keeper)
    assert not tracked.is_alive


class Nobody:
    """A user without a server."""

    is_releasing = False

    def hang_up(self) -> None: ...
