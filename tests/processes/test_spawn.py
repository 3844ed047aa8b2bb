"""A process is started by the module for this platform."""

from __future__ import annotations

import asyncio
import os
import sys

from desktop.processes.process import LaunchSpec
from desktop.processes.spawn import start_process
from tests.patience import LIMIT
from tests.processes.recorder import Recorder


async def test_a_process_is_started_and_heard() -> None:
    recorder = Recorder()
    launch = LaunchSpec(sys.executable, ("-S", "-c", "print('hello')"), os.environ)
    process = await start_process(launch, recorder)
    await asyncio.wait_for(recorder.closed.wait(), LIMIT)
    await asyncio.wait_for(process.exited.wait(), LIMIT)
    process.release()
    assert recorder.stdout.strip() == b"hello"
