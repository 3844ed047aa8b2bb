"""Connects the list of calls and the saved calls, two tabs of the Activity page, with each other.

Holds no logic of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.history.saved_calls_view import SavedCallsView
from desktop.gui.theme import space
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.core import Core
    from desktop.gui.activity.page import ActivityPage
    from desktop.gui.theme import Theme
    from desktop.history.records import Summary
    from desktop.history.saved_call_runner import SavedCallRunner
    from desktop.values.tool_types import JsonObject


class HistoryTabs(QObject):
    """Adds the saved calls to the page; a call that is run again appears on top of the list."""

    def __init__(
        self,
        page: ActivityPage,
        theme: Theme,
        core: Core,
        runner: SavedCallRunner,
        settings: QSettings,
    ) -> None:
        super().__init__(page)
        self._page, self._executor, self._service = page, core.executor, core.service
        self.history = page.calls
        self.saved = SavedCallsView(theme, core.saved_calls, runner, settings)
        self.saved.setContentsMargins(0, space(3), 0, 0)
        page.add_tab("", self.saved)
        self.saved.open_call_requested.connect(page.open_call_requested)
        self.saved.tools_requested.connect(page.tools_requested)
        self.history.run_requested.connect(self._run_again)
        self.history.save_requested.connect(self.saved.save_record)
        tabs = self._page.tabs
        tabs.setTabText(tabs.indexOf(self.saved), self.tr("Saved calls"))

    def show_tool(self, key: str) -> None:
        """Show the calls of one tool, `server:tool`."""
        self._page.tabs.setCurrentWidget(self.history)
        self.history.list.search.setText(key)

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
