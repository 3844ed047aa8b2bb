"""The window as a process of its own: painted first, ended in order, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.server_commands import command

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


def start(folder: Path, server: str, *args: str) -> tuple[subprocess.Popen[str], Path]:
    """The app on a config with one test server, in its own folder; with its trace."""
    program, arguments = command(server, *args)
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (folder / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    os.mkfifo(folder / "trace")
    flags = ["--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data")]
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop", *flags],
        cwd=ROOT,
        env={**os.environ, "MCP_DESKTOP_TRACE": str(folder / "trace")},
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, folder / "trace"


def events_until(trace: Path, last: str) -> list[str]:
    """The events of the trace, a pipe: reading waits until they are written."""
    seen: list[str] = []
    while last not in seen:
        with trace.open(encoding="utf-8") as lines:
            seen += [json.loads(line)["event"] for line in lines]
    return seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_window_and_its_servers_in_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    process, trace = start(tmp_path, "plain")
    assert events_until(trace, "ready") == ["start", "window_shown", "ready"]
    servers = psutil.Process(process.pid).children(recursive=True)
    assert servers  # the guardian and the keeper are among them
    process.send_signal(number)
    assert events_until(trace, "quit") == ["quit"]
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    assert not any(server.is_running() for server in servers)
    log = (tmp_path / "data" / "logs" / "app.log").read_text(encoding="utf-8")
    assert "servers at the end: 1 closed, 0 forced, 0 left" in log


def test_quitting_while_a_server_still_connects_does_not_wait_for_it(tmp_path: Path) -> None:
    process, trace = start(tmp_path, "silent")
    events_until(trace, "window_shown")
    while not (servers := silent_servers(process.pid)):
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert events_until(trace, "quit") == ["quit"]
    process.communicate(timeout=20)
    assert process.returncode == 0
    assert not any(server.is_running() for server in servers)


def silent_servers(pid: int) -> list[psutil.Process]:
    """The test server below the app; its login shell is another child, for a moment."""
    return [
        child
        for child in psutil.Process(pid).children(recursive=True)
        if any("silent.py" in argument for argument in command_line(child))
    ]


def command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has ended meanwhile
        return []
