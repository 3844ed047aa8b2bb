"""The keeper starts servers, tells of their ends, and ends all that they ever started."""

from __future__ import annotations

import errno
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "linux":
    raise pytest.skip.Exception("a subreaper is Linux's", allow_module_level=True)

from desktop.processes import guardian_protocol as protocol
from tests.processes.guarded_app import gone_within

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import IO

KEEP = """
import os, socket, sys
from desktop.processes import subreaper
from desktop.processes.keeper_process import Keeper
subreaper.ignore_signals()
subreaper.adopt_orphans(b"mcp-test")
control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, int(sys.argv[1]))
Keeper(control, os.getppid()).run()
"""
NO_FORK = """
import errno, os
def fork():
    raise BlockingIOError(errno.EAGAIN, "no further process")
os.fork = fork
"""
SLOW_FOLDER = """
import os, time
os.chdir = lambda folder: time.sleep(60)
"""
CANNOT_KILL = """
from desktop.processes import subreaper
subreaper.MAX_KILL_WAIT = 0.05
subreaper.kill_trees = lambda pids: None
"""
HIDES = """
import os, resource, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        hard = resource.getrlimit(10)[1]
        resource.setrlimit(10, (hard, hard))
        os.execve("/bin/sleep", ["sleep", "60"], {})
    os._exit(0)
os.wait()
print("hidden", flush=True)
time.sleep(60)
"""
"""Starts a daemon that has neither marker nor tag, nor session or parent of its server."""


LOSES_TAG = """
import os, resource
hard = resource.getrlimit(10)[1]
resource.setrlimit(10, (hard, hard))
print("up", flush=True)
os.execv("/bin/sleep", ["sleep", "60"])
"""
"""A daemon that only its environment tells of."""

ALWAYS_EXECUTES = """
import os, resource
hard = resource.getrlimit(10)[1]
resource.setrlimit(10, (hard, hard))
again = 'exec /bin/sh -c "$0" "$0"'
for _ in range(16):
    if os.fork() == 0:
        os.execv("/bin/sh", ["sh", "-c", again, again])
print("up", flush=True)
os.wait()
"""
"""Daemons that only their environment tells of, and it can not be read in the midst of an exec."""


class Kept:
    """A server, from the test's end of its channel."""

    def __init__(self, channel: socket.socket, stdout: IO[bytes]) -> None:
        self.stdout = stdout
        self._channel = channel
        self._lines = channel.makefile("rb")

    def told(self) -> list[bytes]:
        """The words of the next line; none at the end of the channel."""
        return self._lines.readline().split()

    def started(self) -> int:
        word, pid, _ = self.told()
        assert word == protocol.STARTED
        return int(pid)

    def let_go(self) -> None:
        self._channel.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for file in (self._lines, self._channel, self.stdout):
            file.close()


class KeeperRun:
    """A keeper as a process, and what it is asked for."""

    def __init__(self, before: str) -> None:
        self.control, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + KEEP, str(theirs.fileno())], pass_fds=[theirs.fileno()]
        )
        theirs.close()
        self._kept: list[Kept] = []

    def start(self, *argv: str, folder: str = "") -> Kept:
        ours, theirs = socket.socketpair()
        ours.settimeout(LIMIT)
        environment = {"PATH": "/bin:/usr/bin", protocol.MARKER_VARIABLE: uuid4().hex}
        reader, writer = os.pipe()
        with tempfile.TemporaryFile() as order, open(os.devnull, "r+b", 0) as null, theirs:
            order.write(protocol.pack_order(folder, argv, environment))
            order.flush()
            null_file = null.fileno()
            files = [theirs.fileno(), order.fileno(), null_file, writer, null_file]
            socket.send_fds(self.control, [b"k"], files)
        os.close(writer)
        kept = Kept(ours, os.fdopen(reader, "rb"))
        self._kept.append(kept)
        return kept

    def close(self) -> None:
        self.control.close()
        for kept in self._kept:
            kept.close()
        assert self.process.wait(LIMIT) == 0


@contextmanager
def keeper(before: str = "") -> Generator[KeeperRun]:
    run = KeeperRun(before)
    try:
        yield run
    finally:
        run.close()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_tells_the_pid_then_the_end_and_keeps_the_pid_until_it_is_released() -> None:
    with keeper() as run:
        server = run.start("sh", "-c", "exit 3")
        word, pid, own = server.told()
        assert (word, int(own)) == (protocol.STARTED, run.process.pid)
        assert protocol.read_tag(run.process.pid) is None, "it would be taken for that server's"
        assert server.told() == [protocol.ENDED, b"3"]
        assert is_there(int(pid))
        server.let_go()
        assert server.told() == []
        assert not is_there(int(pid))


