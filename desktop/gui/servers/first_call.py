"""The way of a newcomer to a first result: the calculator on, its form filled in, Run focused.

Waits for the server's tools and says that they are there; gives up when the page is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal

from desktop.gui import bridge

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.servers.service import McpService
    from desktop.tool_types import JsonObject

SERVER: Final = "calculator"
TOOL: Final = "calculator:calculate"
ARGUMENTS: JsonObject = {"operation": "multiply", "a": 6, "b": 7}


class FirstCall(QObject):
    """Lives with its page."""

    ready = Signal(str, object)
    """The tool's key and arguments for its form."""

    def __init__(self, page: QWidget, service: McpService) -> None:
        super().__init__(page)
        self._service = service
        self._is_waiting = False
        # The registry follows the same signal, and was connected before any page.
        bridge.connect(self, service.tools_changed, self._note)
        page.installEventFilter(self)

    def start(self) -> None:
        """From now on wait for the tools; they may be there already."""
        self._is_waiting = True
        self._note(SERVER)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:
            self._is_waiting = False
        return super().eventFilter(watched, event)

    def _note(self, server: str) -> None:
        if not self._is_waiting or server != SERVER:
            return
        connection = self._service.connections.get(SERVER)
        if connection is not None and connection.is_enabled and connection.tools:
            self._is_waiting = False
            self.ready.emit(TOOL, dict(ARGUMENTS))
