"""From launch to the painted window, its content and the tools of one server.

Each against a bare window, or a bare window that imports the SDK, of the same run, taken in turn.
The content is that of a run before, which is not measured.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from tests.benchmarks.harness import ROOT, Row, compare, environment, median, megabytes, python
from tests.fifos import read_lines
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

RUNS = 7
BARE = str(Path(__file__).parent / "bare_window.py")
BARE_SDK = str(Path(__file__).parent / "bare_sdk_window.py")
SOURCE = python(str(ROOT / "desktop" / "__main__.py"))


def _bare(*script: str) -> float:
    began = time.monotonic()
    done = subprocess.run(python(*script), env=environment(), capture_output=True, timeout=60)
    if done.returncode:  # else it says no more than that its screen is none
        raise RuntimeError(done.stderr.decode(errors="replace"))
    return float(done.stdout.split()[0]) - began


def _bare_window() -> float:
    return _bare(BARE)


def bare_sdk_window() -> float:
    """Seconds from the launch of a bare window to the tools of one server, by the SDK."""
    server, args = command("plain")
    return _bare(BARE_SDK, server, *args)


def window(*, servers: bool, until: str, program: Sequence[str] = SOURCE) -> tuple[float, float]:
    """Seconds to an event of the first run, and the megabytes (PSS) of the app alone after it."""
    with tempfile.TemporaryDirectory() as place:
        _configure(Path(place), servers=servers)
        return _launch(Path(place), until, program)


def _configure(folder: Path, *, servers: bool, page: str = "") -> None:
    server, args = command("plain")
    entries = {"plain": {"command": server, "args": args}} if servers else {}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    (folder / "data").mkdir()
    if page:
        (folder / "data" / "window.ini").write_text(f"[window]\npage={page}\n", encoding="utf-8")


def _launch(folder: Path, until: str, program: Sequence[str] = SOURCE) -> tuple[float, float]:
    flags = ("--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data"))
    trace = folder / f"trace-{time.monotonic_ns()}"  # of an earlier run there is a file
    with await_event(trace, until) as happened:
        began = time.monotonic()
        process = subprocess.Popen(
            [*program, *flags],
            env=environment(MCP_DESKTOP_TRACE=str(trace)),
            stderr=subprocess.DEVNULL,
        )
        at = happened()
    memory = megabytes(psutil.Process(process.pid))
    process.send_signal(signal.SIGTERM)
    process.wait(20)
    return at - began, memory


@contextmanager
def _second_runs(page: str) -> Generator[Callable[[str], float]]:
    """Gives a function that starts the app once more, with this page open."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _configure(folder, servers=True, page=page)
        _launch(folder, "ready")
        yield lambda until: _launch(folder, until)[0]


@contextmanager
def await_event(trace: Path, name: str) -> Generator[Callable[[], float]]:
    """Gives a function that waits for an event of the trace and returns its moment.

    The trace is a pipe: waiting for it costs the app nothing. Afterwards it is a file again.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no FIFOs in folders")
    os.mkfifo(trace)
    with closing(read_lines(trace)) as lines:
        yield lambda: next(
            float(event["t"]) for event in map(json.loads, lines) if event["event"] == name
        )
    trace.unlink()


def measure() -> list[Row]:
    painted = compare(RUNS, lambda: window(servers=False, until="window_shown")[0], _bare_window)
    rows = [painted.row("launch to window painted", "<= 1.25 x")]
    for page in ("servers", "tools"):
        with _second_runs(page) as start:
            content = compare(RUNS, partial(start, "first_content"), _bare_window)
            rows.append(content.row(f"launch to content painted, page {page}", "<= 1.25 x"))
            ready = compare(RUNS, partial(start, "ready"), bare_sdk_window)
            rows.append(ready.row(f"launch to ready, page {page}; bare Qt and SDK", "<= 0.65 x"))
    first = [window(servers=True, until="ready") for _ in range(3)]
    return [
        *rows,
        Row("launch to ready, 1 server, first run", median(at for at, _ in first) * 1e3, None),
        Row("memory (PSS) then, the app alone", median(m for _, m in first), None, "MB", "<= 153"),
    ]
