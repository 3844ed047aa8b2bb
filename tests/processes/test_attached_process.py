"""A process that somebody else started is ended with everything it started, like a server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil
import pytest

from desktop.processes.identity import identify
from desktop.processes.ledger import Ledger, read_ledger
from desktop.processes.orphan_cleanup import OrphanCleanup
from desktop.processes.tracker import AttachedProcess, McpProcessTracker
from tests.patience import LIMIT
from tests.raw_client import find_marked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.processes.tracker import ForeignProcess

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
TREE = """
import os, signal, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
    os._exit(0)
print("ready", flush=True)
for line in sys.stdin:
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            print("daemon", flush=True)
            time.sleep(60)
        os._exit(0)
    os.wait()
while "stubborn" in sys.argv:
    time.sleep(60)
"""
"""Has a child in another session, and for each line a daemon; ends with its input."""


class Family:
    """Such a process, and whatever is left of it and its descendants."""

    def __init__(self, *words: str) -> None:
        self.marker = uuid4().hex
        self.command = (sys.executable, "-c", TREE, self.marker, *words)
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.hear("ready")

    def hear(self, word: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().decode().strip() == word

    def make_daemon(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.hear("daemon")

    @property
    def living(self) -> list[psutil.Process]:
        return find_marked(self.marker)

    def end(self) -> None:
        for process in self.living:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait(LIMIT)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()


@pytest.fixture
def families() -> Iterator[list[Family]]:
    """What a test puts here is ended after it."""
    families: list[Family] = []
    yield families
    for family in families:
        family.end()


@pytest.fixture
def family(families: list[Family]) -> Family:
    families.append(Family())
    return families[0]


@pytest.mark.parametrize("kind", ["pid", "psutil", "popen"])
async def test_it_is_ended_with_its_whole_tree_however_it_is_named(
    tracker: McpProcessTracker, family: Family, kind: str
) -> None:
    popen = family.process
    forms: dict[str, ForeignProcess] = {
        "pid": popen.pid,
        "psutil": psutil.Process(popen.pid),
        "popen": popen,
    }
    tracked = tracker.track("foreign", forms[kind])
    assert tracker.tracked == (tracked,)
    assert len(family.living) == 2
    assert await tracker.close_connection(tracked) == "closed"
    assert family.living == []
    assert tracker.tracked == ()
    assert psutil.pid_exists(popen.pid) is (kind != "popen"), "who has the object has to reap it"


async def test_a_process_of_asyncio_is_ended_with_its_whole_tree(
    tracker: McpProcessTracker,
) -> None:
    marker = uuid4().hex
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", TREE, marker, stdin=pipe, stdout=pipe
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    tracked = tracker.track("foreign", process)
    assert str(await tracker.close_all()) == "1 closed, 0 forced, 0 left"
    assert find_marked(marker) == []
    assert await process.wait() == 0  # by the end of its input
    assert tracked.process.exit_code == 0


async def test_one_that_does_not_want_to_end_is_made_to(
    tracker: McpProcessTracker, families: list[Family]
) -> None:
    families.append(Family("stubborn"))
    tracked = tracker.track("foreign", families[0].process)
    assert await tracker.close_connection(tracked) == "forced"
    assert families[0].living == []


async def test_it_is_released_when_it_has_ended_as_it_has_no_keeper(family: Family) -> None:
    attached = AttachedProcess(family.process)
    assert not await attached.wait_released(0)
    with pytest.raises(BrokenPipeError):
        await attached.write(b"its input is not ours")
    family.end()
    assert await attached.wait_released(0)


async def test_what_is_released_is_not_watched_any_more(families: list[Family]) -> None:
    families.append(Family("stubborn"))
    attached = AttachedProcess(families[0].process)
    attached.release()
    attached.close_stdin()
    name = f"exit of process {attached.pid}"
    (watching,) = (task for task in asyncio.all_tasks() if task.get_name() == name)
    attached.release()
    await asyncio.wait([watching], timeout=LIMIT)
    assert watching.cancelled()


async def test_killing_all_kills_it_too(tracker: McpProcessTracker, family: Family) -> None:
    tracker.track("foreign", family.process.pid)
    tracker.kill_all()
    assert family.living == []


@pytest.mark.skipif(sys.platform != "linux", reason="tags are Linux's")
async def test_a_daemon_that_it_makes_while_it_is_tracked_ends_with_it(
    tracker: McpProcessTracker, family: Family, families: list[Family]
) -> None:
    families.append(Family())
    tracked = tracker.track("foreign", family.process)
    await tracker.close_connection(tracker.track("one before", families[1].process))
    family.make_daemon()
    assert len(family.living) >= 3  # the one in between may not have ended yet
    await tracker.close_connection(tracked)
    assert family.living == []


@pytest.mark.skipif(sys.platform != "linux", reason="tags are Linux's")
async def test_one_that_ended_by_itself_still_loses_what_it_left(
    tracker: McpProcessTracker, family: Family
) -> None:
    tracked = tracker.track("foreign", family.process)
    family.process.kill()
    family.process.wait(LIMIT)
    assert len(family.living) == 1
    assert await tracker.close_connection(tracked) == "closed"
    assert family.living == []


async def test_it_is_in_the_ledger_for_as_long_as_it_is_tracked(
    tracker: McpProcessTracker, family: Family, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path, tracker)
    tracked = tracker.track("foreign", family.process)
    assert ledger.path is not None
    (entry,) = read_ledger(ledger.path).entries
    assert (entry.owner, entry.group) == ("foreign", 0)
    assert entry.process == identify(family.process.pid)
    await tracker.close_connection(tracked)
    assert read_ledger(ledger.path).entries == ()
    ledger.close()


DIES = """
import json, os, sys
from pathlib import Path
from desktop.processes.ledger import Ledger
from desktop.processes.tracker import McpProcessTracker
tracker = McpProcessTracker()
ledger = Ledger(Path(sys.argv[1]), tracker)
tracker.track("foreign", int(sys.argv[2]))
os.kill(os.getpid(), 9)
"""


def test_the_next_start_ends_it_when_the_app_was_killed(family: Family, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIES, str(tmp_path), str(family.process.pid)]
    assert subprocess.run(command, check=False, timeout=LIMIT).returncode == -9
    assert len(family.living) == 2
    swept = asyncio.run(OrphanCleanup(tmp_path).run())
    assert {(process.owner, process.ended) for process in swept} == {("foreign", True)}
    assert family.living == []


async def test_tracking_it_twice_is_once(tracker: McpProcessTracker, family: Family) -> None:
    tracked = tracker.track("foreign", family.process)
    assert tracker.track("again", family.process.pid) is tracked
    assert tracker.tracked == (tracked,)


def test_neither_this_process_nor_one_above_it_can_be_tracked() -> None:
    tracker = McpProcessTracker()  # not the fixture, which would close what was tracked
    for pid in (os.getpid(), os.getppid()):
        with pytest.raises(ValueError, match="is this process or"):
            tracker.track("suicide", pid)
    assert tracker.tracked == ()


def test_one_that_has_ended_cannot_be_tracked(tracker: McpProcessTracker) -> None:
    ended = subprocess.Popen(["/bin/true"])
    identity = psutil.Process(ended.pid)
    ended.wait(LIMIT)
    for named in (ended.pid, identity, ended):
        with pytest.raises(ProcessLookupError):
            tracker.track("ended", named)


SHARES_ITS_GROUP = """
import asyncio, json, os, subprocess, sys
from desktop.processes.tracker import McpProcessTracker
leader = subprocess.Popen(["/bin/sleep", "60"], process_group=0)
os.setpgid(0, leader.pid)
async def main():
    tracker = McpProcessTracker()
    tracked = tracker.track("leader", leader)
    return await tracker.close_connection(tracked)
print(json.dumps([asyncio.run(main()), leader.poll()]), flush=True)
"""


def test_one_that_leads_the_group_of_this_process_ends_alone() -> None:
    """As the first program of a shell's pipeline does."""
    done: subprocess.CompletedProcess[Any] = subprocess.run(
        [sys.executable, "-c", SHARES_ITS_GROUP], capture_output=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["closed", -15]
