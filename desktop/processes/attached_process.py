"""A process that somebody else started, in the form in which the tracker ends processes.

It has no keeper: what it starts is found below it, in the group it leads, and by the tag that its
descendants inherit from now on (Linux). Its pipes, its exit code and its zombie stay with whoever
started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
from typing import Any, TypeAlias

import psutil

from desktop.processes import tree
from desktop.tasks import spawn

ForeignProcess: TypeAlias = (
    "int | psutil.Process | asyncio.subprocess.Process | subprocess.Popen[Any]"
)
"""Whatever names a running process: a PID, or an object that holds one."""
_LOOK = 1.0


class AttachedProcess:
    """A `ServerProcess` around a process that already runs."""

    keeper_pid = None

    def __init__(self, process: ForeignProcess) -> None:
        """Take hold of `process`, which may end at any moment, but may not be another one later.

        Raises:
            ProcessLookupError: it has ended.
            ValueError: it is this process or one above it, which would be ended with it.
        """
        self._process = process
        self.pid = process if isinstance(process, int) else process.pid
        identity = process if isinstance(process, psutil.Process) else tree.find(self.pid)
        if identity is None or not tree.is_alive(identity):
            raise ProcessLookupError(f"there is no process {self.pid}")
        if self.pid in tree.own_line():
            raise ValueError(f"process {self.pid} is this process or an ancestor of it")
        self.identity = identity
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

    async def write(self, data: bytes) -> None:
        """Refuse: its input belongs to whoever started it."""
        raise BrokenPipeError("the input of this process belongs to whoever started it")

    def pause_reading(self) -> None:
        """Nothing: nobody reads its output here."""

    def resume_reading(self) -> None:
        """Nothing: nobody reads its output here."""

    def close_stdin(self) -> None:
        """Tell it to end: by the end of its input, or by SIGTERM where that is not at hand."""
        stdin = getattr(self._process, "stdin", None)
        if stdin is None:
            tree.send([self.identity], signal.SIGTERM)
        else:
            with contextlib.suppress(OSError):  # it does not read any more
                stdin.close()
        if self._watching is None:
            # Only from here on: nobody waits for its end before.
            self._watching = spawn(self._watch(), f"end of process {self.pid}")

    def release(self) -> None:
        """Stop watching it, and reap it if it has ended and that is ours to do."""
        if self._watching is not None:
            self._watching.cancel()
        if isinstance(self._process, subprocess.Popen):
            self._process.poll()

    async def settle(self, limit: float) -> bool:
        """Nothing to wait for: it has no keeper."""
        return not tree.is_alive(self.identity)

    async def _watch(self) -> None:
        while not await tree.gone([self.identity], _LOOK):
            continue
        self.exited.set()
