"""An app that stops dead in the middle of the start of a server, as a busy machine makes it.

Run with the ledger's folder, the point to stop at (one of `POINTS`) and the server's command line
as JSON. It stops itself with SIGSTOP; who kills it then kills it there.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if sys.platform != "linux":
    raise ImportError("this is for Linux")

from desktop.processes.ledger import Ledger
from desktop.processes.linux_guardian import Guardian
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.processes.linux_guardian import GuardedProcessHandle

POINTS = ("before it is asked for", "asked for", "told of", "written down")


class StoppingGuardian(Guardian):
    """Stops the app before its keeper is asked for a server, or right afterwards."""

    def __init__(self, point: str) -> None:
        super().__init__()
        self._point = point

    def request(self, handle: GuardedProcessHandle, files: Sequence[int]) -> None:
        stop(self._point == POINTS[0])
        super().request(handle, files)
        stop(self._point == POINTS[1])


def stop(is_here: bool) -> None:
    if is_here:
        os.kill(os.getpid(), signal.SIGSTOP)


async def main(folder: str, point: str, command: str) -> None:
    tracker = McpProcessTracker()
    tracker.guardian = StoppingGuardian(point)
    tracker.added.connect(lambda _: stop(point == POINTS[2]))
    _ledger = Ledger(Path(folder), tracker)
    program, *args = json.loads(command)
    await tracker.start("server", LaunchSpec(program, tuple(args), os.environ, ""), Recorder())
    stop(point == POINTS[3])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
