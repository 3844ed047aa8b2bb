"""`make bench-peers`: one call on one server, cold, by `mcp-desktop` and by other clients.

Measures what is installed: on the PATH, or below the folder that MCP_BENCH_PEERS names (where
`npm install @modelcontextprotocol/inspector mcporter` was run). Not part of `make bench`.
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

from tests.benchmarks.harness import Row, alternate, environment, python
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator

RUNS = 9


def measure() -> list[Row]:
    server = command("plain")
    words = [server[0], *server[1]]
    peers = {
        "MCP Inspector --cli": [
            *_program("mcp-inspector"), "--cli", *words,
            "--method", "tools/call", "--tool-name", "add", "--tool-arg", "a=1", "b=2",
        ],
        "mcporter": [
            *_program("mcporter"), "call", "--stdio", " ".join(words), "add", "a=1", "b=2",
        ],
    }  # fmt: skip
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        call = _call(Path(folder), server)
        alone = [*call, "--no-attach"]
        rows = [
            _row(f"call, cold, against {name}", alone, argv, "<= 1.0 x")
            for name, argv in peers.items()
            if shutil.which(argv[0])
        ]
        stack.enter_context(_daemon(Path(folder)))
        rows.append(_row("call, attached, against python -c pass", call, _idle(), "<= 100 ms"))
    return rows


def _program(name: str) -> list[str]:
    """Its command; one that is not installed is looked up in vain afterwards."""
    folder = os.environ.get("MCP_BENCH_PEERS", "")
    return [str(Path(folder, "node_modules", ".bin", name)) if folder else name]


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


def _row(name: str, ours: list[str], other: list[str], goal: str) -> Row:
    mine, bare = alternate(RUNS, lambda: _seconds(ours), lambda: _seconds(other))
    return Row(name, mine * 1e3, bare * 1e3, "ms", goal)


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, env=environment(), capture_output=True, check=True, timeout=60)
    return time.perf_counter() - began
