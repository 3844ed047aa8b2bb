"""Guardian and keeper leave nothing behind, whoever of app, guardian and keeper dies."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "linux":
    raise pytest.skip.Exception("a subreaper is Linux's", allow_module_level=True)

from desktop.base.paths import guardian_command
from desktop.processes import guardian_protocol as protocol
from desktop.processes import subreaper
from tests.processes.guarded_app import GuardedApp, gone_within
from tests.raw_client import find_marked
from tests.server_commands import command

if TYPE_CHECKING:
    from pathlib import Path

KINDS = (
    "plain",
    "stubborn",
    "leaves_child",
    "setsid_child",
    "daemon_child",
    "many_children",
)
AT_ONCE = 1.0  # what the issue gives the whole of it


@pytest.mark.parametrize("server", KINDS)
def test_a_killed_app_leaves_nothing(server: str) -> None:
    with GuardedApp(server) as app:
        everyone = [*app.marked, app.guardian, app.keeper]
        assert len(everyone) >= 3
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_a_killed_app_with_many_servers_leaves_nothing() -> None:
    with GuardedApp(*KINDS, *KINDS, *KINDS) as app:
        everyone = [*app.marked, app.guardian, app.keeper]
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_a_killed_app_has_what_its_servers_left_to_others_ended(tmp_path: Path) -> None:
    # One that ends with its input may do so before it is killed, and then has nothing to end.
    with GuardedApp("ignores_eof", "stubborn", file=tmp_path / "file") as app:
        everyone = [*app.marked, app.guardian, app.keeper]
        app.kill()
        assert gone_within(LIMIT, everyone)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "killed\n" * 2


def test_app_and_guardian_killed_at_once_leave_nothing() -> None:
    with GuardedApp(*KINDS) as app:
        everyone = [*app.marked, app.keeper]
        app.process.send_signal(signal.SIGSTOP)  # so that neither sees the other die
        app.guardian.kill()
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_a_killed_keeper_leaves_nothing() -> None:
    with GuardedApp("stubborn", "daemon_child", "plain") as app:
        everyone = [*app.marked, app.guardian]
        app.keeper.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_guardian_and_keeper_killed_at_once_leave_no_server() -> None:
    with GuardedApp("stubborn", "ignores_eof") as app:
        servers = app.marked
        app.guardian.suspend()  # so that it is not what ends them
        app.keeper.kill()
        app.guardian.kill()
        assert gone_within(AT_ONCE, servers)


def test_a_stopped_keeper_does_not_save_its_server() -> None:
    with GuardedApp("daemon_child") as app:
        everyone = [*app.marked, app.keeper]
        app.keeper.suspend()
        app.kill()
        assert gone_within(3 * AT_ONCE, everyone)


def test_a_stopped_guardian_does_not_stay_behind() -> None:
    with GuardedApp("daemon_child", "plain") as app:
        everyone = [*app.marked, app.guardian, app.keeper]
        app.guardian.suspend()
        app.kill()
        assert gone_within(AT_ONCE, everyone)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_asks_the_app_to_end_does_not_end_the_guardian(number: signal.Signals) -> None:
    with GuardedApp("plain") as app:
        for process in (app.guardian, app.keeper):
            process.send_signal(number)
        assert not gone_within(0.05, [app.guardian])
        assert app.guardian.is_running()
        assert os.getsid(app.guardian.pid) == app.guardian.pid


def test_servers_get_none_of_the_guardian_s_files_and_signals() -> None:
    with GuardedApp("plain") as app:
        (server,) = psutil.Process(app.keeper.pid).children()
        assert {int(fd) for fd in os.listdir(f"/proc/{server.pid}/fd")} == {0, 1, 2}
        for process in (app.guardian, app.keeper):
            # Else the keeper would hold the guardian's socket, and both what the app writes to:
            # nobody would notice the end of these.
            for file in (0, 1, 2):
                assert os.readlink(f"/proc/{process.pid}/fd/{file}") == os.devnull
        with open(f"/proc/{server.pid}/status", encoding="ascii") as file:
            status = dict(line.split(":", 1) for line in file)
        ignored = int(status["SigIgn"], 16)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            assert not ignored & 1 << (number - 1)


def test_it_is_small() -> None:
    with GuardedApp("plain") as app:
        guardian, keeper = (process.memory_info().rss for process in (app.guardian, app.keeper))
        assert guardian < 15_000_000
        assert keeper < guardian


def test_without_an_app_it_ends_at_once() -> None:
    done = subprocess.run(guardian_command(), stdin=subprocess.DEVNULL, check=False, timeout=LIMIT)
    assert done.returncode == 2


ENDS_BELOW = """
import os, sys, time
from desktop.processes import guardian_protocol as protocol
from desktop.processes import subreaper
subreaper.adopt_orphans(b"mcp-test")
reader, writer = os.pipe()
for argv in {commands!r}:
    if os.fork() == 0:
        os.dup2(writer, 1)
        os.dup2(reader, 0)
        os.execv(argv[0], argv)
print(open("/proc/self/comm").read().strip(), flush=True)
sys.stdin.readline()
end = time.monotonic() + 10  # the daemon comes here once the process between has ended
while len(protocol.children(os.getpid())) < 4 and time.monotonic() < end:
    pass
print(len(protocol.children(os.getpid())), flush=True)
subreaper.kill_descendants(5)
print(protocol.children(os.getpid()), flush=True)
"""


def test_all_below_is_ended_and_reaped() -> None:
    marker = uuid4().hex  # others may run this test at the same time
    servers = ("stubborn", "daemon_child", "many_children")
    commands = [
        [program, *args]
        for program, args in (command(server, "--marker", marker) for server in servers)
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", ENDS_BELOW.format(commands=commands)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "mcp-test\n"
    while len(find_marked(marker)) < 3 + 1 + 5:
        assert process.poll() is None
    process.stdin.write("\n")
    process.stdin.close()
    assert int(process.stdout.readline()) >= 4
    assert process.stdout.readline() == "[]\n"
    process.wait(10)
    process.stdout.close()
    assert find_marked(marker) == []


def test_one_call_ends_a_whole_tree_although_nobody_adopts_its_orphans() -> None:
    process = subprocess.Popen(
        ["/bin/sh", "-c", "sh -c 'sleep 60 & echo up; wait' & wait"], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    everyone = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    assert len(everyone) == 3
    subreaper.kill_trees([process.pid])
    ended = gone_within(AT_ONCE, everyone)
    for survivor in everyone:
        with suppress(psutil.NoSuchProcess):
            survivor.kill()
    process.communicate()
    assert ended


FORKS = """
import os, sys, time
for line in sys.stdin:
    if os.fork() == 0:
        print("forked", flush=True)
        time.sleep(60)
        os._exit(0)
"""


def test_nothing_is_forked_between_the_look_at_a_process_and_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS, marker],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout, look = process.stdin, process.stdout, protocol.children

    def forks_after_the_look(pid: int) -> list[int]:
        found = look(pid)
        stdin.write(b"\n")
        stopped = psutil.STATUS_STOPPED
        while psutil.Process(pid).status() != stopped and not select.select([stdout], [], [], 0)[0]:
            pass
        return found

    monkeypatch.setattr(protocol, "children", forks_after_the_look)
    subreaper.kill_trees([process.pid])
    process.wait(10)
    survivors = find_marked(marker)
    for survivor in survivors:
        survivor.kill()
    stdin.close()
    stdout.close()
    assert survivors == []
