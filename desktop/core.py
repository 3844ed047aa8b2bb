"""Composition root of everything without a screen; the window and the terminal both start here.

Builds in order, closes in reverse. Holds no logic of its own. Importing it is cheap: the SDK comes
with `build_core`, so that servers can be started before (`start_early`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
from desktop.paths import builtin_command
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.early import EarlyStarts
from desktop.servers.launch import Launcher
from desktop.servers.shell_path import ShellPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.paths import Paths
    from desktop.processes.tracker import Receipt
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.loader import ToolsLoader
    from desktop.tools.registry import ToolRegistry

EARLY = 4
"""Servers that are started early: what may start at a time anyway."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What there is before the SDK is imported: the config, the launcher, the early processes."""

    paths: Paths
    store: ConfigStore
    launcher: Launcher
    tracker: McpProcessTracker
    early: EarlyStarts

    async def start_early(self, configs: Iterable[ServerConfig]) -> None:
        """Start the first few of these servers; their connections take them over."""
        for config in list(configs)[:EARLY]:
            await self.early.start(config)


@dataclass(slots=True)
class Core:
    """The parts of the app, each made of the ones above it."""

    paths: Paths
    store: ConfigStore
    launcher: Launcher
    tracker: McpProcessTracker
    service: McpService
    registry: ToolRegistry
    loader: ToolsLoader
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
        await self.service.disconnect_all()
        self.loader.close()
        await self.launcher.shell_path.close()
        return await self.tracker.close_all()


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


def read_ground(
    paths: Paths, environ: Mapping[str, str] = os.environ, *, own_path_first: bool = False
) -> Ground:
    """Read the config; starts nothing, imports no SDK. For `own_path_first` see `Launcher`."""
    store = ConfigStore(paths.config, environ, builtins=builtin_configs())
    store.load()
    launcher = Launcher(environ, ShellPath(environ), own_path_first)
    tracker = McpProcessTracker.instance()
    return Ground(paths, store, launcher, tracker, EarlyStarts(launcher, tracker))


def build_core(paths: Paths, environ: Mapping[str, str] = os.environ) -> Core:
    """Read the config and build the rest; starts no server."""
    return build_on(read_ground(paths, environ))


def build_on(ground: Ground) -> Core:
    """Build everything that needs the SDK; starts no server."""
    from desktop.servers.eras import EraMemory
    from desktop.servers.gate import StartGate
    from desktop.servers.service import McpService
    from desktop.servers.session import Surroundings
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.loader import ToolsLoader
    from desktop.tools.registry import ToolRegistry

    surroundings = Surroundings(
        launcher=ground.launcher,
        tracker=ground.tracker,
        gate=StartGate(),
        eras=EraMemory(ground.paths.data / "eras.json"),
        logs=ground.paths.server_logs,
        early=ground.early,
    )
    service = McpService(surroundings)
    registry = ToolRegistry()
    return Core(
        paths=ground.paths,
        store=ground.store,
        launcher=ground.launcher,
        tracker=ground.tracker,
        service=service,
        registry=registry,
        loader=ToolsLoader(service, registry),
        executor=ToolExecutor(registry),
    )
