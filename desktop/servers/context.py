"""What all connections of one app share: launching, tracking, limits, and what was learnt.

`StartLimiter` limits how many servers start concurrently, so that starting fifty does not freeze
the UI. `ProtocolEraCache` remembers which servers need the older greeting. `ConnectionContext`
holds both beside the rest; whoever makes one closes its `timeouts`. Nothing here knows what a
connection is.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import psutil
from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.damaged_files import OwnFile
from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.servers.message_log import MessageLog
from desktop.servers.requests import ServerRequests
from desktop.servers.retry_pause import Pauses
from desktop.servers.timeouts import TimeoutScheduler
from desktop.servers.transport.prestart import Prestarter
from desktop.servers.transport.stderr_log import log_file_name

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from desktop.config.models import ServerConfig
    from desktop.config.trust import UntrustedError
    from desktop.processes.tracker import McpProcessTracker
    from desktop.servers.oauth.auth import SignIns
    from desktop.servers.transport.launch import LaunchResolver
    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import Content

logger = logging.getLogger(__name__)


_LEGACY: Final = "legacy"
ASK_AGAIN: Final = 30
"""Days for which it holds that a server answers in the old way alone: then it is probed again."""
_DAY: Final = 86_400


class ProtocolEraCache:
    """Which servers are greeted with `initialize`, without a probe, kept in one small file.

    Those that the newer greeting stalls or kills (the SDK's `client/_probe.py` waits 10 s for an
    answer to `server/discover`), and for a month each that knew nothing else. A server is known by
    what is started or reached, not by its name. Losing the file costs one slow connect.
    """

    def __init__(
        self,
        file: Path | None = None,
        damages: Damages | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Read the file, if there is one; a damaged one is said to `damages`."""
        lost = translatable("The next connection to some servers takes longer, once.")
        self._file = OwnFile(file, _LEGACY, list, lost, damages) if file else None
        self._clock = clock
        self._legacy: dict[str, int] | None = None

    def mode(self, config: ServerConfig) -> str:
        """The SDK's `mode` for this server: what the person set, else what is remembered."""
        if config.era != "auto":
            return config.era
        return "legacy" if _key(config) in self._known() else "auto"

    def remember_legacy(self, config: ServerConfig, *, for_good: bool = True) -> None:
        """Greet this server the older way from now on; `for_good`, or for `ASK_AGAIN` days."""
        if config.era == "auto" and _key(config) not in self._known():
            until = _FOR_GOOD if for_good else self._today + ASK_AGAIN
            self._change(lambda known: known | {_key(config): until})

    def forget(self, config: ServerConfig) -> None:
        """Probe this server again: it may speak only the newer protocol now."""
        if (key := _key(config)) in self._known():
            self._change(lambda known: {each: day for each, day in known.items() if each != key})

    @property
    def _today(self) -> int:
        return int(self._clock() // _DAY)

    def _known(self) -> dict[str, int]:
        """Until which day what is remembered of each server holds."""
        if self._legacy is None:
            self._legacy = self._load()
        return self._legacy

    def _load(self) -> dict[str, int]:
        written: object = (self._file.read().document or {}).get(_LEGACY) if self._file else None
        known: dict[str, int] = {}
        for entry in cast("list[object]", written) if isinstance(written, list) else ():
            key, _, day = str(entry).partition(" ")
            until = int(day) if day.isascii() and day.isdigit() and len(day) < _LONG else _FOR_GOOD
            if until >= self._today:
                known[key] = until
        return known

    def _change(self, change: Callable[[dict[str, int]], dict[str, int]]) -> None:
        self._legacy = change(self._known())
        if self._file is None:
            return
        # With what another run of the app has learnt meanwhile.
        known = sorted(change(self._load()).items())
        entries = [key if until == _FOR_GOOD else f"{key} {until}" for key, until in known]
        try:
            self._file.write({_LEGACY: entries})
        except ConfigError as error:
            logger.warning("the servers' protocol generation is not remembered: %s", error)


_FOR_GOOD: Final = 10**9
_LONG: Final = 10


def _key(config: ServerConfig) -> str:
    parts = [config.transport, config.builtin or config.command, *config.args, config.url]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


MAX_CONCURRENT_STARTS = min(4, (os.cpu_count() or 1) + 1)
"""Servers that start at a time, one more than cores: on two cores 50 of them are there as soon.

Their answers keep the loop for 13 ms (p99) then, for 20 with four at a time, for 330 with fifty.
"""
_LOOK = 0.025
"""Seconds between two looks at a start."""
_IDLE_LOOKS = 2
"""Looks in a row, without work seen, after which a start is taken to be waiting."""
_RESTS = (psutil.STATUS_SLEEPING, psutil.STATUS_IDLE, psutil.STATUS_ZOMBIE)


class StartLimiter:
    """Hands out start slots in the order they were asked for.

    A slot is held while a server works on its start, not while it only waits: a server that never
    answers gives its slot back after a moment.
    """

    def __init__(self, places: int = MAX_CONCURRENT_STARTS) -> None:
        self._places = asyncio.Semaphore(places)

    async def enter(self) -> StartSlot:
        """Wait for a place; whoever has it must `leave` it."""
        await self._places.acquire()
        return StartSlot(self._places)


class StartSlot:
    """One start in progress."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places
        self._process: psutil.Process | None = None
        self._used = 0.0
        self._idle = 0
        self._timer: asyncio.Handle | None = None
        self._left = False

    def watch(self, process: psutil.Process | None) -> None:
        """Leave by itself once `process` no longer works; at once where there is none."""
        self._process = process
        self._look_later()

    def leave(self) -> None:
        """Give the place to the next. Idempotent."""
        if self._left:
            return
        self._left = True
        if self._timer is not None:
            self._timer.cancel()
        self._places.release()

    def _look_later(self) -> None:
        if not self._left:
            self._timer = asyncio.get_running_loop().call_later(_LOOK, self._look)

    def _look(self) -> None:
        self._idle = 0 if self._works() else self._idle + 1
        if self._process is None or self._idle >= _IDLE_LOOKS:
            self.leave()
        else:
            self._look_later()

    def _works(self) -> bool:
        """Whether it runs, or has run since the last look as far as the CPU clock tells."""
        if self._process is None:
            return False
        try:
            with self._process.oneshot():  # both are in one file
                times = self._process.cpu_times()
                rests = self._process.status() in _RESTS
        except psutil.Error:
            return False
        before, self._used = self._used, times.user + times.system
        return not rests or self._used > before


def _make_sign_ins() -> SignIns:
    from desktop.servers.oauth.auth import SignIns  # brings the SDK's OAuth: few have such servers

    return SignIns()


Spill: TypeAlias = "Callable[[tuple[Content, ...]], Awaitable[tuple[Content, ...]]]"


async def no_spill(content: tuple[Content, ...]) -> tuple[Content, ...]:
    """For a run that only passes on what it reads, as in a terminal."""
    return content


class ConnectionContext(Struct):
    """What all connections of one app share."""

    launcher: LaunchResolver | Prestarter
    tracker: McpProcessTracker
    limiter: StartLimiter
    eras: ProtocolEraCache
    logs: Path | None = None
    """The folder of the servers' stderr logs; None to write none."""
    refuse: Callable[[ServerConfig], UntrustedError | None] = lambda _: None
    """Why a server must not be started; None where it may be."""
    traffic: MessageLog = field(default_factory=MessageLog)
    timeouts: TimeoutScheduler = field(default_factory=TimeoutScheduler)
    requests: ServerRequests = field(default_factory=ServerRequests)
    """What all servers ask of the person."""
    extensions: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """What servers are told that this run can do beyond the protocol, by the extensions' names."""
    client: ActingClient | None = None
    """As whom servers are asked; None for this program itself."""
    pauses: Pauses = field(default_factory=Pauses)
    """How long a server that was lost is left alone."""
    spill: Spill = no_spill
    """Moves what is large of a resource or a prompt to the disk."""
    sign_ins: Callable[[], SignIns] = field(default_factory=lambda: cache(_make_sign_ins))
    """Who is signed in where; made when the first server at a URL is reached."""

    def for_session(self) -> ConnectionContext:
        """The same for servers of one session: they have no log file and no early process."""
        launcher = self.launcher
        resolver = launcher.resolver if isinstance(launcher, Prestarter) else launcher
        return replace(self, launcher=resolver, logs=None)

    def log_file(self, server: str) -> Path | None:
        """The log of a server; None where there is none."""
        return None if self.logs is None else self.logs / log_file_name(server)
