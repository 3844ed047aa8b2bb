"""`McpProcessTracker`: knows every server process that runs, and leaves none behind.

Closing a server is the specification's shutdown (basic/lifecycle, stdio: close stdin, wait,
terminate, kill), three seconds in all, followed by its whole tree. A process is identified by PID
and creation time, never by its PID alone. One that somebody else started is closed in the same way
(`AttachedProcess`). Must not know what the processes write.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import uuid4

import psutil
from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.processes import guardian_protocol, process_tree, tree_limits
from desktop.processes.spawn import make_orphan_guard, start_process

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desktop.processes.process import LaunchSpec, ProcessOutput, ServerProcess, TreeLimits
    from desktop.processes.tree_limits import ReachedLimit

TERMINATE_AFTER = 2.0
"""Seconds from closing stdin to SIGTERM, the same that the SDK gives a server."""
KILL_AFTER = 3.0
"""Seconds from closing stdin to SIGKILL for the whole tree."""
DESCENDANTS_GRACE = 0.3
"""Seconds between SIGTERM and SIGKILL for descendants that a server left behind."""
MAX_REAP_WAIT = 1.0
"""Seconds to wait for the kernel after a SIGKILL; what is still there cannot be killed."""
MAX_RECENT_EXITS = 20
"""Exits that `RecentExits` keeps."""
_SCAN_DELAY = 0.005
"""Seconds that a look at all processes waits for others that need one."""
_KILLED = (-9, 137, -15)
"""The exit of what was killed; 137 is how a shell, bubblewrap and Docker pass it on. Where the
kernel killed one process of a scope, systemd ends the others by SIGTERM, bubblewrap among them."""

CloseOutcome: TypeAlias = Literal["closed", "forced", "left"]
"""Whether a server ended without force, by force, or not at all."""
ExitCause: TypeAlias = Literal["server", "app", "person"]
"""Who had it end: the server itself, the app that closed it, or a person who ended its process."""

logger = logging.getLogger(__name__)


class TrackedProcess(Struct, eq=False):
    """A server process with its owner's name and the marker that its descendants carry.

    `started_at` is in seconds since the epoch. `group` is the process group that is its own, or 0.
    `keeper` is its parent, and that of all servers, which adopts their orphans (see
    `linux_process`), where there is one.
    """

    owner: str
    process: ServerProcess
    marker: str
    identity: psutil.Process | None
    started_at: float
    keeper: psutil.Process | None
    group: int
    closing: asyncio.Task[CloseOutcome] | None = None
    killed: bool = False
    ended_by: ExitCause = "server"
    limits: TreeLimits | None = None
    """What is counted, because the system does not hold it."""
    reached: ReachedLimit = ""
    """Which limit it was killed at."""
    at_kill: tuple[str, ...] = ()
    """What is still to be run if it ends by a signal: without a keeper, which does that itself."""

    @property
    def is_closing(self) -> bool:
        """Whether it ends because the tracker was asked to end it, rather than by a crash."""
        return self.closing is not None or self.killed

    @property
    def is_killed(self) -> bool:
        """Whether the system has killed it, and neither this app nor a person."""
        is_ours = self.limits is not None or self.killed or self.ended_by != "server"
        return not is_ours and self.process.exit_code in _KILLED

    @property
    def is_gone(self) -> bool:
        """Whether its keeper has ended, which it does only when nothing is left."""
        return self.keeper is not None and not process_tree.is_alive(self.keeper)

    @property
    def has_own_pid(self) -> bool:
        """Whether no other process has its PID. Once it is reaped, the PID may be reused."""
        return process_tree.find(self.process.pid) in (None, self.identity)

    @property
    def is_alive(self) -> bool:
        return self.identity is not None and process_tree.is_alive(self.identity)

    def descendants(self, servers: Collection[int]) -> list[psutil.Process]:
        """Everything it started; with a keeper, also its orphans.

        Args:
            servers: the PIDs of all servers, which are no orphans.
        """
        below = process_tree.descendants(self.process.pid) if self.has_own_pid else []
        return [*below, *(self.orphans(servers) or ())]

    def orphans(self, servers: Collection[int]) -> list[psutil.Process] | None:
        """What its keeper has adopted of it, or what is in its job beside it; None without both.

        As long as there is one of the two, nothing that the server started can leave it.
        """
        if (members := self.process.members()) is not None:
            return process_tree.find_all(pid for pid in members if pid != self.process.pid)
        keeper = self.keeper
        if keeper is None or self.process.keeper_pid is None or not process_tree.is_alive(keeper):
            return None
        return process_tree.adopted(keeper.pid, self.marker, servers)

    def family(self, others: list[psutil.Process]) -> list[psutil.Process]:
        """Itself, its group and `others`, each once."""
        own = [self.identity] if self.identity is not None else []
        group = process_tree.group_members(self.group) if self.group and self.has_own_pid else []
        return list(dict.fromkeys([*own, *group, *others]))


class ShutdownReport(Struct, frozen=True):
    """The owners of the servers that ended, by how they ended."""

    closed: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def __add__(self, later: ShutdownReport) -> ShutdownReport:
        return ShutdownReport(
            self.closed + later.closed, self.forced + later.forced, self.left + later.left
        )

    def __str__(self) -> str:
        return f"{len(self.closed)} closed, {len(self.forced)} forced, {len(self.left)} left"


class _SharedScan(Struct):
    """One scan of all processes for all closings that need one at the same time."""

    result: asyncio.Future[process_tree.MarkerScan] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def run(self) -> None:
        if not self.result.done():
            self.result.set_result(process_tree.MarkerScan())


class McpProcessTracker:
    """Tracks and closes all server processes. There is one, `McpProcessTracker.instance()`."""

    _instance: McpProcessTracker | None = None

    def __init__(self) -> None:
        self.guardian = make_orphan_guard()
        self._tracked: dict[str, TrackedProcess] = {}
        self._scan: _SharedScan | None = None
        self.starting: Signal[[str, str]] = Signal()
        """A server is about to be started: its owner's name and its marker."""
        self.not_started: Signal[[str]] = Signal()
        """Nothing is left of the start with this marker; one that is cancelled still may be."""
        self.added: Signal[[TrackedProcess]] = Signal()
        self.removed: Signal[[TrackedProcess, CloseOutcome]] = Signal()

    @classmethod
    def instance(cls) -> McpProcessTracker:
        """The tracker of this process. Its first use registers the kill at exit."""
        if cls._instance is None:
            cls._instance = cls()
            atexit.register(cls._instance.kill_all)
        return cls._instance

    @property
    def tracked(self) -> tuple[TrackedProcess, ...]:
        return tuple(self._tracked.values())

    @property
    def _pids(self) -> set[int]:
        """Of all servers."""
        return {tracked.process.pid for tracked in self.tracked}

    # --- starting -----------------------------------------------------------------------------

    async def start(self, owner: str, launch: LaunchSpec, output: ProcessOutput) -> TrackedProcess:
        """Start `launch` for the server `owner`, tracked from its first moment.

        Raises:
            OSError: it cannot be started.
            ValueError: a NUL byte in command, arguments or environment.
        """
        marker = self.new_marker()
        marks = process_tree.server_environment(owner, marker)
        if launch.at_kill and sys.platform == "linux":
            marks[guardian_protocol.AT_KILL_VARIABLE] = "\n".join(launch.at_kill)
        marked = replace(launch, environment={**launch.environment, **marks})
        self.starting.send(owner, marker)
        try:
            process = await start_process(marked, output, self.guardian)
        except Exception:
            self.not_started.send(marker)
            raise
        tracked = self.add(owner, process, marker)
        tracked.at_kill = launch.at_kill if process.keeper_pid is None else ()
        if launch.limits is not None:
            tracked.limits = launch.limits
            spawn(_end_at_limit(tracked, launch.limits, lambda: self._pids), f"limits of {owner}")
        return tracked

    def track(self, owner: str, process: ForeignProcess) -> TrackedProcess:
        """Track a process that somebody else started: closing it ends its whole tree.

        It stays tracked until it is closed, even if it ends by itself. If the app is killed, the
        process goes on until the next start finds it in the ledger. Tracking it again returns the
        same object.

        Raises:
            ProcessLookupError: it has ended.
            ValueError: it is this process or an ancestor of it.
        """
        attached = AttachedProcess(process)
        for tracked in self._tracked.values():
            if tracked.identity == attached.identity:
                return tracked
        marker = self.new_marker()
        # Descendants inherit the tag: those of the future are found after their parent died, too.
        for member in (attached.identity, *process_tree.descendants(attached.pid)):
            guardian_protocol.set_tag(member.pid, marker)
        return self.add(owner, attached, marker)

    def add(self, owner: str, process: ServerProcess, marker: str) -> TrackedProcess:
        """Track a process that was just started with `marker` in its environment."""
        tracked = TrackedProcess(
            owner,
            process,
            marker,
            identity=process_tree.find(process.pid),
            started_at=time.time(),
            keeper=process_tree.find(process.keeper_pid) if process.keeper_pid else None,
            group=process_tree.led_group(process.pid),
        )
        self._tracked[marker] = tracked
        self.added.send(tracked)
        return tracked

    @staticmethod
    def new_marker() -> str:
        """A unique value for `MARKER_VARIABLE` in the environment of a server."""
        return uuid4().hex

    # --- closing ------------------------------------------------------------------------------

    async def close_connection(self, tracked: TrackedProcess) -> CloseOutcome:
        """End one server and everything below it, within about `KILL_AFTER` seconds.

        Returns when server and keeper have ended, or cannot be ended. Several callers may wait at
        once, and each may be cancelled: the closing itself goes on.
        """
        if tracked.closing is None:
            if tracked.process.exit_code is None and tracked.ended_by == "server":
                tracked.ended_by = "app"
            tracked.closing = spawn(self._close(tracked), f"close {tracked.owner}")
        return await asyncio.shield(tracked.closing)

    async def close_all(self) -> ShutdownReport:
        """End all servers concurrently, and what cancelled starts have left."""
        tracked = self.tracked
        outcomes = await asyncio.gather(*(self.close_connection(server) for server in tracked))
        owners: dict[CloseOutcome, list[str]] = {"closed": [], "forced": [], "left": []}
        for server, outcome in zip(tracked, outcomes, strict=True):
            owners[outcome].append(server.owner)
        await self.guardian.wait_idle(MAX_REAP_WAIT)
        # One whose guardian was killed ends by itself, a moment after its last server.
        keepers = {server.keeper for server in tracked if server.keeper is not None}
        await process_tree.wait_gone(keepers, MAX_REAP_WAIT)
        return ShutdownReport(*(tuple(owners[outcome]) for outcome in ("closed", "forced", "left")))

    def kill_tree(self, process: psutil.Process) -> None:
        """Kill a process and all below it, because a person asked for it; see `process_tree`."""
        for tracked in self.tracked:
            if tracked.identity == process and tracked.process.exit_code is None:
                tracked.ended_by = "person"
        process_tree.kill_tree(process)

    def kill_all(self) -> None:
        """Kill everything without an event loop, at exit or as a last resort.

        Returns when all has ended, after about two seconds at the latest.
        """
        for server in self.tracked:
            server.killed = server.process.exit_code is None
        self.guardian.kill_all(MAX_REAP_WAIT)
        remaining = [server for server in self.tracked if not server.is_gone]
        if remaining:
            scan = process_tree.MarkerScan()
            killed: list[psutil.Process] = []
            for server in remaining:
                family = server.family([*server.descendants(self._pids), *scan.find(server.marker)])
                # The keeper last, because it may be stopped: the guardian adopts what it loses.
                family += [server.keeper] if server.keeper is not None else []
                process_tree.kill(family)
                killed += family
            process_tree.wait_gone_blocking(killed, MAX_REAP_WAIT)
        self._tracked.clear()

    async def _close(self, tracked: TrackedProcess) -> CloseOutcome:
        process = tracked.process
        # Collected before the server ends: afterwards its children have another parent, unless
        # there is a keeper, which adopts them.
        family = tracked.descendants(self._pids) if process.keeper_pid is None else []
        process.close_stdin()
        has_exited = await _wait_exit(process, TERMINATE_AFTER)
        if not has_exited:
            _wake(tracked.keeper)
            family += tracked.descendants(self._pids)
            process_tree.send(tracked.family(family), signal.SIGTERM)
            has_exited = await _wait_exit(process, KILL_AFTER - TERMINATE_AFTER)
            tracked.killed |= sys.platform == "win32"  # which knows no gentler signal
        if not has_exited:
            family += tracked.descendants(self._pids)
            process_tree.kill(tracked.family(family))
            if not await _wait_dead(tracked, MAX_REAP_WAIT):
                return self._give_up(tracked)
        await self._end_descendants(tracked, family)
        self.guardian.forget(process.pid)
        process.release()
        await self._end_rest(tracked)
        if tracked.at_kill and (process.exit_code or 0) < 0:
            await asyncio.to_thread(_run, tracked.at_kill)
        outcome = self._finish(tracked, graceful=has_exited)
        if not self._tracked:  # the guard ends with the last server
            await self.guardian.wait_idle(MAX_REAP_WAIT)
        return outcome

    async def _end_descendants(self, tracked: TrackedProcess, family: list[psutil.Process]) -> None:
        """End what the server left, before it is reaped and the ID of its group can be reused."""
        orphans = tracked.orphans(self._pids)
        if orphans is not None:  # its group is below it, too: nobody joins one of another session
            family = list(dict.fromkeys([*family, *orphans]))
        else:
            family = tracked.family(family + (await self._scan_markers()).find(tracked.marker))
        remaining = [process for process in family if process_tree.is_alive(process)]
        if not remaining:
            return
        logger.info("%s left %d processes behind; ending them", tracked.owner, len(remaining))
        process_tree.send(remaining, signal.SIGTERM)
        await process_tree.wait_gone(remaining, DESCENDANTS_GRACE)
        process_tree.kill(remaining)
        await process_tree.wait_gone(remaining, MAX_REAP_WAIT)

    async def _end_rest(self, tracked: TrackedProcess) -> None:
        """Return when the keeper says that nothing is left of the server."""
        process, keeper = tracked.process, tracked.keeper
        if await process.wait_released(MAX_REAP_WAIT) or keeper is None:
            return
        _wake(keeper)
        if not await process.wait_released(MAX_REAP_WAIT):
            family = tracked.family(tracked.descendants(self._pids))
            process_tree.kill(family)
            await process_tree.wait_gone(family, MAX_REAP_WAIT)

    def _give_up(self, tracked: TrackedProcess) -> CloseOutcome:
        """The server survived its SIGKILL; the keeper goes on trying for a while."""
        tracked.process.release()
        return self._finish(tracked, graceful=False)

    def _finish(self, tracked: TrackedProcess, *, graceful: bool) -> CloseOutcome:
        outcome = _judge(tracked, graceful=graceful)
        if outcome != "left":
            self._tracked.pop(tracked.marker, None)
        self.removed.send(tracked, outcome)
        return outcome

    async def _scan_markers(self) -> process_tree.MarkerScan:
        """Wait a moment and share the scan with other closings: it reads every process."""
        scan = self._scan
        if scan is None:
            scan = self._scan = _SharedScan()
            asyncio.get_running_loop().call_later(_SCAN_DELAY, self._run_scan, scan)
        return await asyncio.shield(scan.result)

    def _run_scan(self, scan: _SharedScan) -> None:
        self._scan = None
        scan.run()


