"""The real window beside real terminals: it takes their commands, also from a daemon."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from tests.patience import LIMIT
from tests.server_commands import command
from tests.test_app import ROOT, events_until, start

if TYPE_CHECKING:
    from pathlib import Path


def test_a_window_carries_out_what_terminals_say_and_takes_the_place_of_a_daemon(
    tmp_path: Path,
) -> None:
    flags = ["--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data")]

    def run(*args: str) -> str:
        command = [sys.executable, "-m", "desktop", *args, *flags]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    program, arguments = command("counts")
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (tmp_path / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    daemon = subprocess.Popen(
        [sys.executable, "-m", "desktop", "daemon", *flags], cwd=ROOT, stderr=subprocess.PIPE
    )
    assert daemon.stderr is not None
    assert b"ready for commands" in daemon.stderr.readline()
    assert [run("call", "one:count") for _ in range(2)] == ["1\n", "2\n"]
    process, trace = start(tmp_path, "counts")
    events_until(trace, "ready")
    daemon.communicate(timeout=LIMIT)
    assert daemon.returncode == 0
    deadline = time.monotonic() + 20
    while not (tmp_path / "data" / "commands.sock").exists():
        assert time.monotonic() < deadline
    assert [run("call", "one:count") for _ in range(2)] == ["1\n", "2\n"]
    assert "calculator" in run("call", "calculator:evaluate", "expression=1", "--json")
    process.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert not (tmp_path / "data" / "commands.sock").exists()
