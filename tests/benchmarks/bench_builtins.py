"""The built-in servers: time to answer `initialize`, memory once listed, and four side by side.

Bare is a Python process without site-packages that answers one byte.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from builtin_servers.catalog import CATALOG
from desktop.base.paths import builtin_command
from desktop.config.models import ServerConfig
from desktop.tools.loader import load_direct_mcp_tools
from tests.benchmarks.harness import Row, alternate, environment, median, megabytes
from tests.live_servers import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

RUNS = 9
SESSION = ("calculator", "time", "filesystem", "memory")
BARE = [sys.executable, "-I", "-S", "-c", "import os; os.write(1, b'x\\n'); os.read(0, 1)"]


def _arguments(name: str, folder: Path) -> list[str]:
    file = folder / "empty.db"
    file.touch()
    given = {
        "filesystem": [str(folder)],
        "memory": ["--file", str(folder / "memory.db")],
        "sqlite": [str(file)],
    }
    return given.get(name, [])


def _send(process: subprocess.Popen[bytes], number: int, method: str, params: object) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()


def start(argv: Sequence[str], *, is_server: bool) -> tuple[float, float]:
    """Seconds to the first answer, and the memory of its own in MB once its tools are listed."""
    began = time.perf_counter()
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    )
    with process:
        assert process.stdout is not None
        if is_server:
            client = {"name": "bench", "version": "1"}
            hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
            _send(process, 1, "initialize", hello)
        else:
            process.stdout.readline()
        taken = time.perf_counter() - began
        if is_server:
            _send(process, 2, "tools/list", {})
        return taken, megabytes(psutil.Process(process.pid))


def _one(name: str, folder: Path) -> list[Row]:
    command, args = builtin_command(name)
    argv = [command, *args, *_arguments(name, folder)]
    ours, bare = alternate(
        RUNS,
        lambda: start(argv, is_server=True)[0],
        lambda: start(BARE, is_server=False)[0],
    )
    memory = median(start(argv, is_server=True)[1] for _ in range(3))
    return [
        Row(f"{name}: initialize answered", ours * 1e3, bare * 1e3, "ms", "<= 40 ms"),
        Row(f"{name}: PSS once listed", memory, None, "MB", "<= 15 MB"),
    ]


async def _session(folder: Path) -> float:
    configs = [
        ServerConfig.checked(
            name=name, transport="stdio", builtin=name, args=tuple(_arguments(name, folder))
        )
        for name in SESSION
    ]
    around = surroundings()
    began = time.perf_counter()
    tools, connections = await load_direct_mcp_tools(configs, around)
    taken = time.perf_counter() - began
    try:
        if connections.failed or not tools:
            raise RuntimeError(f"not all are ready: {connections.failed}")
    finally:
        await connections.close()
    return taken


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [row for server in CATALOG for row in _one(server, folder)]
        asyncio.run(_session(folder))  # the SDK is imported with the first
        taken = median(asyncio.run(_session(folder)) for _ in range(RUNS))
        what = f"session with {len(SESSION)} side by side: tools ready"
        return [*rows, Row(what, taken * 1e3, None, "ms", "<= 150 ms")]
