"""What the window costs while nobody uses it: CPU and memory with twenty servers connected."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from tests.benchmarks.bench_launch import SOURCE, await_event
from tests.benchmarks.harness import Row, environment
from tests.server_commands import command

SERVERS = 20
SECONDS = 20.0


def measure() -> list[Row]:
    program, args = command("plain")
    entries = {f"server-{number}": {"command": program, "args": args} for number in range(SERVERS)}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
        flags = ("--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data"))
        with await_event(folder / "trace", "ready") as ready:
            process = subprocess.Popen(
                [*SOURCE, *flags],
                env=environment(MCP_DESKTOP_TRACE=str(folder / "trace")),
                stderr=subprocess.DEVNULL,
            )
            ready()
        try:
            share, memory = _idle(psutil.Process(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    return [
        Row("idle CPU, 20 servers, Servers page shown", share, None, "%", "<= 0.1 %"),
        Row("idle memory (PSS), 20 servers", memory, None, "MB", ""),
    ]


def _idle(app: psutil.Process) -> tuple[float, float]:
    time.sleep(3)  # what follows the start is over: this benchmark measures the time after it
    before, began = app.cpu_times(), time.monotonic()
    time.sleep(SECONDS)
    after, took = app.cpu_times(), time.monotonic() - began
    used = after.user + after.system - before.user - before.system
    return 100 * used / took, app.memory_full_info().pss / 1e6