def _judge(tracked: TrackedProcess, *, graceful: bool) -> CloseOutcome:
    if tracked.is_alive:
        logger.error("%s (PID %d) cannot be ended", tracked.owner, tracked.process.pid)
        return "left"
    if not graceful or tracked.killed:
        logger.info("%s (PID %d) was ended by force", tracked.owner, tracked.process.pid)
        return "forced"
    return "closed"


async def _end_at_limit(
    tracked: TrackedProcess, limits: TreeLimits, servers: Callable[[], Collection[int]]
) -> None:
    """Look until it has ended or reached a limit: then note which, and kill all of it.

    Args:
        tracked: what is looked at.
        limits: what it may use.
        servers: the PIDs of all servers, which are not its own.
    """
    exited = tracked.process.exited
    while not exited.is_set():
        try:
            await asyncio.wait_for(exited.wait(), tree_limits.INTERVAL)
        except TimeoutError:
            below = await asyncio.to_thread(tracked.descendants, servers())
            family = [each for each in (tracked.identity, *below) if each is not None]
            if over := await asyncio.to_thread(tree_limits.reached, limits, family):
                tracked.reached = over
                process_tree.kill(tracked.family(below))


def _run(command: Sequence[str]) -> None:
    limit = guardian_protocol.MAX_COMMAND_WAIT
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=limit, check=False)  # noqa: S603 - ours


