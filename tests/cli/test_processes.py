from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if sys.platform != "linux":
    raise pytest.skip.Exception("reads the environment of others", allow_module_level=True)

from desktop.processes import process_tree
from tests.cli.terminal import entry, interrupt, servers_of
from tests.cli.test_runner import start_slow_call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Done, Terminal

ALIVE = "import sys; print('up', flush=True); sys.stdin.read()"


def run_of(done: Done, pid: int) -> dict[str, Any]:
    return next(run for run in done.document["runs"] if run["pid"] == pid)


@pytest.fixture
def app(terminal: Terminal) -> Iterator[subprocess.Popen[str]]:
    """A run of the app that stays: its tool does not answer before it is cancelled."""
    terminal.configure(server=entry("waiting", "--api-key", "sk-1"))
    process = start_slow_call(terminal)
    yield process
    interrupt(process)


@pytest.fixture
def leftover(terminal: Terminal) -> Iterator[tuple[int, int]]:
    """A process that says it belongs to an app which is gone; the PIDs of the app and of it."""
    dead = subprocess.Popen([sys.executable, "-S", "-c", ""])
    dead.wait()
    marks = {
        process_tree.MARKER_VARIABLE: "0" * 32,
        process_tree.SERVER_VARIABLE: f'{dead.pid} "files"',
    }
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", ALIVE],
        env={**os.environ, **marks},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield dead.pid, process.pid
    process.communicate()


def test_the_processes_of_a_run_are_shown_with_their_servers(
    terminal: Terminal, app: subprocess.Popen[str]
) -> None:
    (server,) = [one for one in servers_of(app) if "waiting.py" in " ".join(one.cmdline())]
    run = run_of(terminal.run("processes", "--json"), app.pid)
    rows = {row["pid"]: row for row in run["processes"]}
    assert run["running"] is True
    assert rows[app.pid]["owner"] == "mcp-desktop"
    assert rows[server.pid]["owner"] == "server"
    assert rows[server.pid]["command"].endswith("--api-key ‹redacted›")
    assert rows[server.pid]["memory_bytes"] > 1_000_000
    assert rows[server.pid]["cpu_percent"] >= 0


def test_the_table_has_a_row_a_process(terminal: Terminal, app: subprocess.Popen[str]) -> None:
    done = terminal.run("processes")
    header, *rows = done.out.splitlines()
    assert done.code == 0
    assert header.split() == ["OWNER", "PID", "AGE", "CPU", "MEMORY", "COMMAND"]
    assert any(row.startswith("mcp-desktop") and f" {app.pid} " in row for row in rows)
    assert any(row.startswith("server") and "waiting.py" in row for row in rows)
    assert "sk-1" not in done.out


def test_runs_of_another_data_folder_are_not_shown(
    terminal: Terminal, app: subprocess.Popen[str]
) -> None:
    done = terminal.run("processes", "--json", "--data-dir", str(terminal.folder / "other"))
    assert app.pid not in [run["pid"] for run in done.document["runs"]]


def test_what_a_dead_run_left_is_named(terminal: Terminal, leftover: tuple[int, int]) -> None:
    dead, pid = leftover
    run = run_of(terminal.run("processes", "--json"), dead)
    assert run["running"] is False
    assert [(row["owner"], row["pid"]) for row in run["processes"]] == [("files", pid)]
    done = terminal.run("processes")
    assert f"Left over from a run that kept no records (PID {dead}): pid {pid}." in done.err


def test_looking_ends_nothing(terminal: Terminal, leftover: tuple[int, int]) -> None:
    terminal.run("processes")
    assert psutil.Process(leftover[1]).is_running()
