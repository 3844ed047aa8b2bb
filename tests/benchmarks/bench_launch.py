"""From launch to the painted window, against a bare PySide6 window; to the tools of one server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from tests.benchmarks.harness import ROOT, Row, alternate, environment, median, python
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

RUNS = 7
BARE = str(Path(__file__).parent / "bare_window.py")
SOURCE = python(str(ROOT / "desktop" / "__main__.py"))


def _bare_window() -> float:
    began = time.monotonic()
    shown = subprocess.run(
        python(BARE), env=environment(), stdout=subprocess.PIPE, check=True, timeout=30
    ).stdout
    return float(shown) - began


def window(*, servers: bool, until: str, program: Sequence[str] = SOURCE) -> tuple[float, float]:
    """Seconds to an event of the trace, and the megabytes (PSS) of the app alone after it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        server, args = command("plain")
        entries = {"plain": {"command": server, "args": args}} if servers else {}
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
        flags = ("--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data"))
        with await_event(folder / "trace", until) as happened:
            began = time.monotonic()
            process = subprocess.Popen(
                [*program, *flags],
                env=environment(MCP_DESKTOP_TRACE=str(folder / "trace")),
                stderr=subprocess.DEVNULL,
            )
            at = happened()
        memory = psutil.Process(process.pid).memory_full_info().pss / 1e6
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        return at - began, memory


@contextmanager
def await_event(trace: Path, name: str) -> Generator[Callable[[], float]]:
    """Gives a function that waits for an event of the trace and returns its moment.

    The trace is a pipe: waiting for it costs the app nothing. Afterwards it is a file again.
    """
    os.mkfifo(trace)

    def happened() -> float:
        while True:
            with trace.open(encoding="utf-8") as lines:
                for event in map(json.loads, lines):
                    if event["event"] == name:
                        return float(event["t"])

    yield happened
    trace.unlink()


def measure() -> list[Row]:
    ours, bare = alternate(
        RUNS, lambda: window(servers=False, until="window_shown")[0], _bare_window
    )
    ready = [window(servers=True, until="ready") for _ in range(3)]
    return [
        Row("launch to window painted", ours * 1e3, bare * 1e3, "ms", "<= 1.25 x"),
        Row("launch to ready, 1 server", median(at for at, _ in ready) * 1e3, None, "ms", ""),
        Row("memory (PSS) then, the app alone", median(m for _, m in ready), None, "MB", "<= 153"),
    ]