def test_a_signal_that_ended_a_server_is_told_below_zero() -> None:
    with keeper() as run:
        server = run.start("sleep", "60")
        os.kill(server.started(), signal.SIGTERM)
        assert server.told() == [protocol.ENDED, b"-15"]


@pytest.mark.parametrize(("folder", "place"), [("", b"command"), ("/nowhere", b"folder")])
def test_it_tells_what_failed_and_starts_the_next(folder: str, place: bytes) -> None:
    with keeper() as run:
        failed = run.start("/nowhere/at/all", folder=folder)
        assert (failed.told(), failed.told()) == ([protocol.FAILED, b"2", place], [])
        assert is_there(run.start("sleep", "60").started())


def test_it_tells_that_the_system_has_no_process_for_a_server_and_keeps_no_file_of_it() -> None:
    with keeper(NO_FORK) as run:
        opened: list[int] = []
        for _ in range(16):
            server = run.start("sleep", "60")
            assert server.told() == [b"failed", str(errno.EAGAIN).encode(), b"command"]
            assert server.told() == []
            opened.append(len(os.listdir(f"/proc/{run.process.pid}/fd")))
        assert opened[-1] < opened[0] + 8  # the last one's five may just be closing


def test_the_end_of_one_channel_is_the_end_of_that_server_alone() -> None:
    with keeper() as run:
        first, second = run.start("sleep", "60"), run.start("sleep", "60")
        pids = first.started(), second.started()
        first.let_go()
        assert first.told() == []
        assert [is_there(pid) for pid in pids] == [False, True]


def test_a_server_that_hangs_before_it_runs_holds_up_no_other() -> None:
    with keeper(SLOW_FOLDER) as run:
        hangs = run.start("sleep", "60", folder="/slow")
        assert is_there(run.start("sleep", "60").started())
        hangs.let_go()
        assert hangs.told() == []


def test_a_daemon_that_hides_whose_it_is_ends_with_its_server() -> None:
    with keeper() as run:
        server = run.start(sys.executable, "-c", HIDES)
        pid = server.started()
        assert server.stdout.readline() == b"hidden\n"
        (daemon,) = [each for each in psutil.Process(run.process.pid).children() if each.pid != pid]
        server.let_go()
        assert server.told() == []
        assert gone_within(0, [daemon])


def test_a_server_that_cannot_be_killed_is_let_go_of_after_a_while() -> None:
    with keeper(CANNOT_KILL) as run:
        server = run.start("sleep", "60")
        pid = server.started()
        server.let_go()
        assert server.told() == []
        assert is_there(pid)


@pytest.mark.parametrize(
    "daemon",
    [
        ("env", "-i", "/bin/sh", "-c", "echo up; exec sleep 60"),
        (sys.executable, "-c", LOSES_TAG),
    ],
)
def test_what_ends_a_server_ends_no_daemon_of_another(daemon: tuple[str, ...]) -> None:
    with keeper() as run:
        first = run.start("sleep", "60")
        second = run.start("sh", "-c", f"setsid {shlex.join(daemon)} & wait")
        first.started()
        pid = second.started()
        assert second.stdout.readline() == b"up\n"
        below = psutil.Process(pid).children(recursive=True)
        psutil.Process(pid).kill()
        assert second.told() == [protocol.ENDED, b"-9"]
        first.let_go()
        assert first.told() == []
        assert below
        assert all(each.is_running() for each in below)
        second.let_go()
        assert second.told() == []
        assert gone_within(0, below)


def test_what_ends_a_server_ends_no_daemon_of_another_that_is_just_being_executed() -> None:
    with keeper() as run:
        firsts = [run.start("sleep", "60") for _ in range(10)]
        second = run.start(sys.executable, "-c", ALWAYS_EXECUTES)
        pid = second.started()
        assert second.stdout.readline() == b"up\n"
        below = psutil.Process(pid).children()
        psutil.Process(pid).kill()
        assert second.told() == [protocol.ENDED, b"-9"]
        for first in firsts:
            first.started()
            first.let_go()
            assert first.told() == []
        assert [each.is_running() for each in below] == [True] * 16
        second.let_go()
        assert second.told() == []
        assert gone_within(0, below)


def test_it_ends_with_the_last_server_that_an_app_without_a_socket_has() -> None:
    with keeper() as run:
        server = run.start("sleep", "60")
        pid = server.started()
        run.control.close()
        assert is_there(pid)
        server.let_go()
        assert server.told() == []
        assert run.process.wait(LIMIT) == 0
