"""Follows servers while they start: once a second, how long it takes and what is being fetched.

Looks only while its page is shown and a server is starting. Starts and ends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.service import McpService

INTERVAL_MS = 1000
MAX_LOOKED_AT = 8
"""Servers whose processes are looked at in one turn; at most four start at a time anyway."""


class StartWatch(QObject):
    """Sends the name of each starting server once a second."""

    ticked = Signal(str, object)
    """A server that is starting, and its `PackageFetch` or None."""

    def __init__(self, service: McpService, parent: QObject) -> None:
        super().__init__(parent)
        self._service = service
        self._is_shown = False
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.look)

    @property
    def is_running(self) -> bool:
        return self._timer.isActive()

    def follow(self, *, is_shown: bool | None = None) -> None:
        """Run or rest, as there is something to see; called with each news of a server."""
        self._is_shown = self._is_shown if is_shown is None else is_shown
        wanted = self._is_shown and bool(self._starting())
        if wanted and not self.is_running:
            self._timer.start()
        elif not wanted:
            self._timer.stop()

    def look(self) -> None:
        """Tell of each starting server now."""
        for place, name in enumerate(self._starting()):
            fetch = self._fetch(name) if place < MAX_LOOKED_AT else None
            self.ticked.emit(name, fetch)
        self.follow()

    def _starting(self) -> list[str]:
        connections = self._service.connections.values()
        return [each.name for each in connections if each.state.phase == "starting"]

    def _fetch(self, name: str) -> PackageFetch | None:
        from desktop.processes.package_runners import find_fetch  # psutil: not at the first paint

        pid = self._service.connections[name].pid
        return find_fetch(pid) if pid is not None else None
