"""However a server behaves, closing it leaves none of its processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest
from msgspec.structs import replace

from tests.patience import LIMIT

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from desktop.base.tasks import spawn
from desktop.processes import process_tree
from desktop.processes.process import LaunchSpec, TreeLimits
from desktop.processes.tracker import (
    MAX_RECENT_EXITS,
    McpProcessTracker,
    RecentExits,
    ShutdownReport,
)
from tests.processes.guarded_app import added_line
from tests.processes.recorder import Recorder, tracked_server
from tests.processes.stand_in import StandIn
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

LEAVES_SOMETHING = [
    ["leaves_child"],
    ["setsid_child"],
    ["many_children"],
    ["daemon_child", "--environment", "keep"],
    pytest.param(
        ["daemon_child"],
        marks=pytest.mark.skipif(sys.platform != "linux", reason="only a keeper finds it"),
    ),
]


def survivors(marker: str) -> list[str]:
    """Command lines of processes that carry the marker of a test among their arguments."""
    found: list[str] = []
    for process in psutil.process_iter(["cmdline", "status"]):
        arguments: list[str] = process.info["cmdline"] or []
        if marker in arguments and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(" ".join(arguments))
    return found


@contextmanager
def no_more_files(room: int = 0) -> Generator[None]:
    """Let this process open `room` more files than it has."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (psutil.Process().num_fds() + 50, limits[1]))
    try:
        with suppress(OSError):
            while True:
                opened.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(room):
            os.close(opened.pop())
        yield
    finally:
        for file in opened:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("server", LEAVES_SOMETHING)
async def test_a_server_that_ends_by_itself_is_closed_with_all_it_left(
    server: list[str], tracker: McpProcessTracker
) -> None:
    marker = uuid4().hex
    tracked, _ = await tracked_server(tracker, *server, "--marker", marker)
    assert survivors(marker)
    assert await tracker.close_connection(tracked) == "closed"
    assert survivors(marker) == []
    assert tracker.tracked == ()


@pytest.mark.skipif(sys.platform != "linux", reason="a keeper is Linux's")
async def test_an_app_that_can_open_no_more_files_still_ends_its_servers(
    tracker: McpProcessTracker,
) -> None:
    marker = uuid4().hex
    for server in ("plain", "setsid_child", "daemon_child"):
        await tracked_server(tracker, server, "--marker", marker)
    with no_more_files():
        receipt = await tracker.close_all()
    assert receipt == ShutdownReport(closed=("plain", "setsid_child", "daemon_child"))
    late = ShutdownReport(("late",), ("stubborn",), ("stuck",))
    assert late + late == ShutdownReport(("late",) * 2, ("stubborn",) * 2, ("stuck",) * 2)
    assert survivors(marker) == []


@pytest.mark.skipif(sys.platform != "linux", reason="a keeper is Linux's")
async def test_a_start_without_files_for_it_fails_and_leaves_none_open(
    tracker: McpProcessTracker,
) -> None:
    await tracked_server(tracker, "plain")
    before = psutil.Process().num_fds()
    room = 0
    while len(tracker.tracked) == 1:  # until there is enough
        with suppress(OSError), no_more_files(room):
            await tracked_server(tracker, "plain")
        assert len(tracker.tracked) == 2 or psutil.Process().num_fds() == before
        room += 1
    assert room > len(("stdin", "stdout", "stderr")) * 2
    await tracker.close_all()


