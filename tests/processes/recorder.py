"""A `ProcessOutput` that keeps what a process said, and starts the test servers."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from desktop.processes.process import LaunchSpec
from desktop.processes.spawn import start_process
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.processes.process import ServerProcess
    from desktop.processes.tracker import McpProcessTracker, TrackedProcess

GREETING = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize",'
    b'"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}\n'
)


class Recorder:
    """Everything a process said, and events to wait for."""

    def __init__(self) -> None:
        self.stdout = b""
        self.stderr = b""
        self.code: int | None = None
        self.closed = asyncio.Event()
        self.spoke = asyncio.Event()

    def stdout_received(self, data: bytes) -> None:
        self.stdout += data
        self.spoke.set()

    def stdout_closed(self) -> None:
        self.closed.set()

    def stderr_received(self, data: bytes) -> None:
        self.stderr += data

    def process_exited(self, code: int) -> None:
        self.code = code


async def started(
    server: str, *args: object, environ: Mapping[str, str] = os.environ
) -> tuple[ServerProcess, Recorder]:
    """A test server as a process of its own, with what it says."""
    program, arguments = command(server, *args)
    recorder = Recorder()
    return await start_process(LaunchSpec(program, tuple(arguments), environ), recorder), recorder


async def tracked_server(
    tracker: McpProcessTracker, server: str, *args: object, at_kill: tuple[str, ...] = ()
) -> tuple[TrackedProcess, Recorder]:
    """The same under a tracker, up to its first answer: so it is past its start."""
    program, arguments = command(server, *args)
    recorder = Recorder()
    launch = LaunchSpec(program, tuple(arguments), os.environ, at_kill=at_kill)
    tracked = await tracker.start(server, launch, recorder)
    await tracked.process.write(GREETING)
    await asyncio.wait_for(recorder.spoke.wait(), LIMIT)
    return tracked, recorder