def _wake(keeper: psutil.Process | None) -> None:
    """Let a keeper go on that somebody stopped: it would tell of no end."""
    if keeper is not None and sys.platform != "win32":
        process_tree.send([keeper], signal.SIGCONT)


async def _wait_exit(process: ServerProcess, limit: float) -> bool:
    try:
        await asyncio.wait_for(process.exited.wait(), limit)
    except TimeoutError:
        return process.exit_code is not None
    return True


async def _wait_dead(tracked: TrackedProcess, limit: float) -> bool:
    """Whether it died of its SIGKILL; asks the system, because a stopped keeper reports nothing."""
    identity = tracked.identity
    return identity is None or await process_tree.wait_gone([identity], limit)


# --- recent exits -----------------------------------------------------------------------------


class ServerExit(Struct, frozen=True):
    """How a server's process ended. `at` is in seconds since the epoch.

    `code` is its exit code, below zero a signal; None where it is not known.
    """

    owner: str
    pid: int
    outcome: CloseOutcome
    at: float
    cause: ExitCause = "server"
    code: int | None = None


class RecentExits:
    """The last `MAX_RECENT_EXITS` exits of a tracker's processes, the latest first."""

    def __init__(self, tracker: McpProcessTracker) -> None:
        self._exits: deque[ServerExit] = deque(maxlen=MAX_RECENT_EXITS)
        self.changed: Signal[[]] = Signal()
        tracker.removed.connect(self._on_removed)

    @property
    def exits(self) -> tuple[ServerExit, ...]:
        return tuple(self._exits)

    def _on_removed(self, tracked: TrackedProcess, outcome: CloseOutcome) -> None:
        process = tracked.process
        end = ServerExit(
            tracked.owner, process.pid, outcome, time.time(), tracked.ended_by, process.exit_code
        )
        self._exits.appendleft(end)
        self.changed.send()


