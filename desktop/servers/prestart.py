"""Starts servers before the SDK is imported, so that both take place at the same time.

`import mcp` takes longer than most servers take to start. Who knows what will be asked starts it
here first, imports, and then connects: the connection takes the process over. Must not import the
SDK, and must not fail: what cannot be started early is left to the connection, which tells why.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.errors import DesktopError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import ServerConfig
    from desktop.processes.process import ProcessOutput
    from desktop.processes.tracker import McpProcessTracker, TrackedProcess
    from desktop.servers.launch import LaunchResolver

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Recorder:
    """Keeps what a process says until there is somebody to hear it, then passes it on."""

    heard: list[Callable[[ProcessOutput], None]] = field(
        default_factory=list["Callable[[ProcessOutput], None]"]
    )
    listener: ProcessOutput | None = None

    def stdout_received(self, data: bytes) -> None:
        self._tell(lambda to: to.stdout_received(data))

    def stdout_closed(self) -> None:
        self._tell(lambda to: to.stdout_closed())

    def stderr_received(self, data: bytes) -> None:
        self._tell(lambda to: to.stderr_received(data))

    def process_exited(self, code: int) -> None:
        self._tell(lambda to: to.process_exited(code))

    def listen(self, listener: ProcessOutput) -> None:
        self.listener = listener
        heard, self.heard = self.heard, []
        for tell in heard:
            tell(listener)

    def _tell(self, tell: Callable[[ProcessOutput], None]) -> None:
        if self.listener is None:
            self.heard.append(tell)
        else:
            tell(self.listener)


@dataclass(frozen=True, slots=True)
class Prestarted:
    """A server's process that waits for its connection."""

    config: ServerConfig
    tracked: TrackedProcess
    recorder: _Recorder

    def hand_over(self, output: ProcessOutput) -> TrackedProcess:
        """Tell `output` what the process said up to now, and from now on."""
        self.recorder.listen(output)
        return self.tracked


class Prestarter:
    """The processes that were started early and not taken over yet, by the server's name."""

    def __init__(self, launcher: LaunchResolver, tracker: McpProcessTracker) -> None:
        self._launcher = launcher
        self._tracker = tracker
        self._waiting: dict[str, Prestarted] = {}

    async def start(self, config: ServerConfig) -> None:
        """Start a server's process, if it is one and can be started without waiting."""
        if config.transport != "stdio" or config.name in self._waiting:
            return
        try:
            expanded = self._launcher.expanded(config)
            launch = self._launcher.prepare_now(expanded)
            if launch is None:
                return
            recorder = _Recorder()
            tracked = await self._tracker.start(config.name, launch, recorder)
        except (DesktopError, OSError, ValueError) as error:
            logger.debug("server %s is not started early: %s", config.name, error)
            return
        self._waiting[config.name] = Prestarted(expanded, tracked, recorder)

    def take(self, config: ServerConfig) -> Prestarted | None:
        """The process of this expanded `config`, once; None where a new one has to be started."""
        early = self._waiting.get(config.name)
        if early is None or early.config != config:
            return None
        return self._waiting.pop(config.name)
