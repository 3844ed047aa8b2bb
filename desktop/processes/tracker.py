"""`McpProcessTracker`: knows every server process that was started and leaves none behind.

Closing one is the specification's shutdown (basic/lifecycle, stdio: close stdin, wait, terminate,
kill), three seconds in all, then its whole tree. Identity is PID and creation time, never a PID
alone. Must not know what the processes say.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias
from uuid import uuid4

from desktop.processes import tag, tree
from desktop.processes.attached_process import AttachedProcess
from desktop.processes.spawn import safeguard
from desktop.signals import Signal
from desktop.tasks import spawn

if TYPE_CHECKING:
    import psutil

    from desktop.processes.attached_process import ForeignProcess
    from desktop.processes.process import ServerProcess

TERMINATE_AFTER = 2.0
"""Seconds from the end of its input to SIGTERM: what the SDK gives a server, too."""
KILL_AFTER = 3.0
"""Seconds from the end of its input to SIGKILL for the whole tree."""
SWEEP_GRACE = 0.3
"""Seconds that descendants of a server that ended get between SIGTERM and SIGKILL."""
REAP_LIMIT = 1.0
"""Seconds to wait for the kernel after a SIGKILL; what is there after that cannot be killed."""

Closing: TypeAlias = Literal["closed", "forced", "left"]
"""How a server ended: by itself, by force, or not at all."""

logger = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class TrackedProcess:
    """One server process: who it belongs to, the process, and the marker its descendants carry.

    `started_at` is in seconds since the epoch. `group` is the process group that is its own, or 0.
    `keeper` is the process above it that gathers what
    the server leaves (see `guarded`), where there is one.
    """

    owner: str
    process: ServerProcess
    marker: str
    identity: psutil.Process | None
    started_at: float
    keeper: psutil.Process | None = None
    group: int = 0
    closing: asyncio.Task[Closing] | None = None
    killed: bool = False

    @property
    def is_closing(self) -> bool:
        """Whether somebody wanted it to end; one that crashed nobody did."""
        return self.closing is not None or self.killed

    @property
    def is_kept(self) -> bool:
        """Whether whatever it starts can be found below its keeper, with nothing missing."""
        keeper = self.keeper
        return keeper is not None and self.process.keeper_pid is not None and tree.is_there(keeper)

    @property
    def is_gone(self) -> bool:
        """Whether its keeper has ended: it does so when nothing is left."""
        return self.keeper is not None and not tree.is_alive(self.keeper)

    @property
    def has_own_pid(self) -> bool:
        """Whether its PID was not given to a stranger since: one that ended may be reaped."""
        return tree.find(self.process.pid) in (None, self.identity)

    @property
    def is_alive(self) -> bool:
        return self.identity is not None and tree.is_alive(self.identity)

    def below(self) -> list[psutil.Process]:
        """All it started; with a keeper also those it lost, and itself."""
        if self.keeper is not None and self.is_kept:
            return tree.descendants(self.keeper.pid)
        return tree.descendants(self.process.pid) if self.has_own_pid else []


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of the servers at the end, by owner."""

    closed: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def __add__(self, later: Receipt) -> Receipt:
        return Receipt(
            self.closed + later.closed, self.forced + later.forced, self.left + later.left
        )

    def __str__(self) -> str:
        return f"{len(self.closed)} closed, {len(self.forced)} forced, {len(self.left)} left"


@dataclass(slots=True)
class _Scan:
    """One look at all processes, shared by the closings that wait for it at the same time."""

    result: asyncio.Future[tree.Marked] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def run(self) -> None:
        if not self.result.done():
            self.result.set_result(tree.Marked())


