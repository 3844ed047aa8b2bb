"""Starts servers before the SDK is imported, so that both happen at the same time.

`import mcp` takes longer than most servers take to start. Whoever knows which servers are needed
starts them here, imports the SDK, and connects: the connections take the processes over. Must not
import the SDK, and must not fail: a server that cannot be started early is left to its connection,
which reports why.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop.base.errors import DesktopError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import ServerConfig
    from desktop.processes.process import LaunchSpec, ProcessOutput
    from desktop.processes.tracker import McpProcessTracker, TrackedProcess
    from desktop.servers.transport.launch import LaunchResolver

logger = logging.getLogger(__name__)


class _Recorder:
    """Keeps what a process says until its connection takes the process over."""

    def __init__(self) -> None:
        self._said: list[Callable[[ProcessOutput], None]] = []

    def stdout_received(self, data: bytes) -> None:
        self._said.append(lambda to: to.stdout_received(data))

    def stdout_closed(self) -> None:
        self._said.append(lambda to: to.stdout_closed())

    def stderr_received(self, data: bytes) -> None:
        self._said.append(lambda to: to.stderr_received(data))

    def process_exited(self, code: int) -> None:
        self._said.append(lambda to: to.process_exited(code))

    def repeat(self, output: ProcessOutput) -> None:
        for say in self._said:
            say(output)


class Prestarted(Struct, frozen=True):
    """A server's process that waits for its connection."""

    config: ServerConfig
    tracked: TrackedProcess
    recorder: _Recorder

    def hand_over(self, output: ProcessOutput) -> TrackedProcess:
        """Give `output` what the process wrote up to now, and what it writes from now on."""
        self.recorder.repeat(output)
        self.tracked.process.set_output(output)
        return self.tracked


class Prestarter:
    """The processes that were started early and not taken over yet, by the server's name.

    Stands in for its `LaunchResolver`: `prepare` hands out an early process where there is one.
    """

    def __init__(self, launcher: LaunchResolver, tracker: McpProcessTracker) -> None:
        self.resolver = self._launcher = launcher
        self._tracker = tracker
        self._waiting: dict[str, Prestarted] = {}

    async def start(self, config: ServerConfig) -> None:
        """Start a server's process, if it is one and can be started without waiting."""
        if config.transport != "stdio" or config.name in self._waiting:
            return
        try:
            await self._launcher.load_secrets(config)
            expanded = self._launcher.expanded(config)
            launch = await self._launcher.prepare_now(expanded)
            if launch is None:
                return
            recorder = _Recorder()
            tracked = await self._tracker.start(config.name, launch, recorder)
        except (DesktopError, OSError, ValueError) as error:
            logger.debug("server %s is not started early: %s", config.name, error)
            return
        self._waiting[config.name] = Prestarted(expanded, tracked, recorder)

    async def load_secrets(self, config: ServerConfig) -> None:
        """See `LaunchResolver.load_secrets`."""
        await self._launcher.load_secrets(config)

    def expanded(self, config: ServerConfig) -> ServerConfig:
        """See `LaunchResolver.expanded`."""
        return self._launcher.expanded(config)

    def secrets(self, config: ServerConfig) -> frozenset[str]:
        """See `LaunchResolver.secrets`."""
        return self._launcher.secrets(config)

    async def prepare(self, config: ServerConfig) -> LaunchSpec | Prestarted:
        """The process that was started for an expanded `config`, else what to start.

        Raises:
            DesktopError: the command is not found.
        """
        return self.take(config) or await self._launcher.prepare(config)

    def take(self, config: ServerConfig) -> Prestarted | None:
        """The process of this expanded `config`, once; None where a new one has to be started."""
        early = self._waiting.get(config.name)
        if early is None or early.config != config:
            return None
        return self._waiting.pop(config.name)
