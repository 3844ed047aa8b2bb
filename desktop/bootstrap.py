"""Everything that can be built before the SDK is imported: config, launcher, pre-started processes.

`desktop.core` builds the rest on it. Must not import the SDK.
"""

from __future__ import annotations

import asyncio
import os
from importlib import import_module
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from builtin_servers.catalog import CATALOG, is_left_out
from desktop.base.damaged_files import Damages
from desktop.base.errors import UsageError
from desktop.base.private_files import close_to_others
from desktop.base.translatable import join_list, translatable
from desktop.config.builtin_settings import lacks_place
from desktop.config.models import MOST_CALLS, Sandbox, ServerConfig, not_on_windows
from desktop.config.secret_store import SecretStore
from desktop.config.store import ConfigStore
from desktop.config.trust import TrustFile
from desktop.processes.ledger import Ledger
from desktop.processes.orphan_cleanup import OrphanCleanup
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.transport.launch import LaunchResolver
from desktop.servers.transport.login_shell import ShellPath
from desktop.servers.transport.prestart import Prestarter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.base.paths import Paths
    from desktop.config.models import HistorySettings
    from desktop.config.sandbox import SandboxPreset
    from desktop.history.serialization import HistoryLimits
    from desktop.processes.tracker import ShutdownReport
    from desktop.values.acting_client import ActingClient

MAX_EARLY = 4
"""Servers that are started early: as many as may start at a time anyway."""


class Bootstrap(Struct, frozen=True):
    """The config, and the parts that start servers.

    Run `sweep` before the first server is started.
    """

    paths: Paths
    store: ConfigStore
    launcher: LaunchResolver
    tracker: McpProcessTracker
    ledger: Ledger
    sweep: OrphanCleanup
    early: Prestarter
    damages: Damages
    """What was found damaged in the data folder."""

    async def start_early(self, configs: Iterable[ServerConfig]) -> None:
        """Start the first few of these servers; their connections take them over."""
        trusted = [config for config in configs if self.store.refusal(config) is None]
        await asyncio.gather(*(self.early.start(config) for config in trusted[:MAX_EARLY]))

    async def keep_trust(self) -> None:
        """At the first start, keep what counts as agreed to from then on."""
        if self.store.is_first_start:
            await asyncio.to_thread(self.store.keep_adopted)

    async def close(self) -> ShutdownReport:
        """Stop every server that was started before there was a core."""
        await self.launcher.shell_path.close()
        receipt = await self.tracker.close_all()
        self.ledger.close()
        return receipt


_LAUNCH: Final = "desktop.features.launch"
"""By its name: the features stand on what is built here."""


def acting_client(name: str) -> ActingClient:
    """The client of this name, or of the profile in this file.

    Raises:
        UsageError: nothing is known of it.
    """
    return import_module(_LAUNCH).acting_client(name)


def build_bootstrap(
    paths: Paths,
    environ: Mapping[str, str] = os.environ,
    *,
    own_path_first: bool = False,
    sandbox: SandboxPreset | None = None,
    shell_path: ShellPath | None = None,
    store: ConfigStore | None = None,
    damages: Damages | None = None,
) -> Bootstrap:
    """Put together what is needed first; starts nothing.

    Args:
        paths: where the config and the data are.
        environ: the person's environment.
        own_path_first: see `LaunchResolver`.
        sandbox: of all servers in this run, whatever the config says.
        shell_path: a login shell that may have been asked already.
        store: the config, if it was read already; else it is read now.
        damages: has what was found damaged so far.
    """
    close_to_others(paths.data)
    if os.name == "posix":  # os.environ decodes each name and value whenever a server is started
        environ = dict(environ)
    damages = damages or Damages()
    store = store or open_config_store(paths, environ, damages)
    launcher = LaunchResolver(
        environ,
        shell_path or ShellPath(environ),
        own_path_first,
        paths.data,
        SecretStore(paths.secret_names, damages),
        folder=paths.folder,
        confine=import_module(_LAUNCH).confinement(paths),
        sandbox=Sandbox(preset=sandbox) if sandbox is not None else None,
    )
    tracker = McpProcessTracker.instance()
    return Bootstrap(
        paths,
        store,
        launcher,
        tracker,
        ledger=Ledger(paths.ledgers, tracker),
        sweep=OrphanCleanup(paths.ledgers, damages),
        early=Prestarter(launcher, tracker),
        damages=damages,
    )


