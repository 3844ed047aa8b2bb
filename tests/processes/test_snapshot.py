"""What runs, to whom it belongs and what it uses, with real servers and their children."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

from desktop.processes import process_tree
from desktop.processes.process_tree import kill_tree
from desktop.processes.snapshot import ProcessMonitor
from desktop.processes.tracker import McpProcessTracker
from tests.patience import LIMIT
from tests.processes.recorder import tracked_server
from tests.processes.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from desktop.processes.snapshot import ProcessGroup, Snapshot

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the test servers need POSIX")


@pytest.fixture
async def tracker() -> AsyncIterator[McpProcessTracker]:
    made = McpProcessTracker()
    yield made
    await made.close_all()


def group(snapshot: Snapshot, owner: str) -> ProcessGroup:
    return next(group for group in snapshot.servers if group.owner == owner)


async def test_a_server_is_shown_with_all_it_started(tracker: McpProcessTracker) -> None:
    tracked, _ = await tracked_server(tracker, "many_children", "--count", 3)
    snapshot = ProcessMonitor(tracker).take_snapshot()
    if sys.platform == "linux":
        assert snapshot.keepers is not None
        owners = [each.owner for each in snapshot.groups]
        assert owners == ["many_children", "keepers", "mcp-desktop"]
    (server,) = snapshot.servers
    first, *children = server.processes
    assert (server.owner, server.count) == ("many_children", 4)
    assert (first.pid, first.parent) == (tracked.process.pid, None)
    assert [child.parent for child in children] == [first.pid] * 3
    assert "many_children.py" in first.command
    assert server.memory == sum(info.memory for info in server.processes) > 4_000_000
    assert 0 <= first.age < 24 * 3600
    assert all(info.owner == "many_children" for info in server.processes)


async def test_the_app_itself_is_a_group_of_its_own(tracker: McpProcessTracker) -> None:
    app = ProcessMonitor(tracker, "the app").take_snapshot().app
    assert (app.kind, app.owner) == ("app", "the app")
    assert app.processes[0].pid == os.getpid()
    assert app.memory > 0


async def test_what_left_the_servers_session_is_still_the_servers(
    tracker: McpProcessTracker,
) -> None:
    await tracked_server(tracker, "setsid_child")
    await tracked_server(tracker, "plain")
    snapshot = ProcessMonitor(tracker).take_snapshot()
    assert group(snapshot, "setsid_child").count == 2
    assert group(snapshot, "plain").count == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a keeper is Linux's")
async def test_a_daemon_without_environment_is_still_its_servers(
    tracker: McpProcessTracker,
) -> None:
    await tracked_server(tracker, "daemon_child")
    await tracked_server(tracker, "plain")
    snapshot = ProcessMonitor(tracker).take_snapshot()
    assert group(snapshot, "daemon_child").count == 2
    assert group(snapshot, "plain").count == 1


async def test_cpu_is_known_from_the_second_look_on(tracker: McpProcessTracker) -> None:
    await tracked_server(tracker, "plain")
    monitor = ProcessMonitor(tracker)
    first = monitor.take_snapshot()
    assert (first.servers[0].cpu, first.lacks_cpu) == (None, True)
    busy = sum(range(2_000_000))
    snapshot = monitor.take_snapshot()
    assert busy
    assert not snapshot.lacks_cpu
    assert [each.cpu is None for each in snapshot.groups] == [False] * len(first.groups)
    assert snapshot.app.cpu is not None
    assert snapshot.app.cpu > 0
    monitor.forget()
    assert monitor.take_snapshot().lacks_cpu


async def test_ending_a_server_ends_all_below_it(tracker: McpProcessTracker) -> None:
    tracked, _ = await tracked_server(tracker, "many_children", "--count", 3)
    (server,) = ProcessMonitor(tracker).take_snapshot().servers
    kill_tree(server.processes[0].process)
    processes = [info.process for info in server.processes]
    assert await process_tree.wait_gone(processes, LIMIT)
    await tracked.process.exited.wait()


async def test_ending_a_child_leaves_the_server(tracker: McpProcessTracker) -> None:
    tracked, _ = await tracked_server(tracker, "leaves_child")
    server, child = ProcessMonitor(tracker).take_snapshot().servers[0].processes
    kill_tree(child.process)
    assert await process_tree.wait_gone([child.process], LIMIT)
    assert tracked.process.exit_code is None
    assert process_tree.is_alive(server.process)


async def test_a_pid_that_another_process_has_by_now_is_not_killed(
    tracker: McpProcessTracker,
) -> None:
    tracked, _ = await tracked_server(tracker, "leaves_child")
    kill_tree(Reused(tracked.process.pid))
    assert tracked.process.exit_code is None
    assert len(process_tree.descendants(tracked.process.pid)) == 1


async def test_what_ended_and_was_not_collected_is_called_by_its_name(
    tracker: McpProcessTracker,
) -> None:
    tracked, _ = await tracked_server(tracker, "plain")
    tracked.process.close_stdin()
    await tracked.process.exited.wait()
    (zombie,) = ProcessMonitor(tracker).take_snapshot().servers[0].processes
    assert zombie.state == psutil.STATUS_ZOMBIE
    assert zombie.command == zombie.name != ""


def test_what_executes_another_program_is_called_by_that_from_then_on() -> None:
    command = ["/bin/sh", "-c", "echo; read line; exec cat"]
    monitor = ProcessMonitor(McpProcessTracker())
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for said, name in ((b"", "sh"), (b"\nnow cat\n", "cat")):
            process.stdin.write(said)
            process.stdin.flush()
            process.stdout.readline()
            shown = {each.pid: each.short for each in monitor.take_snapshot().app.processes}
            assert shown[process.pid].split()[0] == name


class Reused(psutil.Process):
    """What psutil holds of a process that is gone and whose PID another one has now."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._ident = (pid, 1.0)


