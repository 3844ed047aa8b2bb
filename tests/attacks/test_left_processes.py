"""Processes that hide from whoever started them: without environment, session or parent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

if sys.platform != "linux":
    raise pytest.skip.Exception("other systems have no subreapers", allow_module_level=True)

from desktop.processes import process_tree
from desktop.processes.orphan_cleanup import OrphanCleanup
from tests.builtin_command import builtin
from tests.faults.app_run import ROOT, AppRun
from tests.faults.population import wait_until
from tests.patience import LIMIT
from tests.processes.starting_app import POINTS
from tests.raw_client import RawClient, end_marked, find_marked
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SLEEP = f"{sys.executable} -c 'import time; print(1, flush=True); time.sleep(600)' --marker "


@pytest.fixture
def marker() -> Iterator[str]:
    text = uuid4().hex
    yield text
    end_marked(text)


@pytest.fixture
def shell() -> Iterator[RawClient]:
    with RawClient(builtin("shell")) as client:
        client.initialize()
        yield client


@pytest.mark.parametrize(
    "hidden",
    [
        "env -i setsid {} > {} &",
        "env -i setsid -f {} > {}",
        "(env -i setsid nohup {} > {} &) &",
        "env -i setsid setsid -f {} > {}",
    ],
)
def test_what_a_command_hides_ends_with_its_call(
    hidden: str, marker: str, shell: RawClient, tmp_path: Path
) -> None:
    out = f"{tmp_path}/out"
    command = (
        f"{hidden.format(SLEEP + marker, out)}\nuntil grep -q 1 {out}; do sleep 0.02; done; echo up"
    )
    answer = shell.call("run_command", command=command)
    assert answer["result"]["structuredContent"]["stdout"] == "up\n"
    assert find_marked(marker) == []


def test_what_another_command_hides_goes_on_as_long_as_that_command(
    marker: str, shell: RawClient, tmp_path: Path
) -> None:
    out, gate = f"{tmp_path}/out", f"{tmp_path}/gate"
    long = (
        f"env -i setsid {SLEEP}{marker} > {out} &\n"
        f"until [ -e {gate} ]; do sleep 0.02; done; echo done"
    )
    shell.send("tools/call", {"name": "run_command", "arguments": {"command": long}}, id="long")
    wait = f"until grep -q 1 {out}; do sleep 0.02; done"
    assert shell.call("run_command", command=wait)["result"]["structuredContent"]["exit_code"] == 0
    assert len(find_marked(marker)) == 1
    (tmp_path / "gate").touch()
    shell.read_answer("long")
    assert find_marked(marker) == []


@contextmanager
def stopped_app(
    folder: Path, marker: str, *servers: str
) -> Generator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """An app with these servers, and its guardian and keeper; none of them is left."""
    script = str(Path(__file__).with_name("stopped_app.py"))
    app = subprocess.Popen(
        [sys.executable, script, str(folder), marker, *servers],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert app.stdout is not None
    word, *pids = app.stdout.readline().split()
    guards = [psutil.Process(int(pid)) for pid in pids]
    try:
        assert (word, len(guards)) == ("ready", 2)
        yield app, guards
    finally:
        app.kill()
        app.communicate()
        for guard in guards:
            with contextlib.suppress(psutil.Error):
                guard.kill()


@pytest.mark.parametrize("left", [["stubborn"], []])
def test_the_sweep_ends_a_stopped_guardian_and_keeper_of_a_dead_app(
    left: list[str], marker: str, tmp_path: Path
) -> None:
    with stopped_app(tmp_path, marker, "plain", *left) as (app, guards):
        for guard in guards:
            guard.send_signal(signal.SIGSTOP)
        app.kill()
        app.communicate()
        # The other server leaves when its input closes, which is a moment after the app is gone.
        assert wait_until(lambda: len(find_marked(marker)) == len(left), limit=LIMIT)
        cleaned = asyncio.run(OrphanCleanup(tmp_path).run())
        assert find_marked(marker) == []
        assert psutil.wait_procs(guards, timeout=LIMIT)[1] == []
        assert [process.owner for process in cleaned if process.ended] == left
        assert all("mcp-" not in process.name for process in cleaned)


@pytest.mark.parametrize("server", ["leaves_child", "setsid_child", "daemon_child"])
@pytest.mark.parametrize("point", POINTS)
def test_the_sweep_ends_a_server_whose_app_was_killed_at_any_point_of_its_start(
    point: str, server: str, marker: str, tmp_path: Path
) -> None:
    """App, guardian and keeper at once, before the app has heard of the process, or just then."""
    program, args = command(server, "--marker", marker)
    words = [str(tmp_path), point, json.dumps([program, *args])]
    app = subprocess.Popen([sys.executable, "-m", "tests.processes.starting_app", *words], cwd=ROOT)
    try:
        os.waitid(os.P_PID, app.pid, os.WSTOPPED | os.WNOWAIT)
        wanted = 0 if point == POINTS[0] else 2
        assert wait_until(lambda: len(find_marked(marker)) == wanted, limit=LIMIT)
        guards = psutil.Process(app.pid).children(recursive=True)[: 2 if wanted else 0]
        AppRun.kill_at_once([psutil.Process(app.pid), *guards])
    finally:
        app.kill()
        app.wait()
    assert asyncio.run(OrphanCleanup(tmp_path).run()) is not None
    assert find_marked(marker) == []
    assert os.listdir(tmp_path) == []


def test_the_sweep_ends_a_stopped_guardian_below_which_nothing_is_left(
    marker: str, tmp_path: Path
) -> None:
    with stopped_app(tmp_path, marker, "plain") as (app, (guardian, keeper)):
        guardian.suspend()
        keeper.kill()
        app.kill()
        app.communicate()
        assert wait_until(lambda: not find_marked(marker), limit=LIMIT)
        assert guardian.status() == psutil.STATUS_STOPPED
        assert asyncio.run(OrphanCleanup(tmp_path).run()) == ()
        assert psutil.wait_procs([guardian], timeout=LIMIT)[1] == []


def test_a_server_finds_no_secret_of_the_app_in_the_processes_above_it(
    marker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may read their environment, which is kept from it in its own."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    with stopped_app(tmp_path, marker, "plain") as (app, guards):
        for guard in guards:
            assert set(guard.environ()) <= {"LD_LIBRARY_PATH", process_tree.SERVER_VARIABLE}
        assert psutil.Process(app.pid).environ()["OPENAI_API_KEY"] == "sk-canary"
