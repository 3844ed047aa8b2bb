"""What a call through the gateway takes more than one past it: the same client, call by call.

One client has the server itself, one a gateway with servers of its own, one the daemon's. They take
turns, so that whatever else the machine does is the same for all three.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcp import Client, StdioServerParameters

from tests.benchmarks.harness import Row, environment, median
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator

CALLS = 500
WARM = 20


@contextmanager
def _daemon(env: dict[str, str]) -> Generator[None]:
    started = [sys.executable, "-m", "desktop", "daemon", "--idle", "0"]
    with subprocess.Popen(started, env=env, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            while b"ready for commands" not in process.stderr.readline():
                pass
            yield
        finally:
            process.terminate()


def _gateway(env: dict[str, str], *args: str) -> StdioServerParameters:
    started = ["-m", "desktop", "serve", *args]
    return StdioServerParameters(command=sys.executable, args=started, env=env)


async def _taken(env: dict[str, str]) -> list[list[float]]:
    """Seconds of each call: direct, through a gateway, through that of the daemon."""
    program, args = command("plain")
    ways = (
        (StdioServerParameters(command=program, args=args), "echo"),
        (_gateway(env, "--no-attach"), "mcp__plain__echo"),
        (_gateway(env), "mcp__plain__echo"),
    )
    async with AsyncExitStack() as stack:
        clients = [
            (await stack.enter_async_context(Client(started, mode="legacy")), tool)
            for started, tool in ways
        ]
        for client, tool in clients:
            await client.list_tools()
            for _ in range(WARM):
                await client.call_tool(tool, {"message": "hi"})
        taken: list[list[float]] = [[], [], []]
        for _ in range(CALLS):
            for seconds, (client, tool) in zip(taken, clients, strict=True):
                began = time.perf_counter()
                await client.call_tool(tool, {"message": "hi"})
                seconds.append(time.perf_counter() - began)
        return taken


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        program, args = command("plain")
        config = {"mcpServers": {"plain": {"command": program, "args": args}}}
        file = Path(folder, "mcp.json")
        file.write_text(json.dumps(config), encoding="utf-8")
        env = environment(MCP_DESKTOP_CONFIG=str(file), MCP_DESKTOP_DATA=str(Path(folder, "data")))
        with _daemon(env):
            direct, alone, attached = (median(each) * 1e3 for each in asyncio.run(_taken(env)))
    goal = "<= 1.0 ms more"
    return [
        Row("call through the gateway, p50", alone, direct, "ms", goal),
        Row("call through the window's or daemon's gateway, p50", attached, direct, "ms", goal),
    ]
