"""Runs a command's coroutine on a core: builds it, and closes it whatever happens.

Starts only the servers that the command chose, and none at all where the choice is wrong. A first
Ctrl+C (or SIGTERM, SIGHUP) cancels the command: a running call is cancelled at its server, the
servers are closed. A second one kills them and leaves at once. Must not know any command.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct, field

from desktop.base.errors import ConfigError, UsageError
from desktop.base.tasks import spawn
from desktop.bootstrap import build_bootstrap
from desktop.cli.exit_codes import Exit
from desktop.cli.options import refuse_wrong_config
from desktop.diagnostics import logs, startup_trace

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable

    from desktop.bootstrap import Bootstrap
    from desktop.cli.options import Options
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.processes.tracker import McpProcessTracker
    from desktop.servers.connection import ServerConnection
    from desktop.values.acting_client import ActingClient


logger = logging.getLogger(__name__)


def enabled_servers(store: ConfigStore) -> list[ServerConfig]:
    """All that a person has switched on."""
    return [config for config in store.servers.values() if config.enabled]


def named_server(store: ConfigStore, name: str, *, only_configured: bool = False) -> ServerConfig:
    """The server of this name, switched on or not, to be started.

    Args:
        store: of the config, and of what the command line says how to start.
        name: of the server.
        only_configured: the command has no `--server NAME=COMMAND` to be pointed to.

    Raises:
        UsageError: there is none.
        ConfigError: there is one, and its configuration is wrong, or nobody agreed to it.
    """
    config = find_server(store, name, only_configured=only_configured)
    if (refusal := store.refusal(config)) is not None:
        if (problem := store.trust_problem) is None:
            raise refusal
        raise ConfigError(f"{problem.args[0]}\n{refusal.args[0]}", remedy=refusal.remedy)
    return config


def find_server(store: ConfigStore, name: str, *, only_configured: bool = False) -> ServerConfig:
    """The server of this name, whether it may be started or not; see `named_server`.

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
    hint = "" if only_configured else " For a server that is in no config: --server 'NAME=COMMAND'."
    raise UsageError(f"No server is named {name!r}.{missing}", remedy=f"Available: {known}.{hint}")


async def connect(core: Core, configs: Iterable[ServerConfig], console: Console) -> None:
    """Connect them side by side; their states say what came of it."""
    connections = [core.service.add_server(config) for config in configs]
    ends: list[Callable[[], None]] = []
    for connection in connections:
        ends.append(connection.state_changed.connect(lambda: _tell(connections, console)))
        connection.start()
    try:
        await asyncio.gather(*(connection.settle() for connection in connections))
    finally:
        for end in ends:
            end()
        console.clear_status()
    if console.terminal.is_here:
        startup_trace.record_event("ready")


def failed(core: Core) -> list[ServerConnection]:
    """The servers that could not be connected."""
    return [
        connection
        for connection in core.service.connections.values()
        if not connection.is_connected
    ]


def _tell(connections: list[ServerConnection], console: Console) -> None:
    waiting = [
        connection.name for connection in connections if connection.state.phase == "starting"
    ]
    if waiting:
        ready = len(connections) - len(waiting)
        console.status(f"{ready} of {len(connections)} servers; waiting for {', '.join(waiting)}")


PRESTART_TIMEOUT = 2.0
"""Seconds that are waited for early starts once the import is done."""
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class CommandPlan(Struct):
    """What a command wants of the core.

    `choose` names the servers that are going to be needed and may raise a `DesktopError`: then
    nothing was started. `run` gets them with the core and returns the exit code.
    """

    choose: Callable[[ConfigStore], Iterable[ServerConfig]]
    run: Callable[[Core, list[ServerConfig]], Awaitable[int]]
    starts_early: bool = True
    """Whether what is chosen is started while the SDK is imported."""


class _Interruption(Struct):
    """What signals do while a command runs."""

    tracker: McpProcessTracker
    task: asyncio.Task[int] | None = None
    happened: bool = field(default=False)

    @contextmanager
    def watching(self) -> Generator[None]:
        loop = asyncio.get_running_loop()
        numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
        try:
            for number in numbers:
                loop.add_signal_handler(number, self._interrupt)
        except NotImplementedError:  # Windows: asyncio.run itself turns Ctrl+C into a cancel
            yield
            return
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        if self.happened:
            self.tracker.kill_all()
            os._exit(Exit.INTERRUPTED)
        self.happened = True
        if self.task is not None:
            self.task.cancel()


def run_core(options: Options, work: CommandPlan) -> int:
    """Read the config, run the command with the core, close it; returns the exit code.

    Raises:
        DesktopError: the config is broken, or the command's choice is wrong; nothing was started.
    """
    paths = options.paths
    client = options.acting_client()
    ground = build_bootstrap(paths, own_path_first=True, sandbox=options.sandbox)
    refuse_wrong_config(ground.store)
    ground.store.give(options.given_servers())
    chosen = list(work.choose(ground.store))
    return asyncio.run(_run(ground, chosen, work, client, verbose=options.verbose))


async def _run(
    ground: Bootstrap,
    chosen: list[ServerConfig],
    work: CommandPlan,
    client: ActingClient | None,
    *,
    verbose: bool,
) -> int:
    interruption = _Interruption(ground.tracker, asyncio.current_task())
    keeping = spawn(ground.keep_trust(), "saving the approval")
    with interruption.watching():
        try:
            await ground.sweep.run()
            logs.configure(ground.paths.logs, verbose=verbose)
            ground.sweep.log()
            ground.damages.follow(logger.warning)
            if ground.store.exposure is not None:
                logger.warning("%s", ground.store.exposure)
            async with _starting(ground, chosen if work.starts_early else ()) as started:
                core = _build(ground, client)
                await started()
            return await _run_built(core, chosen, work)
        except asyncio.CancelledError:
            if not interruption.happened:
                raise
            return Exit.INTERRUPTED
        finally:
            await ground.tracker.close_all()
            ground.ledger.close()
            await asyncio.wait({keeping})


@asynccontextmanager
async def _starting(
    ground: Bootstrap, chosen: Iterable[ServerConfig]
) -> AsyncGenerator[Callable[[], Awaitable[None]]]:
    """Ask for these servers; they start while the block imports, then it waits for the answers."""
    starting = spawn(ground.start_early(chosen), "early starts")

    async def started() -> None:
        await asyncio.wait({starting}, timeout=PRESTART_TIMEOUT)

    try:
        for _ in range(2):  # turns of the loop: in the first it makes its tasks, then they ask
            await asyncio.sleep(0)
        yield started
    finally:
        # What has not started by now is left to its connection, so that nothing starts twice.
        starting.cancel()
        await asyncio.wait({starting}, timeout=PRESTART_TIMEOUT)


async def _run_built(core: Core, chosen: list[ServerConfig], work: CommandPlan) -> int:
    try:
        # A signal that came during the import is noticed here, before anything is sent.
        await asyncio.sleep(0)
        return await work.run(core, chosen)
    finally:
        await core.close()


def _build(ground: Bootstrap, client: ActingClient | None) -> Core:
    # What an import makes is not garbage: looking for some in it takes a tenth of a short run.
    gc.disable()
    try:
        from desktop.core import build_core_on  # brings the SDK

        return build_core_on(ground, client=client)
    finally:
        gc.freeze()
        gc.enable()
