"""`daemon`: has the servers running without a window, for the terminal commands that come after.

Ends by itself when nobody has asked for anything for a while, or when a window opens, which has the
servers then; everything it started ends with it.
"""

from __future__ import annotations

import asyncio
import math
import os
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.runner import CommandPlan, run_core
from desktop.features.attach import protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.core import Core

IDLE = 900.0
"""Seconds without a command after which it ends, unless told otherwise."""
_NOTES = """\
While it runs, call, tools, servers, resources and prompts use its servers, if they have the same
config and data folder. Servers stay connected and keep their state between commands. A server that
is off starts with the first call and stays. Servers have the environment of the daemon, not of the
command; --no-attach starts them anew. An open window does the same and replaces the daemon. Ctrl+C
stops the daemon and all its servers.

examples:
  mcp-desktop daemon &
  mcp-desktop call browser:navigate url=https://example.org
  mcp-desktop daemon --idle 0"""


class DaemonOptions(Options):
    """What `daemon` is told."""

    idle: float


def run(args: list[str], console: Console) -> int:
    parser = make_parser("daemon", COMMANDS["daemon"], _NOTES)
    parser.add_argument(
        "--idle", metavar="S", type=float, default=IDLE,
        help="stop after this many seconds without a command; 0: never",
    )  # fmt: skip
    options = parser.parse(args, DaemonOptions())
    if not (math.isfinite(options.idle) and options.idle >= 0):
        raise UsageError("--idle must be 0 or more seconds.")
    if not protocol.IS_SUPPORTED:
        raise UsageError(
            "There is no daemon on Windows: each command starts its servers.",
            remedy="To keep servers running there, use the window.",
        )

    async def hold(core: Core, _: list[ServerConfig]) -> int:
        return await _hold(core, options.idle, console)

    return run_core(options, CommandPlan(lambda _: (), hold))


async def _hold(core: Core, idle: float, console: Console) -> int:
    from desktop.features.attach.holder import CommandHolder

    wanted, clock = asyncio.Event(), IdleClock(idle)
    holder = CommandHolder(core, keeps_started=True, leave=wanted.set)
    holder.on_change = clock.count
    try:
        try:
            is_first = await holder.try_open()
        except OSError as error:
            raise UsageError(f"No socket could be made in {core.paths.data}: {error}.") from None
        if not is_first:
            raise UsageError(
                f"A window or a daemon already runs the servers of {core.paths.data}.",
                remedy="Terminal commands use it. There is nothing else to do.",
            )
        core.follow_store()
        _tell(core, console)
        clock.start(wanted.set)
        await wanted.wait()
        holder.stop_listening()
        holder.end_clients()
        await clock.until_nothing_runs()
    finally:
        clock.stop()
        await holder.close()
    return Exit.DONE


def _tell(core: Core, console: Console) -> None:
    names = [config.name for config in core.store.servers.values() if config.enabled]
    if console.as_json:
        console.document({"pid": os.getpid(), "servers": names})
    else:
        console.note(f"ready for commands (PID {os.getpid()}); servers: {', '.join(names)}")


class IdleClock:
    """Ends a wait when no command has run for a while."""

    def __init__(self, limit: float) -> None:
        """Args: limit: seconds; 0 for none."""
        self._limit = limit
        self._running = 0
        self._timer: asyncio.TimerHandle | None = None
        self._end = lambda: None
        self._quiet = asyncio.Event()
        self._quiet.set()

    def start(self, end: Callable[[], None]) -> None:
        """Call `end` once it is time."""
        self._end = end
        self._wind()

    def count(self, running: int) -> None:
        """So many commands run now."""
        self._running = running
        (self._quiet.clear if running else self._quiet.set)()
        self._wind()

    async def until_nothing_runs(self) -> None:
        """Commands that were begun are carried out; their own limits bound it."""
        await self._quiet.wait()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wind(self) -> None:
        self.stop()
        if self._limit and not self._running:
            self._timer = asyncio.get_running_loop().call_later(self._limit, self._end)
