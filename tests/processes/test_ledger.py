"""The ledger lists what runs, and is read for what is certain in it, even if torn or edited."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil
import pytest

from desktop.base.tasks import spawn
from desktop.processes import guardian_protocol
from desktop.processes import ledger as ledgers
from desktop.processes.identity import Identity, PidScope, current_scope, identify
from desktop.processes.ledger import Ledger, parse_ledger_name, read_ledger
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import Recorder, tracked_server
from tests.processes.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


@pytest.fixture
def sleeper() -> Iterator[int]:
    """PID of a process that runs for as long as the test."""
    process = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True)
    with process:
        yield process.pid


def owners(path: Path) -> list[str]:
    return [entry.owner for entry in read_ledger(path).entries]


@posix_only
async def test_a_server_is_in_it_from_its_start_to_its_end(
    tmp_path: Path, tracker: McpProcessTracker
) -> None:
    ledger = Ledger(tmp_path / "processes", tracker)
    assert not (tmp_path / "processes").exists()
    tracked, _ = await tracked_server(tracker, "plain")
    assert ledger.path is not None
    (entry,) = read_ledger(ledger.path).entries
    assert (entry.owner, entry.marker, entry.process) == (
        "plain",
        tracked.marker,
        identify(tracked.process.pid),
    )
    assert entry.group == tracked.process.pid
    assert read_ledger(ledger.path).scope == current_scope()
    await tracker.close_connection(tracked)
    assert owners(ledger.path) == []
    ledger.close()
    assert os.listdir(tmp_path / "processes") == []


@posix_only
async def test_a_server_that_cannot_be_started_is_not_in_it(tmp_path: Path) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path, tracker)
    with pytest.raises(OSError, match="nothing-there"):
        await tracker.start("one", LaunchSpec("/nothing-there"), Recorder())
    assert ledger.path is not None
    assert owners(ledger.path) == []


@posix_only
async def test_a_start_that_is_cancelled_stays_in_it_until_the_tracker_has_waited(
    tmp_path: Path,
) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path, tracker)
    starting = spawn(tracker.start("one", LaunchSpec("/bin/cat"), Recorder()), "start")
    await asyncio.sleep(0)
    assert ledger.path is not None
    assert [entry.process for entry in read_ledger(ledger.path).entries] == [None]
    starting.cancel()
    await asyncio.wait({starting})
    assert owners(ledger.path) == ["one"]
    await tracker.close_all()
    ledger.close()
    assert os.listdir(tmp_path) == []


@posix_only
def test_its_file_says_whose_it_is_and_nobody_else_reads_it(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    marker = uuid4().hex
    ledger.add(sleeper, "one", marker)
    assert ledger.path is not None
    if sys.platform == "linux":
        assert guardian_protocol.read_tag(sleeper) == guardian_protocol.tag_for(marker)
    assert parse_ledger_name(ledger.path) == identify(os.getpid())
    assert ledger.path.stat().st_mode & 0o077 == 0


def test_writing_leaves_no_file_open(tmp_path: Path, sleeper: int) -> None:
    if sys.platform == "win32":
        pytest.skip("descriptors are not counted")
    ledger = Ledger(tmp_path, McpProcessTracker())
    before = psutil.Process().num_fds()
    for _ in range(3):
        ledger.add(sleeper, "one", uuid4().hex)
    assert psutil.Process().num_fds() == before


@posix_only
def test_what_still_runs_keeps_the_file(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    ledger.close()
    assert ledger.path is not None
    assert owners(ledger.path) == ["one"]


@posix_only
def test_what_could_not_be_ended_stays_in_it_for_the_next_start(
    tmp_path: Path, sleeper: int
) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path, tracker)
    left = tracker.add("left", StandIn(sleeper), uuid4().hex)
    forced = tracker.add("forced", StandIn(sleeper), uuid4().hex)
    tracker.removed.send(left, "left")
    tracker.removed.send(forced, "forced")
    ledger.close()
    assert ledger.path is not None
    assert owners(ledger.path) == ["left"]


@posix_only
def test_a_file_about_what_ended_is_written_anew_and_stays_small(
    tmp_path: Path, sleeper: int
) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    stay = ["stays", "stays, too"]
    for owner in stay:
        ledger.add(sleeper, owner, uuid4().hex)
    assert ledger.path is not None
    lines: list[int] = []
    while len(lines) < 3 or lines[-1] > lines[-3]:
        marker = uuid4().hex
        ledger.add(sleeper, "restarted", marker)
        lines.append(len(ledger.path.read_bytes().splitlines()))
        ledger.remove(marker)
        lines.append(len(ledger.path.read_bytes().splitlines()))
    assert owners(ledger.path) == stay
    assert max(lines) == 200 + 4 * len(stay) + 2  # the last of them adds
    assert min(lines[-2:]) == len(("place", *stay))


@posix_only
def test_what_is_gone_already_is_not_written_down(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(2**22 + 1, "gone", uuid4().hex)
    ledger.close()
    assert os.listdir(tmp_path) == []


@posix_only
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


def _unknown(pid: int) -> None:
    """No process can be told."""


def test_where_nobody_tells_who_this_process_is_there_is_none(
    tmp_path: Path, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_logs.expect("the ledger of processes is off")
    monkeypatch.setattr("desktop.processes.ledger.identify", _unknown)
    tracker = McpProcessTracker()
    ledger = Ledger(tmp_path, tracker)
    tracker.starting.send("one", uuid4().hex)
    assert "does not tell who" in ledger.problem
    ledger.close()
    assert list(tmp_path.iterdir()) == []


@posix_only
def test_a_disk_that_takes_only_a_part_of_a_line_is_told(
    tmp_path: Path, sleeper: int, expected_logs: ExpectedLogs
) -> None:
    import resource

    expected_logs.expect("the ledger of processes is off")
    ledger = Ledger(tmp_path, McpProcessTracker())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, limits[1]))
    try:
        ledger.add(sleeper, "one", uuid4().hex)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ledger.problem == "the disk is full"


@posix_only
def test_a_folder_that_was_cleaned_up_is_made_again(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "one", uuid4().hex)
    assert ledger.path is not None
    ledger.path.unlink()
    ledger.add(sleeper, "two", uuid4().hex)
    assert owners(ledger.path) == ["one", "two"]


@posix_only
def test_every_line_stands_for_itself(tmp_path: Path, sleeper: int) -> None:
    ledger = Ledger(tmp_path, McpProcessTracker())
    ledger.add(sleeper, "new\nline", uuid4().hex)
    assert ledger.path is not None
    lines = ledger.path.read_text(encoding="utf-8").splitlines()
    assert [list(json.loads(line)) for line in lines] == [["place", "check"], ["added", "check"]]


MARKER = "0123456789abcdef0123456789abcdef"
PLACE = {"place": {"host": "h", "boot": "b", "namespace": "n"}}


def added(**changes: Any) -> dict[str, Any]:
    entry = {"process": {"pid": 2, "start": "1"}, "owner": "one", "marker": MARKER, "group": 2}
    return {"added": {**entry, **changes}}


def written(path: Path, *lines: object) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_ended_is_not_among_what_is_left(tmp_path: Path) -> None:
    other = added(marker="f" * 32, owner="two")
    left = read_ledger(written(tmp_path / "f", PLACE, added(), other, {"removed": MARKER}))
    assert left.scope == PidScope("h", "b", "n")
    assert [entry.owner for entry in left.entries] == ["two"]


def test_a_torn_last_line_costs_that_line(tmp_path: Path) -> None:
    left = read_ledger(written(tmp_path / "f", PLACE, added(), '{"added": {"process": {"pid": 7'))
    assert [entry.process for entry in left.entries] == [Identity(2, "1")]


def test_of_a_ledger_that_is_too_large_only_the_beginning_is_read_which_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "f", PLACE, added())
    monkeypatch.setattr(ledgers, "MAX_LEDGER_BYTES", path.stat().st_size)
    assert read_ledger(path).damage == ""
    written(path, PLACE, added(), "")
    left = read_ledger(path)
    assert [entry.owner for entry in left.entries] == ["one"]
    assert left.damage.startswith("it is larger than 0.000")


@pytest.mark.parametrize(
    "line",
    [
        added(process={"pid": 1, "start": "1"}, group=1),
        added(process={"pid": -1, "start": "1"}, group=-1),
        added(process={"pid": "70", "start": "1"}),
        added(process={"pid": True, "start": "1"}),
        added(process={"pid": 70, "start": 1}),
        added(group=1),
        added(group=0.5),
        added(marker=""),
        added(marker="short"),
        added(owner=None),
        {"added": []},
        {**added(), "check": "of another line"},
        [],
        7,
        "[" * 100_000,
        "not json",
        "",
    ],
)
def test_a_line_that_makes_no_sense_is_left_out(tmp_path: Path, line: object) -> None:
    assert read_ledger(written(tmp_path / "f", PLACE, line)).entries == ()


@pytest.mark.parametrize("place", ["{", {"place": 1}, {"place": {"host": "h"}}])
def test_a_ledger_without_a_place_has_none(tmp_path: Path, place: object) -> None:
    assert read_ledger(written(tmp_path / "f", place, added())).scope is None


def test_an_endless_name_is_cut(tmp_path: Path) -> None:
    (entry,) = read_ledger(written(tmp_path / "f", PLACE, added(owner="x" * 10_000))).entries
    assert len(entry.owner) == 100


@pytest.mark.parametrize(
    ("name", "app"),
    [
        ("12-345.jsonl", Identity(12, "345")),
        ("12-345.6.jsonl", Identity(12, "345.6")),
        ("12-345.new", Identity(12, "345")),
        ("12-345.txt", None),
        ("12.jsonl", None),
        ("x-1.jsonl", None),
        (".jsonl", None),
        ("99999999999999-1.jsonl", None),
    ],
)
def test_a_file_name_tells_whose_ledger_it_is(
    tmp_path: Path, name: str, app: Identity | None
) -> None:
    assert parse_ledger_name(tmp_path / name) == app