@pytest.fixture
def ended_pid() -> int:
    with subprocess.Popen(["/bin/true"]) as process:
        return process.pid


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        yield process
        process.kill()


@pytest.fixture
def server() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        yield process
        process.kill()


async def test_a_stranger_who_was_given_the_pid_of_an_ended_server_is_not_shown_as_it(
    tracker: McpProcessTracker, ended_pid: int, stranger: subprocess.Popen[bytes]
) -> None:
    process = StandIn(ended_pid)
    tracker.add("server", process, uuid4().hex)
    process.pid = stranger.pid
    assert ProcessMonitor(tracker).take_snapshot().servers == ()
    process.exited.set()
    await tracker.close_all()
    assert stranger.poll() is None


async def test_on_windows_a_member_of_the_servers_job_is_shown_as_the_servers(
    tracker: McpProcessTracker,
    ended_pid: int,
    stranger: subprocess.Popen[bytes],
    server: subprocess.Popen[bytes],
) -> None:
    process = StandIn(server.pid)
    process.job = [server.pid, stranger.pid, ended_pid]  # a child of ours, and in its job
    tracker.add("server", process, uuid4().hex)
    snapshot = ProcessMonitor(tracker).take_snapshot()
    shown = [info.pid for info in group(snapshot, "server").processes]
    assert sorted(shown) == sorted([server.pid, stranger.pid])
    assert stranger.pid not in [info.pid for info in snapshot.app.processes]
    process.exited.set()


async def test_the_memory_of_all_servers_is_the_sum_of_theirs(tracker: McpProcessTracker) -> None:
    await tracked_server(tracker, "plain")
    await tracked_server(tracker, "leaves_child")
    snapshot = ProcessMonitor(tracker).take_snapshot()
    first, second = snapshot.servers
    assert snapshot.memory == first.memory + second.memory > first.memory > 0


async def test_a_server_that_ended_is_in_no_later_snapshot(tracker: McpProcessTracker) -> None:
    tracked, _ = await tracked_server(tracker, "leaves_child")
    monitor = ProcessMonitor(tracker)
    assert monitor.take_snapshot().count == 2
    await tracker.close_connection(tracked)
    assert monitor.take_snapshot().servers == ()


async def test_hundreds_of_processes_are_counted_but_not_all_described(
    tracker: McpProcessTracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.processes.snapshot.MAX_DESCRIBED", 2)
    await tracked_server(tracker, "many_children", "--count", 4)
    (server,) = ProcessMonitor(tracker).take_snapshot().servers
    assert (server.count, len(server.processes)) == (5, 2)
