"""A server's processes are found by descent, group and marker, never by PID alone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from desktop.processes import process_tree
from desktop.processes.identity import identify
from tests.patience import LIMIT
from tests.processes.test_tracker import no_more_files

if TYPE_CHECKING:
    from collections.abc import Iterator

SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-S", "-c", {SLEEPER!r}])
child.wait()
"""


@pytest.fixture
def marker() -> str:
    """Of this test alone: a child of the one before may still be about to end."""
    return uuid4().hex


@pytest.fixture
def parent(marker: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own with one child, which has spoken: both are there."""
    environment = {**os.environ, process_tree.MARKER_VARIABLE: marker}
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", PARENT],
        stdout=subprocess.PIPE,
        start_new_session=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    yield process
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)
    process.stdout.close()


def test_a_child_is_found_by_descent_by_group_and_by_marker(
    parent: subprocess.Popen[bytes], marker: str
) -> None:
    (child,) = process_tree.descendants(parent.pid)
    both = {parent.pid, child.pid}
    assert {process.pid for process in process_tree.group_members(parent.pid)} == both
    if sys.platform == "linux":
        assert {process.pid for process in process_tree.MarkerScan().find(marker)} == both


@pytest.mark.skipif(sys.platform != "linux", reason="tags are Linux's")
def test_a_process_without_an_environment_is_found_by_the_tag_of_its_marker() -> None:
    marker = uuid4().hex
    code = f"""
import os, sys
from desktop.processes import guardian_protocol
guardian_protocol.set_tag(0, {marker!r})
code = "print('up', flush=True); input()"
os.execve(sys.executable, [sys.executable, "-S", "-c", code], {{}})
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert [found.pid for found in process_tree.MarkerScan().find(marker)] == [process.pid]
        assert process_tree.MarkerScan().find(uuid4().hex) == []


async def test_a_killed_process_is_no_longer_alive(parent: subprocess.Popen[bytes]) -> None:
    (child,) = process_tree.descendants(parent.pid)
    assert process_tree.is_alive(child)
    process_tree.kill([child])
    async with asyncio.timeout(LIMIT):
        while process_tree.is_alive(child):  # noqa: ASYNC110 - not our child: nobody tells of its end
            await asyncio.sleep(0)


def test_a_pid_that_was_given_to_another_process_is_not_signalled(
    parent: subprocess.Popen[bytes],
) -> None:
    reused = Reused(parent.pid)
    process_tree.kill([reused])
    process_tree.send([reused], signal.SIGKILL)
    assert parent.poll() is None


class Reused(psutil.Process):
    """What psutil holds of a process that is gone and whose PID another one has now."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._ident = (pid, 1.0)


def test_an_app_that_can_open_no_more_files_still_knows_what_runs() -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        found = psutil.Process(process.pid)
        with no_more_files():
            assert process_tree.is_alive(found)
            if sys.platform == "linux":  # where PIDs are listed in a folder
                assert process_tree.group_members(os.getpgrp()) == []
        assert process.poll() is None
        process.kill()
        process.wait()
        with no_more_files():
            assert not process_tree.is_alive(found)


def test_what_is_started_says_exactly_which_app_it_is_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/libraries")
    environment = process_tree.guard_environment()
    assert environment["LD_LIBRARY_PATH"] == "/libraries"
    assert environment["MCP_DESKTOP_SERVER"] == str(identify(os.getpid()))


def test_nobody_has_a_pid_that_is_not_given() -> None:
    assert process_tree.find(2**22 + 1) is None
    assert process_tree.descendants(2**22 + 1) == []


@pytest.mark.parametrize("end", ["send", "kill"])
def test_one_that_is_gone_does_not_keep_the_signal_from_the_others(end: str) -> None:
    with (
        subprocess.Popen(["/bin/sleep", "60"]) as first,
        subprocess.Popen(["/bin/sleep", "60"]) as second,
    ):
        both = [psutil.Process(process.pid) for process in (first, second)]
        first.kill()
        first.wait()
        if end == "send":
            process_tree.send(both, signal.SIGTERM)
        else:
            process_tree.kill(both)
        number = signal.SIGTERM if end == "send" else signal.SIGKILL
        assert second.wait(10) == -number


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of others")
def test_a_marker_that_is_no_ascii_is_read_as_far_as_it_is() -> None:
    environment = {**os.environ, process_tree.MARKER_VARIABLE: "aé"}
    with subprocess.Popen(
        ["/bin/cat"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"up\n")
        process.stdin.flush()
        process.stdout.readline()  # from here on it runs, and its environment can be read
        assert process_tree.read_marker(process.pid).startswith("a\ufffd")
        process.communicate()
