"""The ledger says at any moment which servers run, and is gone when none does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from desktop.processes import ledger as ledgers
from desktop.processes.identity import identify, this_place
from desktop.processes.ledger import Ledger
from desktop.processes.leftover import app_of, read
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import tracked_server
from tests.processes.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


@pytest.fixture
def sleeper() -> Iterator[int]:
    """PID of a process that runs for as long as the test."""
    process = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True)
    with process:
        yield process.pid


def owners(path: Path) -> list[str]:
    return [entry.owner for entry in read(path).entries]


async def test_a_server_is_in_it_from_its_start_to_its_end(tmp_path: Path) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path / "processes", tracker)
    assert not (tmp_path / "processes").exists()
    tracked, _ = await tracked_server(tracker, "plain")
    assert ledger.path is not None
    (entry,) = read(ledger.path).entries
    assert (entry.owner, entry.marker, entry.process) == (
        "plain",
        tracked.marker,
        identify(tracked.process.pid),
    )
    assert entry.group == tracked.process.pid
    assert read(ledger.path).place == this_place()
    await tracker.close_connection(tracked)
    assert owners(ledger.path) == []
    ledger.close()
    assert os.listdir(tmp_path / "processes") == []


def test_its_file_says_whose_it_is_and_nobody_else_reads_it(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    assert ledger.path is not None
    assert app_of(ledger.path) == identify(os.getpid())
    assert ledger.path.stat().st_mode & 0o077 == 0


def test_what_still_runs_keeps_the_file(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    ledger.close()
    assert ledger.path is not None
    assert owners(ledger.path) == ["one"]


def test_what_could_not_be_ended_stays_in_it_for_the_next_start(
    tmp_path: Path, sleeper: int
) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path, tracker)
    left = tracker.take("left", StandIn(sleeper), uuid4().hex)
    forced = tracker.take("forced", StandIn(sleeper), uuid4().hex)
    tracker.removed.send(left, "left")
    tracker.removed.send(forced, "forced")
    ledger.close()
    assert ledger.path is not None
    assert owners(ledger.path) == ["left"]


def test_a_file_about_what_ended_is_written_anew_and_stays_small(
    tmp_path: Path, sleeper: int
) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "stays", uuid4().hex)
    for number in range(ledgers.COMPACT_AFTER):
        marker = uuid4().hex
        ledger.add(sleeper, f"restarted {number}", marker)
        ledger.remove(marker)
    assert ledger.path is not None
    assert owners(ledger.path) == ["stays"]
    assert len(ledger.path.read_bytes().splitlines()) <= ledgers.COMPACT_AFTER + 10


def test_what_is_gone_already_is_not_written_down(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(2**22 + 1, "gone", uuid4().hex)
    ledger.close()
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_told_once_and_the_servers_go_on(
    tmp_path: Path, sleeper: int, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("the ledger of processes is off")
    blocked = tmp_path / "file"
    blocked.write_text("")
    ledger = Ledger(blocked / "processes", McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    problem = ledger.problem
    assert "file" in problem
    ledger.add(sleeper, "two", uuid4().hex)
    assert ledger.problem == problem
    blocked.unlink()
    ledger.add(sleeper, "three", uuid4().hex)
    assert ledger.problem == ""
    assert ledger.path is not None
    assert owners(ledger.path) == ["one", "two", "three"]


def test_a_folder_that_was_cleaned_up_is_made_again(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    assert ledger.path is not None
    ledger.path.unlink()
    ledger.add(sleeper, "two", uuid4().hex)
    assert owners(ledger.path) == ["one", "two"]


def test_every_line_stands_for_itself(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "new\nline", uuid4().hex)
    assert ledger.path is not None
    lines = ledger.path.read_text(encoding="utf-8").splitlines()
    assert [list(json.loads(line)) for line in lines] == [["place"], ["added"]]
