"""One round inside this process: a few random servers on a real core, each ended in a random way.

All of them at the same time. Whatever is not ended by then ends with the core.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil

from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.core import build_core
from tests.faults.rows import ROWS, marker
from tests.live_servers import stdio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from random import Random

    from desktop.config.models import ServerConfig
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection

    End = Callable[[Core, ServerConnection], Awaitable[None]]

SETTLE_LIMIT = 10.0
ROUND_LIMIT = 60.0
MOST_SERVERS = 5


async def toggle(_: Core, connection: ServerConnection) -> None:
    await connection.disconnect()


async def toggle_back_and_forth(_: Core, connection: ServerConnection) -> None:
    for _again in range(3):
        connection.stop()
        connection.start()
        await asyncio.sleep(0)
    await connection.disconnect()


async def restart(_: Core, connection: ServerConnection) -> None:
    connection.start_anew()
    await _settled(connection)


async def remove(core: Core, connection: ServerConnection) -> None:
    await core.service.remove_server(connection.name)


async def crash(_: Core, connection: ServerConnection) -> None:
    """It dies by itself; the core ends while it reconnects, or after that."""
    if (pid := connection.pid) is not None:
        psutil.Process(pid).kill()
        await asyncio.sleep(0.02)


async def call_and_toggle(_: Core, connection: ServerConnection) -> None:
    calling = spawn(connection.call_tool("wait", {}), "call")
    await asyncio.sleep(0)
    await connection.disconnect()
    await asyncio.wait({calling})


async def crash_by_its_own_tool(_: Core, connection: ServerConnection) -> None:
    await connection.call_tool("crash", {}, timeout=5)


async def leave_to_the_core(_: Core, connection: ServerConnection) -> None:
    """Nothing: the core ends it."""


ENDS: tuple[End, ...] = (
    toggle,
    toggle_back_and_forth,
    restart,
    remove,
    crash,
    call_and_toggle,
    crash_by_its_own_tool,
    leave_to_the_core,
)


class CoreRound:
    """Its servers and ends are drawn at once, so that a seed says everything."""

    def __init__(self, random: Random, folder: Path) -> None:
        self._folder = folder
        self._name = f"soak-{uuid4().hex}"
        rows = random.choices(tuple(ROWS), k=random.randint(1, MOST_SERVERS))
        self._configs = [
            self._config(f"{number}-{row}", row, random) for number, row in enumerate(rows)
        ]
        self._ends = [random.choice(ENDS) for _ in rows]
        self._waits = random.random() < 0.8

    def __str__(self) -> str:
        ends = (
            f"{config.name}: {end.__name__}"
            for config, end in zip(self._configs, self._ends, strict=True)
        )
        return f"core, {'connected' if self._waits else 'connecting'}; {', '.join(ends)}"

    @property
    def markers(self) -> list[str]:
        return [marker(self._name, config.name) for config in self._configs]

    async def run(self) -> None:
        """Start, end, close the core.

        Raises:
            TimeoutError: it does not end.
        """
        core = build_core(Paths(self._folder / "mcp.json", self._folder / "data"))
        async with asyncio.timeout(ROUND_LIMIT):
            connections = [core.service.add_server(config) for config in self._configs]
            try:
                for connection in connections:
                    connection.start()
                if self._waits:
                    await asyncio.gather(*(_settled(connection) for connection in connections))
                await asyncio.gather(
                    *(end(core, one) for end, one in zip(self._ends, connections, strict=True))
                )
            finally:
                receipt = await core.close()
        if receipt.left:
            raise RuntimeError(f"left: {receipt.left}")

    def _config(self, name: str, row: str, random: Random) -> ServerConfig:
        fault = ROWS[row]
        args = ("--count", str(random.randint(1, 20))) if row == "hundred_children" else fault.args
        # One that never answers is ended sometimes by its own limit, sometimes while it connects.
        limit = random.choice((1.0, 30.0)) if fault.script == "silent" else 30.0
        words = ("--marker", marker(self._name, name), *args)
        return stdio(fault.script, *words, name=name, connect_timeout=limit)


async def _settled(connection: ServerConnection) -> None:
    """Connected or failed; one that never answers is not waited for."""
    if "silent" in str(connection.config.args) and connection.config.connect_timeout > 1:
        return
    async with asyncio.timeout(SETTLE_LIMIT):
        await connection.settle()
