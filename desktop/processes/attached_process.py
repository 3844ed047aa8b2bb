"""A process that somebody else started, in the form in which the tracker closes processes.

It has no keeper. What it starts is found among its descendants, in the group it leads, and by the
tag that its descendants inherit from now on (Linux). Its pipes stay with whoever started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
from typing import TYPE_CHECKING, Any, TypeAlias

import psutil

from desktop.base.tasks import spawn
from desktop.processes import process_tree

if TYPE_CHECKING:
    from desktop.processes.process import ProcessOutput

ForeignProcess: TypeAlias = (
    "int | psutil.Process | asyncio.subprocess.Process | subprocess.Popen[Any]"
)
"""A PID, or an object that stands for a running process."""
_LOOK_SECONDS = 1.0


class AttachedProcess:
    """A `ServerProcess` made of a process that runs already."""

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
            with contextlib.suppress(OSError):  # it has closed its end
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
