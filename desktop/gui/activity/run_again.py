"""Runs a recorded call once more: a tool, a resource or a prompt, at the server that it went to.

The history has the new result as it has any other. Must not change what is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.activity.history_view import HistoryView
    from desktop.history.records import Summary
    from desktop.values.tool_types import JsonObject


class RunAgain(QObject):
    """Follows a list of calls; what is run again appears on top of it."""

    def __init__(self, history: HistoryView, core: Core) -> None:
        super().__init__(history)
        self._executor, self._service = core.executor, core.service
        self.history = history
        history.run_requested.connect(self._run_again)

    def _run_again(self, call: Summary, arguments: JsonObject) -> None:
        bridge.run(self.history, self._run(call, arguments), self.tr("Running the call"))

    async def _run(self, call: Summary, arguments: JsonObject) -> None:
        """Run a call again; the history has its result, whatever it is, and selects it."""
        self.history.note_running(True)
        if call.kind == "tool":
            await self._executor.run(ToolCall(call.key, arguments))
        else:
            await self._ask(call, arguments)
        self.history.note_running(False)

    async def _ask(self, call: Summary, arguments: JsonObject) -> None:
        name, _, wanted = call.key.partition(":")
        server = self._service.connections.get(name)
        if server is None:
            text = self.tr("The server {name} no longer exists.")
            self.history.show_error(text.format(name=mark_hidden(name)))
        elif call.kind == "resource":
            await server.resources.read(wanted)
        else:
            await server.prompts.get(wanted, {key: str(arguments[key]) for key in arguments})
