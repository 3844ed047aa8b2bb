"""The calls that were made and those saved by name: two tabs for the Activity page, connected.

Puts the two views together; decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.gui import bridge
from desktop.gui.history.history_view import HistoryView
from desktop.gui.history.saved_view import SavedCallsView
from desktop.gui.theme import space
from desktop.tools.call import ToolCall

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.gui.activity.activity_page import ActivityPage
    from desktop.gui.theme import Theme
    from desktop.history.saved_calls import SavedCalls
    from desktop.history.saved_run import SavedCallRunner
    from desktop.history.store import HistoryStore
    from desktop.tools.definition import JsonObject
    from desktop.tools.executor import ToolExecutor


class HistoryTabs(QObject):
    """A call that is run again appears on top of the history, one that is saved in the other."""

    def __init__(
        self,
        page: ActivityPage,
        theme: Theme,
        store: HistoryStore,
        calls: SavedCalls,
        runner: SavedCallRunner,
        executor: ToolExecutor,
        settings: QSettings,
    ) -> None:
        """Args: page: gets the two tabs, and passes on what they ask for."""
        super().__init__(page)
        self._page = page
        self._executor = executor
        self.history = HistoryView(theme, store, settings)
        self.saved = SavedCallsView(theme, calls, runner, settings)
        for view in (self.history, self.saved):
            view.setContentsMargins(0, space(3), 0, 0)
            view.open_call.connect(page.open_call)
            view.tools_wanted.connect(page.tools_wanted)
            page.add_tab(view, view.tab_title)
        self.history.run_again.connect(self._run_again)
        self.history.save_wanted.connect(self.saved.save_record)

    def show_calls_of(self, key: str) -> None:
        """Show what the history has of one tool, `server:tool`."""
        self._page.tabs.setCurrentWidget(self.history)
        self.history.list.search.setText(key)

    def save_call(self, key: str, arguments: JsonObject) -> None:
        """Ask for the name of a call that stands in a form, over whichever page is shown."""
        self.saved.save_call(key, arguments)

    def _run_again(self, key: str, arguments: JsonObject) -> None:
        bridge.run(self.history, self._run(ToolCall(key, arguments)), self.tr("Running the call"))

    async def _run(self, call: ToolCall) -> None:
        """Its result is in the history, whatever came of it; there it is chosen."""
        self.history.note_running(True)
        await self._executor.run(call)
        self.history.note_running(False)
