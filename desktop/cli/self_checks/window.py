"""Checks a run of the window from outside: painted, its loop turning, ended in order.

A process of its own, because a Qt that cannot be loaded ends the process it is in.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING

from msgspec import Struct, field

from desktop.base.paths import app_command
from desktop.bootstrap import builtin_configs
from desktop.cli.commands import has_screen
from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError, OutputRecorder
from desktop.config.store import ConfigStore
from desktop.processes import process_tree
from desktop.processes.process import LaunchSpec

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.processes.tracker import McpProcessTracker, TrackedProcess

PAUSE = 0.02
"""Seconds between two looks at the trace: no event tells of a line in a file."""


class WindowRun(Struct):
    """The window on its own config and data, below `folder`. Whoever starts it must `close` it."""

    tracker: McpProcessTracker
    folder: Path
    _tracked: TrackedProcess | None = None
    _output: OutputRecorder = field(default_factory=OutputRecorder)

    async def show(self) -> str:
        """Start it and wait for the first paint.

        Raises:
            CheckFailedError: it ended before.
        """
        self.folder.mkdir(parents=True)
        store = ConfigStore(self.folder / "mcp.json", {}, builtins=builtin_configs())
        store.load()
        store.set_enabled("calculator", True)
        command, *args = app_command()
        launch = LaunchSpec(command, tuple(args), self._environment())
        self._tracked = await self.tracker.start("window", launch, self._output)
        shown = await self._seen("window_shown")
        took = round((shown - (await self._seen("start"))) * 1000)
        where = "" if has_screen() else " offscreen, without a display"
        return f"painted{where}, {took} ms after the first line of Python"

    async def turn(self) -> str:
        """Wait until all behind the window is there: only a turning loop gets that far.

        Raises:
            CheckFailedError: it ended before.
            CheckSkippedError: there is no window.
        """
        self._running()
        took = await self._seen("ready") - await self._seen("window_shown")
        return f"everything else was ready {round(took * 1000)} ms later"

    async def end(self) -> str:
        """Tell it to quit.

        Raises:
            CheckFailedError: it did not, or not in order.
            CheckSkippedError: there is no window, or nothing to tell it with.
        """
        tracked = self._running()
        if sys.platform == "win32":
            raise CheckSkippedError("this system has no signal to quit a window")
        below = process_tree.descendants(tracked.process.pid)
        process_tree.send([tracked.identity] if tracked.identity else [], signal.SIGTERM)
        await tracked.process.exited.wait()
        await self._seen("quit")
        left = [process.pid for process in below if process_tree.is_alive(process)]
        if (code := tracked.process.exit_code) != 0 or left:
            raise CheckFailedError(f"exit code {code}; left: {left}\n{self._output.complaint}")
        return f"exit code 0, and its {len(below)} processes ended"

    async def close(self) -> None:
        """End it whatever it does. Idempotent."""
        if self._tracked is not None:
            await self.tracker.close_connection(self._tracked)

    def _running(self) -> TrackedProcess:
        if self._tracked is None or self._tracked.process.exit_code is not None:
            raise CheckSkippedError("no window is running")
        return self._tracked

    def _environment(self) -> dict[str, str]:
        own = {
            "MCP_DESKTOP_CONFIG": str(self.folder / "mcp.json"),
            "MCP_DESKTOP_DATA": str(self.folder / "data"),
            "MCP_DESKTOP_TRACE": str(self._trace),
        }
        return dict(os.environ) | own | ({} if has_screen() else {"QT_QPA_PLATFORM": "offscreen"})

    @property
    def _trace(self) -> Path:
        return self.folder / "trace.jsonl"

    async def _seen(self, event: str) -> float:
        """The moment of an event, once it is in the trace."""
        while (moment := self._moment(event)) is None:
            if self._tracked is None or self._tracked.process.exit_code is not None:
                code = self._tracked.process.exit_code if self._tracked else None
                words = f"the window ended with exit code {code} before {event!r}"
                raise CheckFailedError(f"{words}\n{self._output.complaint}".strip())
            await asyncio.sleep(PAUSE)
        return moment

    def _moment(self, event: str) -> float | None:
        try:
            lines = self._trace.read_text(encoding="utf-8").splitlines()
        except OSError:
            return None
        moments = [entry["t"] for entry in map(json.loads, lines) if entry["event"] == event]
        return moments[0] if moments else None
