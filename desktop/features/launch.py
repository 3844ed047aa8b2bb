"""What of the features changes how a server is started, and by whom it is asked: one line each.

The only module that names them to `desktop.bootstrap`. Must not know what a feature does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from desktop.base.errors import UsageError

if TYPE_CHECKING:
    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.processes.process import LaunchSpec
    from desktop.servers.transport.launch import Confine
    from desktop.values.acting_client import ActingClient

_CONFINE: Final = (
    "desktop.features.sandbox.bubblewrap",
)  # fmt: skip
CLIENTS: Final = (
    "desktop.features.client_profiles.cli.acting",
)  # fmt: skip
"""Where clients are known that a run can act as; without it there is no `--client`."""


def confinement(paths: Paths) -> Confine | None:
    """What puts a server into its sandbox; None where no feature can."""

    def confine(config: ServerConfig, launch: LaunchSpec) -> LaunchSpec:
        for name in _CONFINE:  # imported by the first server that asks for it
            launch = import_module(name).confine(config, launch, paths)
        return launch

    return confine if _CONFINE else None


def acting_client(name: str) -> ActingClient:
    """The client of this name, or of the profile in this file.

    Raises:
        UsageError: nothing is known of it.
    """
    if not CLIENTS:
        raise UsageError(f"No other client is known here, so nothing can be asked as {name}.")
    (module,) = CLIENTS
    return import_module(module).acting_client(name)
