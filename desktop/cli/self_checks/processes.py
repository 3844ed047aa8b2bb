"""Checks that the process tracker ends a server that refuses to end.

The server is this app itself, started with a flag that `--help` does not show: it ignores the end
of its input and SIGTERM, and has a child that does the same.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil

from desktop.base.paths import app_command
from desktop.cli.self_checks.check import CheckFailedError, OutputRecorder
from desktop.processes import process_tree
from desktop.processes.process import LaunchSpec

if TYPE_CHECKING:
    from desktop.processes.tracker import McpProcessTracker

FLAG = "--be-stubborn"
READY = b"stubborn"
MAX_SECONDS = 60.0
"""Seconds after which it ends by itself, whatever became of the test."""


def run_stubborn_server(depth: int) -> int:
    """Be the server, and have `depth` more below."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if depth > 0:
        command = app_command("self-test", FLAG, str(depth - 1))
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
        assert child.stdout is not None  # noqa: S101 - a pipe was asked for
        child.stdout.readline()
    sys.stdout.write(f"{READY.decode()} {os.getpid()}\n")
    sys.stdout.flush()
    time.sleep(MAX_SECONDS)
    return 0


async def kill_stubborn_server(tracker: McpProcessTracker) -> str:
    """Start the server, close it, and look for what is left of it and its child.

    Raises:
        CheckFailedError: it did not start, or something is left.
    """
    command, *args = app_command("self-test", FLAG, "1")
    output = OutputRecorder()
    launch = LaunchSpec(command, tuple(args), dict(os.environ))
    tracked = await tracker.start("stubborn", launch, output)
    try:
        await output.wait_for(READY)
        family = [
            psutil.Process(tracked.process.pid),
            *process_tree.descendants(tracked.process.pid),
        ]
    except (EOFError, psutil.Error) as error:
        raise CheckFailedError(f"the server did not start: {error}") from error
    finally:
        began = asyncio.get_running_loop().time()
        end = await tracker.close_connection(tracked)
    took = asyncio.get_running_loop().time() - began
    left = [str(process.pid) for process in family if process_tree.is_alive(process)]
    if end != "forced" or left:
        raise CheckFailedError(f"{end}; still running: {', '.join(left) or 'nothing'}")
    return f"{len(family)} processes that ignore SIGTERM ended after {took:.1f} s"