def open_config_store(
    paths: Paths, environ: Mapping[str, str] = os.environ, damages: Damages | None = None
) -> ConfigStore:
    """The config, read; what is wrong with the file is in `error`."""
    trust = TrustFile(paths.trust, paths.config, damages or Damages(), trusts_all=paths.is_trusted)
    is_named = paths.is_own_word
    store = ConfigStore(
        paths.config,
        environ,
        builtin_configs(),
        trust,
        is_named=is_named,
        propose_sandbox=import_module(_LAUNCH).proposal(paths),
    )
    store.load()
    return store


def session_server(
    store: ConfigStore, name: str, arguments: tuple[str, ...] = (), *, folder: str | None = None
) -> ServerConfig:
    """A server for one session alone: a built-in one, or a local one of the person's own.

    It is started with these arguments, or those that the config gives it; a built-in one in
    `folder`, unless the config gives it arguments.

    Raises:
        UsageError: there is none of this name, the config says something that nobody agreed to, or
            it could use nothing of what it is given.
    """
    own = store.servers.get(name)
    if name in CATALOG:
        config = _builtin_config(store, name, arguments)
        if arguments or not config.args:
            config = config.model_copy(update={"cwd": folder})
    elif own is not None and own.transport == "stdio":
        config = own.changed(args=arguments or own.args, enabled=True)
    elif is_left_out(name):
        raise UsageError(not_on_windows(name))
    else:
        raise UsageError(
            translatable("No built-in or local server is named {name!r}.", name=name[:60]),
            remedy=translatable("Available: {names}.", names=join_list(session_servers(store))),
        )
    is_own = own is not None and (name not in CATALOG or own.builtin == name)
    if is_own and own is not None and (refusal := store.refusal(own)) is not None:
        raise UsageError(str(refusal.args[0]), remedy=refusal.remedy)
    if lacks_place(config):
        raise UsageError(
            translatable("{name} was given nothing that it may use.", name=name),
            remedy=translatable("Choose its folder or file, in the Servers page or for the chat."),
        )
    return config


def session_servers(store: ConfigStore) -> list[str]:
    """The names of all that a session can have for itself: the built-in ones first."""
    own = [config.name for config in store.servers.values() if config.transport == "stdio"]
    return list(dict.fromkeys((*CATALOG, *own)))


def _builtin_config(store: ConfigStore, name: str, arguments: tuple[str, ...]) -> ServerConfig:
    """A server of the catalog, with what the config says of it where it is that very one."""
    config = next(config for config in builtin_configs() if config.name == name)
    own = store.servers.get(name)
    if own is None or own.builtin != name:  # none, or a server of the person's own
        return config.changed(args=arguments)
    return config.changed(
        args=arguments or own.args,
        env=own.env,
        roots=own.roots,
        disabled_tools=own.disabled_tools,
    )


def builtin_configs() -> list[ServerConfig]:
    """The servers that come with the app, switched off until a person switches them on."""
    return [
        ServerConfig.checked(
            name=name, transport="stdio", builtin=name, enabled=False, source="builtin"
        )
        for name in CATALOG
    ]


def history_limits(store: ConfigStore) -> HistoryLimits:
    """How many calls are kept; where the config does not say, as many as can be set."""
    return limits_of(MOST_CALLS if store.error is not None else store.settings.history)


def limits_of(settings: HistorySettings) -> HistoryLimits:
    """The settings as the history takes them."""
    from desktop.history.serialization import HistoryLimits

    return HistoryLimits(settings.calls, settings.megabytes * 1_000_000, settings.days)
