"""Chooses the servers a command needs, and connects them with a word on what goes on.

Must not start a server that is not needed, and none at all when the choice is wrong.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop import trace
from desktop.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.cli.screen import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection


def enabled_servers(store: ConfigStore) -> list[ServerConfig]:
    """All that a person has switched on."""
    return [config for config in store.servers.values() if config.enabled]


def named_server(store: ConfigStore, name: str) -> ServerConfig:
    """The server of this name, switched on or not.

    Raises:
        UsageError: there is none.
        ConfigError: there is one, and its configuration is wrong.
    """
    if (config := store.servers.get(name)) is not None:
        return config
    if (problem := store.problems.get(name)) is not None:
        raise problem
    known = ", ".join(store.servers)
    missing = "" if store.path.exists() else f" The config file {store.path} does not exist."
    raise UsageError(f"There is no server {name!r}.{missing}", remedy=f"There are: {known}.")


async def connect(core: Core, configs: Iterable[ServerConfig], screen: Console) -> None:
    """Connect them side by side; their states say what came of it."""
    connections = [core.service.add_server(config) for config in configs]
    for connection in connections:
        connection.state_changed.connect(lambda: _tell(connections, screen))
        connection.start()
    try:
        await asyncio.gather(*(connection.settle() for connection in connections))
    finally:
        screen.clear_status()
    trace.record_event("ready")


def failed(core: Core) -> list[ServerConnection]:
    """The servers that could not be connected."""
    return [one for one in core.service.connections.values() if not one.is_connected]


def _tell(connections: list[ServerConnection], screen: Console) -> None:
    waiting = [one.name for one in connections if one.state.phase == "starting"]
    if waiting:
        ready = len(connections) - len(waiting)
        screen.status(f"{ready} of {len(connections)} servers; waiting for {', '.join(waiting)}")
