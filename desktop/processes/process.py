"""What a started server process looks like to whoever talks to it, on every platform.

Only the shape: `guarded`, `posix` and `windows` start one. Knows nothing of MCP.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What to start. `command` is a found executable; `environment` is the whole of it."""

    command: str
    args: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None


class ProcessOutput(Protocol):
    """Receives what a process says; called on the loop, in order, never re-entered."""

    def stdout_received(self, data: bytes) -> None: ...
    def stdout_closed(self) -> None: ...
    def stderr_received(self, data: bytes) -> None: ...
    def process_exited(self, code: int) -> None: ...


class Safeguard(Protocol):
    """What ends the servers when the app cannot: guardian, watcher or job, by platform."""

    @property
    def pid(self) -> int | None:
        """Its process, if it is one and runs."""
        ...

    def forget(self, pid: int) -> None:
        """The server with this PID has ended and is about to be reaped, or was."""
        ...

    async def settle(self, limit: float) -> None:
        """Wait until nothing more is on its way out, of starts that were cancelled either."""
        ...

    def end(self, limit: float) -> None:
        """End what it guards now, without a loop: at exit, or as a last resort."""
        ...


class ServerProcess(Protocol):
    """A running process with its three pipes. `exit_code` is None until it ended (-N: signal N)."""

    @property
    def pid(self) -> int: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def exited(self) -> asyncio.Event: ...
    async def write(self, data: bytes) -> None:
        """Send to stdin, waiting while the pipe is full.

        Raises:
            BrokenPipeError: the process has closed its stdin or is gone.
        """
        ...

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def close_stdin(self) -> None:
        """Tell the process to end: the first step of the specification's shutdown. Idempotent."""
        ...

    @property
    def keeper_pid(self) -> int | None:
        """The process above it that gathers what it leaves, for as long as there is one."""
        ...

    def release(self) -> None:
        """Close every pipe and reap the process if it ended. Idempotent; never blocks.

        What still runs below a keeper is killed.
        """
        ...

    async def settle(self, limit: float) -> bool:
        """After `release`: wait until a keeper has ended; whether all is known to be gone."""
        ...
