"""A small app of its own process with guarded servers, to be killed by tests; and who survives.

Run as a script: `guarded_app.py MARKER FILE SERVER...` starts the servers and says `ready PID...`
(the guardian, then the keeper) once each has answered. It ends when its input does. At the kill of
each, a line is added to FILE.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil

from tests.patience import LIMIT

if __name__ == "__main__":
    sys.path.insert(0, __file__.rpartition("/tests/")[0])

from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import tracked_server
from tests.raw_client import find_marked

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType


def added_line(file: str | Path) -> tuple[str, ...]:
    """A command that adds a line to a file, says so, and fails all the same."""
    return "/bin/sh", "-c", 'echo killed | tee -a "$0"; exit 1', str(file)


async def serve(marker: str, file: str, servers: list[str]) -> None:
    tracker = McpProcessTracker.instance()
    at_kill = added_line(file) if file else ()
    starts = (
        tracked_server(tracker, server, "--marker", marker, at_kill=at_kill) for server in servers
    )
    await asyncio.gather(*starts)
    keepers = {str(server.process.keeper_pid) for server in tracker.tracked}
    print("ready", tracker.guardian.pid, *keepers, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await tracker.close_all()


class GuardedApp:
    """The app and what runs for it. Leaving the context kills it."""

    def __init__(self, *servers: str, file: str | Path = "") -> None:
        self.marker = uuid4().hex
        self.process = subprocess.Popen(
            [sys.executable, __file__, self.marker, str(file), *servers],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        word, *pids = self.process.stdout.readline().split()
        assert word == "ready"
        self.guardian, self.keeper = (psutil.Process(int(pid)) for pid in pids)

    def __enter__(self) -> GuardedApp:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(LIMIT)

    @property
    def marked(self) -> list[psutil.Process]:
        """What its servers are and have started, by the marker of the test."""
        return [found for found in find_marked(self.marker) if found.pid != self.process.pid]


def gone_within(seconds: float, processes: list[psutil.Process]) -> bool:
    """Whether all have ended by then; a zombie whose parent is not this process has."""
    deadline = time.monotonic() + seconds
    while any(_runs(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], sys.argv[3:]))
