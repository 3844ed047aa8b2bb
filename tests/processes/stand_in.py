"""A `ServerProcess` that is whatever a test says, around a process that a test has started."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.processes.process import ProcessOutput


class StandIn:
    """A server of which the system tells what `pid` is, and nobody tells that it ends."""

    exit_code: int | None = None
    lost_keeper = False
    left_input_unread = False

    def __init__(self, pid: int, keeper_pid: int | None = None) -> None:
        self.pid = pid
        self.keeper_pid = keeper_pid
        self.exited = asyncio.Event()
        self.is_released = self.is_waited_for = False
        self.job: list[int] | None = None

    def members(self) -> list[int] | None:
        return self.job

    async def write(self, data: bytes) -> None:
        raise BrokenPipeError

    def set_output(self, output: ProcessOutput) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def close_stdin(self) -> None: ...
    def release(self) -> None:
        self.is_released = True

    async def wait_released(self, limit: float) -> bool:
        self.is_waited_for = True
        return False