async def test_what_a_server_left_may_clean_up_before_it_is_killed(
    tracker: McpProcessTracker, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    cleans_up = """trap 'echo cleaned > "$0"; exit' TERM; echo up; while :; do sleep 0.01; done"""
    launch = LaunchSpec("/bin/sh", ("-c", f"({cleans_up}) & read line", str(file)), os.environ)
    recorder = Recorder()
    tracked = await tracker.start("shell", launch, recorder)
    await asyncio.wait_for(recorder.spoke.wait(), LIMIT)
    assert await tracker.close_connection(tracked) == "closed"
    assert file.read_text(encoding="utf-8") == "cleaned\n"


@pytest.mark.parametrize("has_keeper", [True, False])
@pytest.mark.parametrize(("is_killed", "words"), [(False, ""), (True, "killed\n")])
async def test_what_a_daemon_made_for_a_server_ends_with_it_if_that_was_killed(
    tracker: McpProcessTracker,
    tmp_path: Path,
    expected_logs: ExpectedLogs,
    capfd: pytest.CaptureFixture[str],
    has_keeper: bool,
    is_killed: bool,
    words: str,
) -> None:
    if not has_keeper and sys.platform == "linux":
        from desktop.processes.linux_guardian import Guardian

        expected_logs.expect("started without the guardian")
        tracker.guardian = Guardian(["/nowhere/at/all"])
    file = tmp_path / "file"
    file.touch()
    tracked, _ = await tracked_server(tracker, "plain", at_kill=added_line(file))
    if is_killed:
        psutil.Process(tracked.process.pid).kill()
        await asyncio.wait_for(tracked.process.exited.wait(), LIMIT)
    assert await tracker.close_connection(tracked) == "closed"
    assert file.read_text(encoding="utf-8") == words
    assert capfd.readouterr().out == ""  # of a command of a terminal that is what it answers


@pytest.mark.parametrize(("server", "end"), [("ignores_eof", "closed"), ("stubborn", "forced")])
async def test_a_server_that_ignores_its_end_is_made_to_end(
    server: str, end: str, tracker: McpProcessTracker
) -> None:
    marker = uuid4().hex
    tracked, _ = await tracked_server(tracker, server, "--marker", marker)
    assert await tracker.close_connection(tracked) == end
    assert survivors(marker) == []


async def test_all_are_closed_side_by_side_and_the_receipt_names_them(
    tracker: McpProcessTracker,
) -> None:
    loop = asyncio.get_running_loop()
    for server in ("plain", "stubborn", "stubborn", "plain"):
        await tracked_server(tracker, server)
    began = loop.time()
    receipt = await tracker.close_all()
    one_by_one = 2 * 3.0
    assert loop.time() - began < one_by_one
    assert receipt == ShutdownReport(("plain", "plain"), ("stubborn", "stubborn"), ())
    assert str(receipt) == "2 closed, 2 forced, 0 left"


async def test_closing_at_once_from_two_sides_ends_it_once(tracker: McpProcessTracker) -> None:
    tracked, _ = await tracked_server(tracker, "plain")
    ends = await asyncio.gather(*(tracker.close_connection(tracked) for _ in range(2)))
    assert ends == ["closed", "closed"]


async def test_a_closing_goes_on_when_whoever_asked_for_it_is_cancelled(
    tracker: McpProcessTracker,
) -> None:
    tracked, _ = await tracked_server(tracker, "plain")
    asking = spawn(tracker.close_connection(tracked), "asking")
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait({asking})
    assert tracked.closing is not None
    assert await asyncio.wait_for(tracked.closing, LIMIT) == "closed"


async def test_killing_all_needs_no_loop_and_no_patience(tracker: McpProcessTracker) -> None:
    marker = uuid4().hex
    tracked, _ = await tracked_server(tracker, "stubborn", "--marker", marker)
    tracker.kill_all()
    assert tracked.is_closing
    await asyncio.wait_for(tracked.process.exited.wait(), LIMIT)
    tracked.process.release()
    await tracked.process.wait_released(LIMIT)
    assert survivors(marker) == []
    assert tracker.tracked == ()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a keeper")
@pytest.mark.parametrize("server", ["stubborn", "leaves_child", "setsid_child"])
async def test_a_server_is_gone_even_if_guardian_and_keeper_are_killed(
    server: str, tracker: McpProcessTracker, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("guardian .* is gone|watches the servers")
    marker = uuid4().hex
    tracked, recorder = await tracked_server(tracker, server, "--marker", marker)
    for pid in (tracker.guardian.pid, tracked.process.keeper_pid):
        psutil.Process(pid).kill()
    await asyncio.wait_for(tracked.process.exited.wait(), LIMIT)
    assert recorder.code == -9
    assert await tracker.close_connection(tracked) == "closed"
    assert survivors(marker) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a keeper")
async def test_a_daemon_without_environment_ends_with_its_own_server_alone(
    tracker: McpProcessTracker,
) -> None:
    marker, other = uuid4().hex, uuid4().hex
    first, _ = await tracked_server(tracker, "daemon_child", "--marker", marker)
    second, _ = await tracked_server(tracker, "daemon_child", "--marker", other)
    assert replace(second, keeper=_ended()).orphans(()) is None, "the PID may be another's by now"
    (daemon,) = first.orphans({first.process.pid, second.process.pid}) or []
    assert marker in daemon.cmdline()
    with_job = StandIn(first.process.pid)
    with_job.job = [with_job.pid, daemon.pid]  # as on Windows
    assert replace(first, process=with_job).orphans(()) == [daemon]
    assert await tracker.close_connection(first) == "closed"
    assert survivors(marker) == []
    assert len(survivors(other)) == 2
    await tracker.close_connection(second)
    assert survivors(other) == []


def _ended() -> psutil.Process:
    """A process that has been there."""
    process = subprocess.Popen(["/bin/true"])
    found = psutil.Process(process.pid)
    process.wait(LIMIT)
    return found


def test_there_is_one_tracker() -> None:
    assert McpProcessTracker.instance() is McpProcessTracker.instance()


def test_a_program_that_ends_without_closing_its_servers_kills_them_at_exit() -> None:
    marker = uuid4().hex
    program, args = command("stubborn", "--marker", marker)
    code = f"""
import asyncio, os
from desktop.processes import process_tree
from desktop.processes.process import LaunchSpec
from desktop.processes.spawn import start_process
from desktop.processes.tracker import McpProcessTracker
from desktop.base.tasks import spawn
from tests.processes.recorder import Recorder

async def main():
    tracker = McpProcessTracker.instance()
    marker = tracker.new_marker()
    environment = {{**os.environ, process_tree.MARKER_VARIABLE: marker}}
    launch = LaunchSpec({program!r}, tuple({args!r}), environment)
    tracker.add("server", await start_process(launch, Recorder()), marker)

asyncio.run(main())
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, env=dict(os.environ))
    assert survivors(marker) == []


@pytest.fixture
def sleeper() -> Iterator[int]:
    """PID of a process that runs for as long as the test."""
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        yield process.pid
        process.kill()


class Unkillable(psutil.Process):
    """A process that no signal ends, as one that waits for a broken disk."""

    def send_signal(self, sig: int) -> None: ...
    def kill(self) -> None: ...


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a child, in a session of its own, that ends with its input."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", "sleep 60 & echo ready; read line; kill $!"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    yield process
    process.communicate(timeout=LIMIT)


async def test_a_server_that_cannot_be_ended_is_reported_and_does_not_hold_up_the_rest(
    tracker: McpProcessTracker,
    sleeper: int,
    bystander: subprocess.Popen[bytes],
    expected_logs: ExpectedLogs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected_logs.expect("unkillable .* cannot be ended")
    for limit in ("TERMINATE_AFTER", "KILL_AFTER", "MAX_REAP_WAIT"):
        monkeypatch.setattr(f"desktop.processes.tracker.{limit}", 0.01)
    keeper = process_tree.descendants(bystander.pid)[0]
    process = StandIn(sleeper, keeper.pid)
    tracked = tracker.add("unkillable", process, "marker")
    tracked.identity = Unkillable(sleeper)
    assert await asyncio.wait_for(tracker.close_connection(tracked), LIMIT) == "left"
    assert process.is_released
    assert not process.is_waited_for
    assert process_tree.is_alive(keeper)  # which has the other servers, too
    assert tracker.tracked == (tracked,)  # so that the end of the app speaks of it again


async def test_what_a_keeper_does_not_end_although_it_was_woken_is_killed(
    tracker: McpProcessTracker, sleeper: int, bystander: subprocess.Popen[bytes]
) -> None:
    process = StandIn(sleeper, process_tree.descendants(bystander.pid)[0].pid)
    process.exited.set()
    tracked = tracker.add("server", process, uuid4().hex)
    assert await tracker.close_connection(tracked) == "closed"
    assert not tracked.is_alive


@pytest.fixture
def ended_pid() -> int:
    with subprocess.Popen(["/bin/true"]) as process:
        return process.pid


@pytest.mark.parametrize("way", ["close", "kill"])
async def test_a_stranger_who_was_given_the_pid_of_an_ended_server_is_left_alone(
    tracker: McpProcessTracker, ended_pid: int, bystander: subprocess.Popen[bytes], way: str
) -> None:
    """The keeper holds the PID; where it was killed the server is reaped, and its number free."""
    process = StandIn(ended_pid)
    tracked = tracker.add("server", process, uuid4().hex)
    process.pid = tracked.group = bystander.pid
    process.exited.set()
    below = process_tree.descendants(bystander.pid)
    if way == "close":
        assert await tracker.close_connection(tracked) == "closed"
    else:
        tracker.kill_all()
    assert bystander.poll() is None
    assert below
    assert all(process_tree.is_alive(process) for process in below)


async def test_whoever_listens_is_told_of_each_process_and_of_its_end(
    tracker: McpProcessTracker,
) -> None:
    told: list[str] = []
    tracker.added.connect(lambda server: told.append(f"added {server.owner}"))
    tracker.removed.connect(lambda server, end: told.append(f"{end} {server.owner}"))
    tracked, _ = await tracked_server(tracker, "plain")
    await tracker.close_connection(tracked)
    assert told == ["added plain", "closed plain"]


@pytest.mark.parametrize("by", ["app", "server", "person", "system"])
async def test_an_end_is_remembered_with_its_owner_and_how_it_came(
    tracker: McpProcessTracker, by: str
) -> None:
    exits, told = RecentExits(tracker), list[int]()
    exits.changed.connect(lambda: told.append(1))
    tracked, _ = await tracked_server(tracker, "plain")
    other, _ = await tracked_server(tracker, "plain")
    assert tracked.identity is not None
    assert not tracked.is_closing
    if by == "server":
        tracked.process.close_stdin()
    elif by == "person":
        tracker.kill_tree(tracked.identity)
    elif by == "system":
        tracked.identity.kill()
    if by != "app":
        await asyncio.wait_for(tracked.process.exited.wait(), LIMIT)
        tracker.kill_tree(tracked.identity)  # too late to be what ended it
    await tracker.close_connection(tracked)
    assert tracked.is_closing
    assert other.ended_by == "server"
    (exit,) = exits.exits
    assert (exit.owner, exit.pid, exit.outcome) == ("plain", tracked.process.pid, "closed")
    assert exit.cause == ("server" if by == "system" else by)
    assert exit.code == (-9 if by in {"person", "system"} else 0)
    assert tracked.is_killed is (by == "system")
    assert not replace(tracked, limits=TreeLimits(), ended_by="server").is_killed
    assert exit.at >= tracked.started_at
    assert told == [1]


@pytest.mark.parametrize(
    ("code", "is_killed"), [(-9, True), (137, True), (-15, True), (1, False), (None, False)]
)
async def test_a_kill_by_the_system_is_known_by_the_exit_code(
    tracker: McpProcessTracker, ended_pid: int, code: int | None, is_killed: bool
) -> None:
    process = StandIn(ended_pid)
    process.exit_code = code
    process.exited.set()
    tracked = tracker.add("server", process, uuid4().hex)
    assert tracked.is_killed is is_killed
    assert not replace(tracked, killed=True).is_killed


async def test_only_the_last_ones_are_kept_the_latest_first(
    tracker: McpProcessTracker,
) -> None:
    exits = RecentExits(tracker)
    tracked, _ = await tracked_server(tracker, "plain")
    for _ in range(MAX_RECENT_EXITS + 5):
        tracker.removed.send(tracked, "forced")
    await tracker.close_connection(tracked)
    assert len(exits.exits) == MAX_RECENT_EXITS
    assert exits.exits[0].outcome == "closed"
