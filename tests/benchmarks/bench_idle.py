"""What the window costs while nobody uses it: CPU and wake-ups with twenty servers, and memory."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from tests.benchmarks.bench_launch import SOURCE, await_event
from tests.benchmarks.harness import Row, environment, megabytes
from tests.server_commands import command

SERVERS = 20
SETTLE = 15.0
SECONDS = 30.0


def measure() -> list[Row]:
    share, wakes, memory = _idle_with(SERVERS)
    _, _, least = _idle_with(1)
    return [
        Row(f"idle CPU, {SERVERS} servers, Servers page shown", share, None, "%", "<= 0.05 %"),
        Row(f"wake-ups, {SERVERS} servers", wakes, None, "/s", "<= 1 /s"),
        Row(f"idle memory (PSS), {SERVERS} servers", memory, None, "MB", ""),
        Row("idle memory (PSS), 1 server", least, None, "MB", "<= 80 MB"),
    ]


def _idle_with(servers: int) -> tuple[float, float, float]:
    program, args = command("plain")
    entries = {f"server-{number}": {"command": program, "args": args} for number in range(servers)}
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
            return _idle(psutil.Process(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def _idle(app: psutil.Process) -> tuple[float, float, float]:
    """Per cent of a core, wake-ups a second, and megabytes."""
    time.sleep(SETTLE)  # what follows the start is over: this benchmark measures the time after it
    before, began = _worked(app), time.monotonic()
    time.sleep(SECONDS)
    (used, wakes), took = _worked(app), time.monotonic() - began
    return (
        100 * (used - before[0]) / took,
        (wakes - before[1]) / took,
        megabytes(app),
    )


def _worked(app: psutil.Process) -> tuple[float, int]:
    """Seconds of CPU, by the scheduler's own count, and how often the process was switched to.

    `cpu_times` counts in hundredths of a second: too coarse for what an idle process takes.
    """
    tasks = list(Path(f"/proc/{app.pid}/task").iterdir())
    ran = [int((task / "schedstat").read_text().split()[0]) for task in tasks]
    return sum(ran) / 1e9, app.num_ctx_switches().voluntary
