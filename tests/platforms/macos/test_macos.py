"""What only macOS does, on the emulated one: `make test-platforms` runs this, others skip it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "darwin":
    raise pytest.skip.Exception("macOS only", allow_module_level=True)

from desktop.processes.posix import start
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import Recorder
from tests.server_commands import command as server_command

if TYPE_CHECKING:
    from pathlib import Path


def carriers(marker: str) -> list[psutil.Process]:
    return [one for one in psutil.process_iter() if marker in " ".join(_words(one))]


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_a_daemon_of_a_server_ends_with_the_command_that_started_it(tmp_path: Path) -> None:
    marker = uuid4().hex
    command, args = server_command("daemon_child", "--marker", marker, "--environment", "keep")
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"x": {"command": command, "args": args}}}))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "desktop", "call", "x:echo"),
            *("--config", str(config), "--data-dir", str(tmp_path / "data")),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert carriers(marker) == []


@pytest.mark.parametrize("code", ["import sys; sys.stdin.read()", ""])
async def test_an_exit_is_noticed_at_a_kqueue_and_the_pid_stays(
    code: str,
) -> None:
    launch = LaunchSpec(sys.executable, ("-S", "-c", f"{code}\nraise SystemExit(7)"), os.environ)
    process = await start(launch, Recorder())
    if code:  # one that ends at once may end before the kqueue knows of it
        process.close_stdin()
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    if code:
        assert psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    process.release()
    assert process.exit_code == 7
    assert not psutil.pid_exists(process.pid)


async def test_the_watcher_ends_with_the_last_server() -> None:
    tracker = McpProcessTracker()
    servers = [
        await tracker.start("one", LaunchSpec("/bin/cat", (), os.environ), Recorder())
        for _ in range(2)
    ]
    watcher = psutil.Process(tracker.guardian.pid)
    await tracker.close_connection(servers[0])
    assert watcher.is_running()
    await tracker.close_connection(servers[1])
    assert not watcher.is_running()
    assert tracker.guardian.pid is None
