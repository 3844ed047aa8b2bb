"""A server's processes are found by descent, by group and by marker, never by PID alone."""

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

from desktop.processes import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-S", "-c", {SLEEPER!r}])
child.wait()
"""


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own with one child, which has spoken: both are there."""
    environment = {**os.environ, tree.MARKER: "of-this-test"}
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
    parent: subprocess.Popen[bytes],
) -> None:
    (child,) = tree.descendants(parent.pid)
    both = {parent.pid, child.pid}
    assert {one.pid for one in tree.in_group(parent.pid)} == both
    if sys.platform == "linux":
        assert {one.pid for one in tree.by_marker()["of-this-test"]} == both


@pytest.mark.skipif(sys.platform != "linux", reason="tags are Linux's")
def test_a_process_without_an_environment_is_found_by_the_tag_of_its_marker() -> None:
    marker = uuid4().hex
    code = f"from desktop.processes import tag; tag.put(0, {marker!r}); " + (
        "import os, sys; os.execve(sys.executable, [sys.executable, '-S', '-c', "
        """'print("up", flush=True); input()'], {})"""
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert [one.pid for one in tree.Marked().of(marker)] == [process.pid]
        assert tree.Marked().of(uuid4().hex) == []


async def test_a_killed_process_is_no_longer_alive(parent: subprocess.Popen[bytes]) -> None:
    (child,) = tree.descendants(parent.pid)
    assert tree.is_alive(child)
    tree.kill([child])
    async with asyncio.timeout(10):
        while tree.is_alive(child):  # noqa: ASYNC110 - not our child: nobody tells of its end
            await asyncio.sleep(0)


def test_a_pid_that_was_given_to_another_process_is_not_signalled(
    parent: subprocess.Popen[bytes],
) -> None:
    reused = Reused(parent.pid)
    tree.kill([reused])
    tree.send([reused], signal.SIGKILL)
    assert parent.poll() is None


class Reused(psutil.Process):
    """What psutil holds of a process that is gone and whose PID another one has now."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._ident = (pid, 1.0)


def test_nobody_has_a_pid_that_is_not_given() -> None:
    assert tree.find(2**22 + 1) is None
    assert tree.descendants(2**22 + 1) == []
