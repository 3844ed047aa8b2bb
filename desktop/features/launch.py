"""What of the features changes how a server is started, and by whom it is asked: one line each.

The only module that names them to `desktop.bootstrap`, and their programs to `desktop.__main__`.
Must not know what a feature does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import SandboxProposal, ServerConfig
    from desktop.config.store import ProposeSandbox
    from desktop.processes.process import LaunchSpec
    from desktop.servers.transport.launch import Confine
    from desktop.values.acting_client import ActingClient

_CONFINE: Final = (
    "desktop.features.sandbox.containers",
    "desktop.features.sandbox.bubblewrap",
    "desktop.features.sandbox.seatbelt",
    "desktop.features.sandbox.limits",
)  # fmt: skip
CLIENTS: Final = (
    "desktop.features.client_profiles.cli.acting",
)  # fmt: skip
"""Where clients are known that a run can act as; without it there is no `--client`."""
_PROPOSE: Final = (
    "desktop.features.sandbox.bubblewrap",
)  # fmt: skip
_PROGRAMS: Final[Mapping[str, str]] = {
    "gate": "desktop.features.sandbox.gate",
}  # fmt: skip
"""What runs beside a server, as a process of its own (`paths.program_command`)."""


def run_program(args: Sequence[str]) -> int:
    """Run the program that the first word names with the others; its exit code."""
    name, *others = args or ("",)
    return import_module(_PROGRAMS[name]).run(others) if name in _PROGRAMS else 2


def confinement(paths: Paths) -> Confine | None:
    """What puts a server into its sandbox and its limits; None where no feature can."""

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
        from desktop.base.errors import UsageError

        raise UsageError(f"No other client is known here, so nothing can be asked as {name}.")
    (module,) = CLIENTS
    return import_module(module).acting_client(name)


def proposal(paths: Paths) -> ProposeSandbox | None:
    """What proposes a sandbox for a server that came from elsewhere; None where no feature can."""
    if not _PROPOSE:
        return None
    (module,) = _PROPOSE

    def propose(config: ServerConfig) -> SandboxProposal:
        return import_module(module).propose(config, paths)

    return propose
