"""The History page: the calls that were made, and those saved by name, a tab each.

Puts the two views together and connects them; decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QLabel, QTabWidget, QVBoxLayout

from desktop.gui import bridge
from desktop.gui.history.history_view import HistoryView
from desktop.gui.history.saved_view import SavedCallsView
from desktop.gui.theme import space, style
from desktop.tools.call import ToolCall

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QFocusEvent

    from desktop.gui.theme import Theme
    from desktop.history.saved_calls import SavedCalls
    from desktop.history.saved_run import SavedCallRunner
    from desktop.history.store import HistoryStore
    from desktop.tools.definition import JsonObject
    from desktop.tools.executor import ToolExecutor


class HistoryPage(QFrame):
    """Two tabs; a call that is run again appears on top of the first one."""

    open_call = Signal(str, object)
    """Show this tool's form with these arguments."""
    tools_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        store: HistoryStore,
        calls: SavedCalls,
        runner: SavedCallRunner,
        executor: ToolExecutor,
        settings: QSettings,
    ) -> None:
        super().__init__()
        self._executor = executor
        self._title = QLabel()
        self.history = HistoryView(theme, store, settings)
        self.saved = SavedCallsView(theme, calls, runner, settings)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for view in (self.history, self.saved):
            self.tabs.addTab(view, "")
            view.open_call.connect(self.open_call)
            view.tools_wanted.connect(self.tools_wanted)
            view.setContentsMargins(0, space(3), 0, 0)
        self.history.run_again.connect(self._run_again)
        self.history.save_wanted.connect(self.saved.save_record)
        self._lay_out()
        self._translate()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.tabs.currentWidget().setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _run_again(self, key: str, arguments: JsonObject) -> None:
        bridge.run(self.history, self._run(ToolCall(key, arguments)), self.tr("Running the call"))

    async def _run(self, call: ToolCall) -> None:
        """Its result is in the history, whatever came of it; there it is chosen."""
        self.history.note_running(True)
        await self._executor.run(call)
        self.history.note_running(False)

    def _lay_out(self) -> None:
        style(self, "page")
        style(self._title, "title")
        column = QVBoxLayout(self)
        column.setContentsMargins(space(4), space(4), space(4), space(4))
        column.setSpacing(space(2))
        column.addWidget(self._title)
        column.addWidget(self.tabs, 1)

    def _translate(self) -> None:
        self._title.setText(self.tr("History"))
        self.tabs.setTabText(0, self.tr("Calls"))
        self.tabs.setTabText(1, self.tr("Saved calls"))
