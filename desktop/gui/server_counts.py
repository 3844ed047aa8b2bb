"""The line at the bottom of the window: how many servers are connected, how many tools there are.

Decides nothing. Not part of `main_window`, because it is built after the first paint and brings the
bridge to the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.gui import bridge
from desktop.gui.translations import counted

if TYPE_CHECKING:
    from desktop.gui.main_window import MainWindow
    from desktop.servers.service import McpService


class ServerCounts(QObject):
    """Keeps the window's status true."""

    def __init__(self, window: MainWindow, service: McpService) -> None:
        super().__init__(window)
        self._window = window
        self._service = service
        bridge.connect(self, service.servers_changed, self.update)
        bridge.connect(self, service.state_changed, self.update)
        bridge.connect(self, service.tools_changed, self.update)
        self.update()

    def update(self, _: str = "") -> None:
        stats = self._service.get_stats()
        if not stats.enabled:
            self._window.set_status(self.tr("No server is switched on"))
            return
        servers = counted(
            stats.enabled,
            self.tr("{connected} of 1 server connected"),
            self.tr("{connected} of {count} servers connected"),
            connected=stats.connected,
        )
        tools = counted(stats.tools, self.tr("1 tool"), self.tr("{count} tools"))
        self._window.set_status(f"{servers}  ·  {tools}")
