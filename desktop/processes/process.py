"""The interfaces between whoever starts a process, whoever talks to it and whoever ends it.

Only shapes: `linux_process`, `posix` and `windows` implement them. Knows nothing of MCP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping


class TreeLimits(Struct, frozen=True):
    """What a process and all that it starts may use; 0 is as much as there is.

    `memory` in bytes; threads count as processes.
    """

    memory: int = 0
    processes: int = 0


class LaunchSpec(Struct, frozen=True):
    """What to start. `command` is a resolved executable, `environment` the complete environment.

    `limits` are those that have to be watched, because the system does not hold it to them.
    `at_kill` is a command that is run where it ended by a signal: it ends what another program made
    for it, which does not end with it.
    """

    command: str
    args: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    limits: TreeLimits | None = None
    at_kill: tuple[str, ...] = ()


class ProcessOutput(Protocol):
    """Receives the output of a process. Called from the event loop, in order, never re-entered."""

    def stdout_received(self, data: bytes) -> None: ...
    def stdout_closed(self) -> None: ...
    def stderr_received(self, data: bytes) -> None: ...
    def process_exited(self, code: int) -> None: ...


class OrphanGuard(Protocol):
    """Ends the servers if the app cannot: guardian, watcher or job, depending on the platform."""

    @property
    def pid(self) -> int | None:
        """PID of the guard's own process; None while it has none."""
        ...

    def forget(self, pid: int) -> None:
        """Stop guarding the server with this PID: it has ended, and its PID may be reused."""
        ...

    async def wait_idle(self, limit: float) -> None:
        """Wait at most `limit` seconds for everything that is ending, cancelled starts included."""
        ...

    def kill_all(self, limit: float) -> None:
        """Kill everything it guards without an event loop; blocks for at most `limit` seconds."""
        ...


class ServerProcess(Protocol):
    """A running process with three pipes. `exit_code` is None until it ended, -N after signal N."""

    @property
    def pid(self) -> int: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def exited(self) -> asyncio.Event: ...
    @property
    def lost_keeper(self) -> bool:
        """Whether it ended because its keeper did, which is no fault of its own."""
        ...

    @property
    def left_input_unread(self) -> bool:
        """Whether it closed its input before it had read anything of it, as far as is known."""
        ...

    async def write(self, data: bytes) -> None:
        """Write to stdin; waits while the pipe is full.

        Raises:
            BrokenPipeError: the process has closed its stdin or has ended.
        """
        ...

    def set_output(self, output: ProcessOutput) -> None:
        """Give `output` what comes from now on, in place of who got it before."""
        ...

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def close_stdin(self) -> None:
        """Ask the process to end: step one of the specification's shutdown. Idempotent."""
        ...

    def members(self) -> list[int] | None:
        """PIDs of its job: itself and all it started, ended ones left out; None without a job."""
        ...

    @property
    def keeper_pid(self) -> int | None:
        """PID of the keeper that adopts the servers' orphans; None without one."""
        ...

    def release(self) -> None:
        """Close all pipes and reap the process if it has ended. Idempotent, never blocks.

        Whatever a keeper still has of it is killed.
        """
        ...

    async def wait_released(self, limit: float) -> bool:
        """After `release`, wait at most `limit` seconds; whether the keeper closed its channel."""
        ...
