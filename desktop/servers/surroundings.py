"""What all connections of one app share. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.servers.deadline import Deadlines
from desktop.servers.lines import LINE_LIMIT
from desktop.servers.traffic import Traffic

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.processes.tracker import McpProcessTracker
    from desktop.servers.early import EarlyStarts
    from desktop.servers.eras import EraMemory
    from desktop.servers.gate import StartGate
    from desktop.servers.launch import Launcher


@dataclass(slots=True)
class Surroundings:
    """What all connections of one app share."""

    launcher: Launcher
    tracker: McpProcessTracker
    gate: StartGate
    eras: EraMemory
    logs: Path | None = None
    early: EarlyStarts | None = None
    deadlines: Deadlines = field(default_factory=Deadlines)
    traffic: Traffic = field(default_factory=Traffic)
    line_limit: int = LINE_LIMIT

    def log_file(self, server: str) -> Path | None:
        """The log of a server; its name may hold anything, a file name may not."""
        if self.logs is None:
            return None
        safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in server)
        return self.logs / f"{safe.strip('.') or 'server'}.log"
