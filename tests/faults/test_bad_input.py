"""What cannot be ended is named and does not hold up the quit; without a ledger the app works."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.processes.tracker import KILL_AFTER, McpProcessTracker, ShutdownReport
from tests.faults.app_run import TERMINAL, WINDOW, AppRun
from tests.faults.rows import ROWS
from tests.processes.recorder import tracked_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.processes.process import ProcessOutput
    from tests.conftest import ExpectedLogs
    from tests.faults.rows import Fault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
NOBODY = 2**22 + 1
"""A PID that no process can have: no signal reaches anybody."""
QUIT_LIMIT = KILL_AFTER + 4.0


class AnothersProcess(psutil.Process):
    """A process of another user: it is there, but no signal of ours is allowed."""

    def send_signal(self, sig: int) -> None:
        raise psutil.AccessDenied(self.pid)

    def kill(self) -> None:
        raise psutil.AccessDenied(self.pid)


class Unkillable:
    """A server that nothing ends; its `pid` is nobody's, so that no test can hit a real one."""

    exit_code = None
    keeper_pid = None
    lost_keeper = False
    left_input_unread = False
    pid = NOBODY

    def __init__(self) -> None:
        self.exited = asyncio.Event()

    def members(self) -> None: ...
    async def write(self, data: bytes) -> None:
        raise BrokenPipeError

    def set_output(self, output: ProcessOutput) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def close_stdin(self) -> None: ...
    def release(self) -> None: ...
    async def wait_released(self, limit: float) -> bool:
        return False


@pytest.fixture
def anothers_process() -> Iterator[AnothersProcess]:
    """A real process that we act as if we could not end."""
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as real:
        yield AnothersProcess(real.pid)
        real.kill()


def track_unkillable(tracker: McpProcessTracker, process: AnothersProcess) -> None:
    tracked = tracker.add("cannot be ended", Unkillable(), "marker")
    tracked.identity = process


async def test_the_receipt_names_a_server_that_cannot_be_ended_beside_those_that_were(
    anothers_process: AnothersProcess, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("cannot be ended .* cannot be ended")
    tracker = McpProcessTracker()
    await tracked_server(tracker, "plain")
    track_unkillable(tracker, anothers_process)
    receipt = await asyncio.wait_for(tracker.close_all(), QUIT_LIMIT)
    assert receipt == ShutdownReport(("plain",), (), ("cannot be ended",))


async def test_the_quit_counts_it_once_and_ends_within_its_limit(
    anothers_process: AnothersProcess, expected_logs: ExpectedLogs, tmp_path: Path
) -> None:
    expected_logs.expect("cannot be ended .* cannot be ended")
    core = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"))
    core.tracker = McpProcessTracker()  # not the one of all the tests after this one
    track_unkillable(core.tracker, anothers_process)
    receipt = await asyncio.wait_for(core.close(), QUIT_LIMIT)
    assert receipt.left == ("cannot be ended",)


@pytest.mark.parametrize("place", ["below_a_file", "ledgers_are_a_file"])
def test_with_an_unwritable_data_folder_the_app_works_and_says_that_the_ledger_is_off(
    tmp_path: Path, place: str
) -> None:
    with AppRun(tmp_path, some_rows(), WINDOW, data=unwritable(tmp_path, place)) as run:
        run.wait_populated()
        run.signal(signal.SIGTERM)
        assert run.wait_ended() == 0, run.log
        assert "ledger of processes is off" in run.log
        assert run.survivors() == {}


@pytest.mark.parametrize("place", ["below_a_file", "ledgers_are_a_file"])
def test_with_an_unwritable_data_folder_a_command_works_and_says_that_the_ledger_is_off(
    tmp_path: Path, place: str
) -> None:
    with AppRun(tmp_path, some_rows(), TERMINAL, data=unwritable(tmp_path, place)) as run:
        assert run.wait_ended() == 0, run.log
        assert "ledger of processes is off" in run.log
        assert run.survivors() == {}


def some_rows() -> dict[str, Fault]:
    return {name: ROWS[name] for name in ("well_behaved", "ignores_both", "setsid_child")}


def unwritable(folder: Path, place: str) -> Path:
    """A data folder in which nothing, or no ledger, can be written, for root neither."""
    (folder / "file").write_text("in the way", encoding="utf-8")
    if place == "below_a_file":
        return folder / "file" / "data"
    (folder / "data").mkdir()
    Paths(folder / "mcp.json", folder / "data").ledgers.write_text("in the way", encoding="utf-8")
    return folder / "data"
