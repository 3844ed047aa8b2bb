"""What the app's death, and the guardian's own, leave behind: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from desktop.paths import guardian_command
from tests.processes.guarding import GuardedApp, gone_within

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a subreaper is Linux's")
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
        everyone = [*app.marked, app.guardian, *app.keepers]
        assert len(everyone) >= 3
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_a_killed_app_with_many_servers_leaves_nothing() -> None:
    with GuardedApp(*KINDS, *KINDS, *KINDS) as app:
        everyone = [*app.marked, app.guardian, *app.keepers]
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_app_and_guardian_killed_at_once_leave_nothing() -> None:
    with GuardedApp(*KINDS) as app:
        everyone = [*app.marked, *app.keepers]
        app.process.send_signal(signal.SIGSTOP)  # so that neither sees the other die
        app.guardian.kill()
        app.kill()
        assert gone_within(AT_ONCE, everyone)
        assert app.marked == []


def test_a_killed_keeper_leaves_nothing() -> None:
    with GuardedApp("stubborn", "daemon_child", "plain") as app:
        kept = [psutil.Process(keeper.pid).children(recursive=True) for keeper in app.keepers]
        for keeper in app.keepers[:2]:
            keeper.kill()
        assert gone_within(AT_ONCE, kept[0] + kept[1])
        assert all(one.is_running() for one in kept[2])


def test_a_stopped_keeper_does_not_save_its_server() -> None:
    with GuardedApp("daemon_child") as app:
        everyone = [*app.marked, *app.keepers]
        app.keepers[0].suspend()
        app.kill()
        assert gone_within(3 * AT_ONCE, everyone)


def test_a_stopped_guardian_does_not_stay_behind() -> None:
    with GuardedApp("daemon_child", "plain") as app:
        everyone = [*app.marked, app.guardian, *app.keepers]
        app.guardian.suspend()
        app.kill()
        assert gone_within(AT_ONCE, everyone)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_asks_the_app_to_end_does_not_end_the_guardian(number: signal.Signals) -> None:
    with GuardedApp("plain") as app:
        for one in (app.guardian, *app.keepers):
            one.send_signal(number)
        assert not gone_within(0.05, [app.guardian])
        assert app.guardian.is_running()
        assert os.getsid(app.guardian.pid) == app.guardian.pid


def test_servers_get_none_of_the_guardian_s_files_and_signals() -> None:
    with GuardedApp("plain") as app:
        (server,) = psutil.Process(app.keepers[0].pid).children()
        assert {int(fd) for fd in os.listdir(f"/proc/{server.pid}/fd")} == {0, 1, 2}
        with open(f"/proc/{server.pid}/status", encoding="ascii") as file:
            status = dict(line.split(":", 1) for line in file)
        ignored = int(status["SigIgn"], 16)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            assert not ignored & 1 << (number - 1)


def test_it_is_small() -> None:
    with GuardedApp("plain") as app:
        guardian, keeper = (one.memory_info().rss for one in (app.guardian, app.keepers[0]))
        assert guardian < 15_000_000
        assert keeper < guardian


def test_without_an_app_it_ends_at_once() -> None:
    done = subprocess.run(guardian_command(), stdin=subprocess.DEVNULL, check=False, timeout=10)
    assert done.returncode == 2
