"""One call on one server, cold and over an open connection, by `mcp-desktop` and other clients.

Measures what is installed: the Inspector's CLI and mcporter by `make bench-peers` (or in the folder
that MCP_BENCH_PEERS names, or on the PATH), FastMCP by `make peers`. A client that is not there has
no line.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.bench_calls import measure_open_calls
from tests.benchmarks.harness import ROOT, Compared, Row, compare, environment, python
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator

RUNS = 9
OPEN_CALLS = 400
"""Calls over one connection, of the later half of which the median counts."""
OPEN_RUNS = 5
FASTMCP = ROOT / ".peers" / "python" / "bin"
FASTMCP_CALLS = str(Path(__file__).with_name("fastmcp_calls.py"))


def measure() -> list[Row]:
    server = command("plain")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        call = _call(Path(folder), server)
        rows = [
            _compare(RUNS, [*call, "--no-attach"], argv).row(f"call, cold, x {name}", "<= 1.0 x")
            for name, argv in _peers(" ".join([server[0], *server[1]])).items()
            if shutil.which(argv[0])
        ]
        stack.enter_context(_daemon(Path(folder)))
        rows.append(_compare(RUNS, call, _idle()).row("call, attached, x python -c pass", "100 ms"))
    if (FASTMCP / "python").exists():
        rows.append(
            _compare_open(server).row("tool call, open, x FastMCP's client", "<= 1.0 x", "us")
        )
    return rows


def _peers(server: str) -> dict[str, list[str]]:
    return {
        "MCP Inspector --cli": [
            _program("mcp-inspector"), "--cli", *server.split(),
            "--method", "tools/call", "--tool-name", "add", "--tool-arg", "a=1", "b=2",
        ],
        "mcporter": [_program("mcporter"), "call", "--stdio", server, "add", "a=1", "b=2"],
        "FastMCP's CLI": [
            str(FASTMCP / "fastmcp"), "call", "--command", server, "--target", "add",
            "--input-json", '{"a": 1, "b": 2}',
        ],
    }  # fmt: skip


def _program(name: str) -> str:
    """Its command; one that is not installed is looked up in vain afterwards."""
    folder = Path(os.environ.get("MCP_BENCH_PEERS") or ROOT / "build" / "bench-peers")
    own = folder / "node_modules" / ".bin" / name
    return str(own) if own.exists() else name


def _compare_open(server: tuple[str, list[str]]) -> Compared:
    argv = [str(FASTMCP / "python"), FASTMCP_CALLS, str(OPEN_CALLS), server[0], *server[1]]

    def theirs() -> float:
        done = subprocess.run(argv, env=environment(), capture_output=True, check=True, timeout=60)
        return float(done.stdout)

    return compare(OPEN_RUNS, lambda: measure_open_calls(OPEN_CALLS // 2), theirs)


def _call(folder: Path, server: tuple[str, list[str]]) -> list[str]:
    entry = {"command": server[0], "args": server[1]}
    config = folder / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"server": entry}}), encoding="utf-8")
    return python("-m", "desktop", "call", "server:add", "a=1", "b=2", *_places(folder))


def _places(folder: Path) -> list[str]:
    return ["--config", str(folder / "mcp.json"), "--data-dir", str(folder)]


def _idle() -> list[str]:
    return [sys.executable, "-c", "pass"]


@contextmanager
def _daemon(folder: Path) -> Generator[None]:
    """Has the server running, from the block's begin until its end."""
    argv = python("-m", "desktop", "daemon", *_places(folder))
    with subprocess.Popen(argv, env=environment(), stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it takes commands
        try:
            yield
        finally:
            process.terminate()


def _compare(runs: int, ours: list[str], other: list[str]) -> Compared:
    return compare(runs, lambda: _seconds(ours), lambda: _seconds(other))


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, env=environment(), capture_output=True, check=True, timeout=60)
    return time.perf_counter() - began
