"""An app that starts test servers, writes them down, and is killed: nothing ends them but a sweep.

Run with the ledger's folder and, for each server, its command line as JSON. Prints one line when
all have answered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, cast

from desktop.processes import guardian_protocol, process_tree
from desktop.processes.ledger import Ledger
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import GREETING


def main(folder: str, *commands: str) -> None:
    tracker = McpProcessTracker()
    ledger = Ledger(Path(folder), tracker)
    for number, command in enumerate(commands):
        marker = tracker.new_marker()
        # Plainly started: no guardian knows of it. It has its tag before it can start anything.
        with guardian_protocol.Tagged(marker.encode()):
            server = subprocess.Popen(
                json.loads(command),
                env={**os.environ, process_tree.MARKER_VARIABLE: marker},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        ledger.add(server.pid, f"server {number}", marker)
        stdin, stdout = cast("IO[bytes]", server.stdin), cast("IO[bytes]", server.stdout)
        stdin.write(GREETING)
        stdin.flush()
        stdout.readline()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
