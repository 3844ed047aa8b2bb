"""Composition root of everything without a screen; the window and the terminal both start here.

Builds in order, closes in reverse. Holds no logic of its own.
"""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.bootstrap import build_bootstrap, history_limits
from desktop.history.store import HistoryRecorder, HistoryStore, ReadRecorder
from desktop.servers.context import ConnectionContext, ProtocolEraCache, StartLimiter, no_spill
from desktop.servers.requests import ServerRequests
from desktop.servers.service import McpService, why_away
from desktop.tools.adapters import wrap_unlisted_tool
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from desktop.tools.validation.rules import ConfiguredRules, Rules

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from desktop.base.damaged_files import Damages
    from desktop.base.paths import Paths
    from desktop.bootstrap import Bootstrap
    from desktop.config.store import ConfigStore
    from desktop.processes.ledger import Ledger
    from desktop.processes.orphan_cleanup import OrphanCleanup
    from desktop.processes.tracker import McpProcessTracker, ShutdownReport
    from desktop.servers.message_log import MessageLog
    from desktop.servers.transport.launch import LaunchResolver
    from desktop.tools.approvals import Approvals
    from desktop.tools.result_spill import ResultSpill
    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import JsonObject, ValidationIssue


T = TypeVar("T")


class Ending(Protocol):
    """What a feature has that uses the servers, and may have servers of its own."""

    def stop(self) -> None:
        """Begin to end, without waiting: nothing is started any more."""
        ...

    async def close(self) -> None:
        """Wait for the end, side by side with that of the servers. Never raises."""
        ...


class Core(Struct):
    """The parts of the app, each made of the ones above it."""

    paths: Paths
    store: ConfigStore
    launcher: LaunchResolver
    tracker: McpProcessTracker
    ledger: Ledger
    sweep: OrphanCleanup
    service: McpService
    registry: ToolRegistry
    loader: ToolsLoader
    executor: ToolExecutor
    history: HistoryStore
    recorder: HistoryRecorder
    reads: ReadRecorder
    traffic: MessageLog
    rules: Rules
    surroundings: ConnectionContext
    damages: Damages
    spill: ResultSpill | None = None
    """Where large results go; None where they are only passed on, as in a terminal."""
    _unfollow: Callable[[], None] = lambda: None
    _approvals: Approvals | None = None
    _parts: dict[Any, Any] = field(default_factory=dict[Any, Any])
    closing: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list["Callable[[], Awaitable[None]]"]
    )
    """Ends what features have running, before the servers: a call of it may run."""
    ending: list[Ending] = field(default_factory=list["Ending"])
    """Ends with the servers."""

    @property
    def approvals(self) -> Approvals:
        """What the person decided about tools; most runs call none that is asked about."""
        if self._approvals is None:
            from desktop.tools.approvals import Approvals

            self._approvals = Approvals(self.paths.approvals, self.damages)
        return self._approvals

    def part(self, make: Callable[[Core], T]) -> T:
        """What a feature has beside the core, one for the run: made by `make` when first asked for.

        So features that stand on another share what it has, and a run that does not use it pays
        nothing.
        """
        if make not in self._parts:
            self._parts[make] = make(self)
        return cast("T", self._parts[make])

    def follow_store(self) -> None:
        """Keep the service's servers those of the config, from now on until `close`."""
        known = set(self.store.servers)

        def follow() -> None:
            self.service.apply(self.store.servers.values())
            if self.store.error is not None:  # the file says nothing about what is in it
                return
            self.history.follow_limits(history_limits(self.store))
            present = {*self.store.servers, *self.store.problems}
            for name in known - present:
                self.approvals.forget_removed(name)
            known.clear()
            known.update(present)

        self._unfollow = self.store.changed.connect(follow)
        self.service.apply(self.store.servers.values())

    @property
    def requests(self) -> ServerRequests:
        """What servers ask of the person, those of sessions, too."""
        return self.surroundings.requests

    async def settle(self) -> None:
        """Wait until every enabled server is connected or failed; the servers' limits bound it."""
        await self.service.connect_all()

    async def close(self) -> ShutdownReport:
        """Stop every session and server; whatever is left of their processes is killed."""
        self._unfollow()  # nothing starts any more, whatever is switched on meanwhile
        self.history.write_now()  # while the servers end
        self.requests.close()  # who waits for an answer could not end
        for end in self.closing:
            await end()
        for each in self.ending:
            each.stop()  # it calls the servers, and has some of its own
        self.service.stop_all()  # first: who waits for the shell would start its server now
        await self.launcher.shell_path.close()
        # Side by side, and not one after the other, so that the receipt speaks of every process.
        receipt, _, _ = await asyncio.gather(
            self.tracker.close_all(),
            self.service.disconnect_all(),
            asyncio.gather(*(each.close() for each in self.ending)),
        )
        if self._approvals is not None:
            await self._approvals.close()
        self.surroundings.timeouts.close()
        self.loader.close()
        self.recorder.close()
        self.reads.close()
        await self.history.close()
        last = await self.tracker.close_all()  # speaks again of what was left
        self.ledger.close()
        return replace(receipt, left=()) + last


def build_core(paths: Paths, environ: Mapping[str, str] = os.environ) -> Core:
    """Read the config and build the rest; starts no server."""
    return build_core_on(build_bootstrap(paths, environ))


def build_core_on(
    ground: Bootstrap, *, spill: ResultSpill | None = None, client: ActingClient | None = None
) -> Core:
    """Build the rest on what is there already; starts no server.

    Args:
        ground: what every run has.
        spill: where large results go, for a run that keeps results.
        client: another client, as which servers are asked.
    """
    context = _surroundings(ground, spill, client)
    service, registry, rules = McpService(context), ToolRegistry(), Rules()
    ConfiguredRules(rules, ground.store)
    unlisted = partial(wrap_unlisted_tool, service)
    executor = ToolExecutor(
        registry,
        rules=rules,
        unlisted=unlisted,
        spill=spill,
        away=partial(why_away, service),
        client=client,
    )
    history = HistoryStore(ground.paths.history, history_limits(ground.store))
    return Core(
        paths=ground.paths,
        store=ground.store,
        launcher=ground.launcher,
        tracker=ground.tracker,
        ledger=ground.ledger,
        sweep=ground.sweep,
        service=service,
        registry=registry,
        loader=ToolsLoader(service, registry),
        executor=executor,
        history=history,
        recorder=HistoryRecorder(executor, registry, history, context.traffic.redaction),
        reads=ReadRecorder(service, history, context.traffic.redaction),
        traffic=context.traffic,
        rules=rules,
        surroundings=context,
        damages=ground.damages,
        spill=spill,
    )


def _surroundings(
    ground: Bootstrap, spill: ResultSpill | None, client: ActingClient | None
) -> ConnectionContext:
    return ConnectionContext(
        launcher=ground.early,
        tracker=ground.tracker,
        limiter=StartLimiter(),
        eras=ProtocolEraCache(ground.paths.eras, ground.damages),
        logs=ground.paths.server_logs,
        refuse=ground.store.refusal,
        requests=ServerRequests(_check_form),
        spill=spill.spill_content if spill is not None else no_spill,
        client=client,
    )


def _check_form(schema: JsonObject, content: JsonObject) -> list[ValidationIssue]:
    from desktop.tools.validation import find_misfits  # brings jsonschema: few servers ask

    return find_misfits(schema, content)