ForeignProcess: TypeAlias = (
    "int | psutil.Process | asyncio.subprocess.Process | subprocess.Popen[Any]"
)
"""A PID, or an object that stands for a running process."""
_LOOK_SECONDS = 1.0
"""Seconds of one wait for the end, after which the next begins."""


class AttachedProcess:
    """A `ServerProcess` made of a process that runs already, and that somebody else started.

    It has no keeper. What it starts is found among its descendants, in the group it leads, and by
    the tag that its descendants inherit from now on (Linux). Its pipes stay with whoever started
    it.
    """

    keeper_pid = None
    lost_keeper = False
    left_input_unread = False

    def __init__(self, process: ForeignProcess) -> None:
        """Pin down which process this is, so that a later one with the same PID is never hit.

        Raises:
            ProcessLookupError: it has ended.
            ValueError: it is this process or an ancestor, so closing it would end this process.
        """
        self._process = process
        self.pid = process if isinstance(process, int) else process.pid
        found = process if isinstance(process, psutil.Process) else process_tree.find(self.pid)
        if found is None or not process_tree.is_alive(found):
            raise ProcessLookupError(f"there is no process {self.pid}")
        if self.pid in process_tree.own_ancestry():
            raise ValueError(f"process {self.pid} is this process or an ancestor of it")
        self.identity = found
        self.exited = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    @property
    def exit_code(self) -> int | None:
        """None while it runs, and where only whoever started it can know."""
        if isinstance(self._process, subprocess.Popen):
            return self._process.poll()
        if isinstance(self._process, asyncio.subprocess.Process):
            return self._process.returncode
        return None

    def members(self) -> None:
        """None: only Windows has jobs."""

    async def write(self, data: bytes) -> None:
        """Refuse, because its input belongs to whoever started it."""
        raise BrokenPipeError("the input of this process belongs to whoever started it")

    def set_output(self, output: ProcessOutput) -> None:
        """Do nothing: its output is not read here."""

    def pause_reading(self) -> None:
        """Do nothing: its output is not read here."""

    def resume_reading(self) -> None:
        """Do nothing: its output is not read here."""

    def close_stdin(self) -> None:
        """Ask it to end: by closing its input, or by SIGTERM if its input is not at hand."""
        stdin = getattr(self._process, "stdin", None)
        if stdin is None:
            process_tree.send([self.identity], signal.SIGTERM)
        else:
            with suppress(OSError):  # it has closed its end
                stdin.close()
        if self._watching is None:
            # Only from here on, because nothing waits for its exit before.
            self._watching = spawn(self._watch(), f"exit of process {self.pid}")

    def release(self) -> None:
        """Stop watching it. Reaps it only if it is a `Popen`, which nothing else may poll."""
        if self._watching is not None:
            self._watching.cancel()
        if isinstance(self._process, subprocess.Popen):
            self._process.poll()

    async def wait_released(self, limit: float) -> bool:
        """Nothing to wait for, because it has no keeper."""
        return not process_tree.is_alive(self.identity)

    async def _watch(self) -> None:
        while not await process_tree.wait_gone([self.identity], _LOOK_SECONDS):
            continue
        self.exited.set()
