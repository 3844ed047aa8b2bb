"""An app with a ledger and guarded servers, to be killed with its guardian and keeper stopped.

Run with the ledger's folder, a marker and the names of servers; says `ready PID...`: the guardian,
the keeper. It ends when its input does.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from desktop.processes.ledger import Ledger
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import tracked_server


async def serve(folder: str, marker: str, servers: list[str]) -> None:
    tracker = McpProcessTracker.instance()
    ledger = Ledger(Path(folder), tracker)
    for server in servers:
        await tracked_server(tracker, server, "--marker", marker)
    keepers = {str(server.process.keeper_pid) for server in tracker.tracked}
    print("ready", tracker.guardian.pid, *keepers, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await tracker.close_all()
    ledger.close()


asyncio.run(serve(sys.argv[1], sys.argv[2], sys.argv[3:]))