class McpProcessTracker:
    """Holds every running server process. There is one, `McpProcessTracker.instance()`."""

    _instance: McpProcessTracker | None = None

    def __init__(self) -> None:
        self.guardian = safeguard()
        self._tracked: dict[str, TrackedProcess] = {}
        self._scan: _Scan | None = None
        self.added: Signal[[TrackedProcess]] = Signal()
        self.removed: Signal[[TrackedProcess, Closing]] = Signal()

    @classmethod
    def instance(cls) -> McpProcessTracker:
        """The one of this process. Its first use registers the kill at exit."""
        if cls._instance is None:
            cls._instance = cls()
            atexit.register(cls._instance.kill_all)
        return cls._instance

    @property
    def tracked(self) -> tuple[TrackedProcess, ...]:
        return tuple(self._tracked.values())

    @staticmethod
    def new_marker() -> str:
        """A value for `tree.MARKER` in the environment of the next server."""
        return uuid4().hex

    def track(self, owner: str, process: ForeignProcess) -> TrackedProcess:
        """Take in a process that somebody else started: it is ended with its tree like a server.

        It stays tracked until it is closed, even when it ends before. When the app is killed it
        lives on until the next start, which finds it in the ledger. Tracking it twice is once.

        Raises:
            ProcessLookupError: it has ended.
            ValueError: it is this process or one above it.
        """
        attached = AttachedProcess(process)
        for tracked in self._tracked.values():
            if tracked.identity == attached.identity:
                return tracked
        marker = self.new_marker()
        # What it starts from now on is known by the tag, even after it has lost its parent.
        for member in (attached.identity, *tree.descendants(attached.pid)):
            tag.put(member.pid, marker)
        return self.take(owner, attached, marker)

    def take(self, owner: str, process: ServerProcess, marker: str) -> TrackedProcess:
        """Take over a process that was just started with `marker`; `owner` is the server's name."""
        identity = tree.find(process.pid)
        keeper = tree.find(process.keeper_pid) if process.keeper_pid is not None else None
        group = tree.led_group(process.pid)
        tracked = TrackedProcess(owner, process, marker, identity, time.time(), keeper, group)
        self._tracked[marker] = tracked
        self.added.send(tracked)
        return tracked

    async def close_connection(self, tracked: TrackedProcess) -> Closing:
        """End one server and everything below it; `KILL_AFTER` and a moment at most.

        May be called by several at once and cancelled by any: the closing itself goes on.
        """
        if tracked.closing is None:
            tracked.closing = spawn(self._close(tracked), f"close {tracked.owner}")
        return await asyncio.shield(tracked.closing)

    async def close_all(self) -> Receipt:
        """End all servers side by side; what a cancelled start has left is gone then, too."""
        tracked = self.tracked
        ends = await asyncio.gather(*(self.close_connection(one) for one in tracked))
        by_end: dict[Closing, list[str]] = {"closed": [], "forced": [], "left": []}
        for one, end in zip(tracked, ends, strict=True):
            by_end[end].append(one.owner)
        await self.guardian.settle(REAP_LIMIT)
        return Receipt(*(tuple(by_end[end]) for end in ("closed", "forced", "left")))

    def kill_all(self) -> None:
        """End everything at once and without a loop: at exit, or as a last resort."""
        for one in self.tracked:
            one.killed = one.process.exit_code is None
        self.guardian.end(REAP_LIMIT)
        if not (left := [one for one in self.tracked if not one.is_gone]):
            self._tracked.clear()
            return
        marked = tree.Marked()
        killed: list[psutil.Process] = []
        for one in left:
            # The keeper last, and it may be stopped: what it loses comes to the guardian.
            own = [process for process in (one.identity, one.keeper) if process is not None]
            related = [*_related(one, one.below(), marked.of(one.marker)), *own]
            tree.kill(related)
            killed += related
        tree.wait_gone(killed, REAP_LIMIT)
        self._tracked.clear()

    async def _close(self, tracked: TrackedProcess) -> Closing:
        process = tracked.process
        # Gathered before it is told to end: afterwards its children have another parent.
        before = tracked.below()
        process.close_stdin()
        ended = await _exits(process, TERMINATE_AFTER)
        if not ended:
            before += tracked.below()
            tree.send(_related(tracked, before, []), signal.SIGTERM)
            ended = await _exits(process, KILL_AFTER - TERMINATE_AFTER)
        if not ended:
            before += tracked.below()
            tree.kill(_related(tracked, before, []))
            if not await _dies(tracked, REAP_LIMIT):
                return await self._give_up(tracked)
        await self._sweep(tracked, before)
        self.guardian.forget(tracked.process.pid)
        tracked.process.release()
        await self._end_keeper(tracked)
        return self._finish(tracked, graceful=ended)

    async def _end_keeper(self, tracked: TrackedProcess) -> None:
        """Return when the keeper has ended, and not only closed its channel.

        The kernel closes the files of a process one after the other before the process has ended:
        the end of the channel is seen up to some ten milliseconds early.
        """
        settled = await tracked.process.settle(REAP_LIMIT)
        if tracked.keeper is None or (settled and await tree.gone([tracked.keeper], REAP_LIMIT)):
            return
        kept = [tracked.keeper]  # it was stopped, or it is stuck
        if tree.is_there(tracked.keeper):
            kept += tree.descendants(tracked.keeper.pid)
        tree.kill(kept)
        await tracked.process.settle(REAP_LIMIT)
        await tree.gone(kept, REAP_LIMIT)

    async def _give_up(self, tracked: TrackedProcess) -> Closing:
        """The server was killed and is still there: only its keeper is waited for.

        A keeper would try for seconds more; without it the guardian takes over what is left.
        """
        tracked.process.release()
        if tracked.keeper is not None:
            tree.kill([tracked.keeper])
            await tree.gone([tracked.keeper], REAP_LIMIT)
        return self._finish(tracked, graceful=False)

    async def _sweep(self, tracked: TrackedProcess, before: list[psutil.Process]) -> None:
        """End what the server left behind, before it is reaped and its group ID is free again."""
        if tracked.is_kept:
            related = _related(tracked, before + tracked.below(), [])
        else:
            marked = (await self._look()).of(tracked.marker)
            related = _related(tracked, before, marked)
        left = [one for one in related if tree.is_alive(one)]
        if not left:
            return
        logger.info("%s left %d processes behind; ending them", tracked.owner, len(left))
        tree.send(left, signal.SIGTERM)
        await tree.gone(left, SWEEP_GRACE)
        tree.kill(left)
        await tree.gone(left, REAP_LIMIT)

    def _finish(self, tracked: TrackedProcess, *, graceful: bool) -> Closing:
        end = _how_it_ended(tracked, graceful=graceful)
        if end != "left":
            self._tracked.pop(tracked.marker, None)
        self.removed.send(tracked, end)
        return end

    async def _look(self) -> tree.Marked:
        scan = self._scan
        if scan is None:
            scan = self._scan = _Scan()
            asyncio.get_running_loop().call_later(0.005, self._run_scan, scan)
        return await asyncio.shield(scan.result)

    def _run_scan(self, scan: _Scan) -> None:
        self._scan = None
        scan.run()


def _how_it_ended(tracked: TrackedProcess, *, graceful: bool) -> Closing:
    if tracked.is_alive:
        logger.error("%s (PID %d) cannot be ended", tracked.owner, tracked.process.pid)
        return "left"
    if not graceful or tracked.killed:
        logger.info("%s (PID %d) was ended by force", tracked.owner, tracked.process.pid)
        return "forced"
    return "closed"


def _related(
    tracked: TrackedProcess, below: list[psutil.Process], marked: list[psutil.Process]
) -> list[psutil.Process]:
    """The server, its group, `below` and `marked`, each once."""
    own = [tracked.identity] if tracked.identity is not None else []
    group = tree.in_group(tracked.group) if tracked.group and tracked.has_own_pid else []
    return list(dict.fromkeys([*own, *group, *below, *marked]))


async def _exits(process: ServerProcess, limit: float) -> bool:
    try:
        await asyncio.wait_for(process.exited.wait(), limit)
    except TimeoutError:
        return process.exit_code is not None
    return True


async def _dies(tracked: TrackedProcess, limit: float) -> bool:
    """Whether it ended after its SIGKILL; it is looked at, as a stopped keeper tells nothing."""
    return tracked.identity is None or await tree.gone([tracked.identity], limit)
