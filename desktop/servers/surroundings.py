"""What all connections of one app share. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.servers.deadline import TimeoutScheduler
from desktop.servers.lines import LINE_LIMIT
from desktop.servers.traffic import MessageLog

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.processes.tracker import McpProcessTracker
    from desktop.servers.early import Prestarter
    from desktop.servers.eras import ProtocolEraCache
    from desktop.servers.gate import StartLimiter
    from desktop.servers.launch import LaunchResolver


@dataclass(slots=True)
class Surroundings:
    """What all connections of one app share."""

    launcher: LaunchResolver
    tracker: McpProcessTracker
    gate: StartLimiter
    eras: ProtocolEraCache
    logs: Path | None = None
    early: Prestarter | None = None
    deadlines: TimeoutScheduler = field(default_factory=TimeoutScheduler)
    traffic: MessageLog = field(default_factory=MessageLog)
    line_limit: int = LINE_LIMIT

    def log_file(self, server: str) -> Path | None:
        """The log of a server; its name may hold anything, a file name may not."""
        if self.logs is None:
            return None
        safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in server)
        return self.logs / f"{safe.strip('.') or 'server'}.log"
