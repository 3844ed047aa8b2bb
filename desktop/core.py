"""Composition root of everything without a screen; the window and the terminal both start here.

Builds in order, closes in reverse. Holds no logic of its own.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
from desktop.paths import builtin_command
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.eras import EraMemory
from desktop.servers.gate import StartGate
from desktop.servers.launch import Launcher
from desktop.servers.service import McpService
from desktop.servers.session import Surroundings
from desktop.servers.shell_path import ShellPath
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.paths import Paths
    from desktop.processes.tracker import Receipt


@dataclass(slots=True)
class Core:
    """The parts of the app, each made of the ones above it."""

    paths: Paths
    store: ConfigStore
    tracker: McpProcessTracker
    service: McpService
    registry: ToolRegistry
    loader: ToolsLoader
    shell_path: ShellPath
    executor: ToolExecutor

    def follow_store(self) -> None:
        """Make the servers those of the config, now and after each change of it."""
        self.store.changed.connect(lambda: self.service.apply(self.store.servers.values()))
        self.service.apply(self.store.servers.values())

    async def settle(self) -> None:
        """Wait until every enabled server is connected or failed; their own limits bound it."""
        enabled = [one for one in self.service.connections.values() if one.is_enabled]
        for connection in enabled:
            await connection.settle()

    async def close(self) -> Receipt:
        """End every server; whatever is left of their processes is killed."""
        await self.shell_path.close()
        self.service.stop_all()
        # Side by side, and not one after the other, so that the receipt speaks of every process.
        receipt, _ = await asyncio.gather(self.tracker.close_all(), self.service.disconnect_all())
        self.loader.close()
        return receipt + await self.tracker.close_all()


def builtin_configs() -> list[ServerConfig]:
    """The servers that come with the app, switched off until a person wants them."""
    from builtin_servers.catalog import CATALOG

    configs: list[ServerConfig] = []
    for name in CATALOG:
        command, args = builtin_command(name)
        configs.append(
            ServerConfig.checked(
                name=name,
                transport="stdio",
                command=command,
                args=tuple(args),
                enabled=False,
                source="builtin",
            )
        )
    return configs


def build_core(paths: Paths, environ: Mapping[str, str] = os.environ) -> Core:
    """Read the config and build the rest; starts no server."""
    store = ConfigStore(paths.config, environ, builtins=builtin_configs())
    store.load()
    tracker = McpProcessTracker.instance()
    shell_path = ShellPath(environ)
    surroundings = Surroundings(
        launcher=Launcher(environ, shell_path),
        tracker=tracker,
        gate=StartGate(),
        eras=EraMemory(paths.data / "eras.json"),
        logs=paths.server_logs,
    )
    service = McpService(surroundings)
    registry = ToolRegistry()
    loader = ToolsLoader(service, registry)
    executor = ToolExecutor(registry)
    return Core(paths, store, tracker, service, registry, loader, shell_path, executor)
