"""The pages of the window in their order, each built when it is first shown.

The only place that knows all pages. Runs before the first paint: the pages and the core's parts are
imported when they are built, and the factories are called only after `Parts` are there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.gui import rail

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.processes.ends import RecentEnds


class Pages:
    """Adds the pages to a window at once, and gives them the core once it is there."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._core: Core | None = None
        self._ends: RecentEnds | None = None
        window.add_page("servers", rail.SERVERS, "servers", self._servers)
        window.add_page("tools", rail.TOOLS, "tools", self._tools)
        window.add_page("history", rail.HISTORY, "clock", self._history)
        window.add_page("processes", rail.PROCESSES, "processes", self._processes)
        window.add_page("settings", rail.SETTINGS, "settings", self._settings)

    def open(self, core: Core) -> None:
        """Build the page that is shown, and the others when they are."""
        from desktop.gui.server_counts import ServerCounts
        from desktop.processes.ends import RecentEnds

        self._core = core
        self._window.refresh_requested.connect(self._refresh)
        self._ends = RecentEnds(core.tracker)  # from the first end on, not from the first look
        self._window.open_pages()
        ServerCounts(self._window, core.service)

    def _refresh(self, page: str) -> None:
        if page == "servers":
            self._parts().store.reload()

    def _servers(self) -> QWidget:
        from desktop.gui.servers.servers_page import ServersPage

        core = self._parts()
        return ServersPage(self._window.theme, core.store, core.service, core.paths.window_state)

    def _tools(self) -> QWidget:
        from PySide6.QtCore import QSettings

        from desktop.gui.tools.tool_page import ToolsPage

        core, window = self._parts(), self._window
        sizes = QSettings(str(core.paths.window_state), QSettings.Format.IniFormat)
        page = ToolsPage(core.registry, core.executor, window.theme, sizes)
        page.servers_wanted.connect(lambda: window.show_page("servers"))
        return page

    def _history(self) -> QWidget:
        from PySide6.QtCore import QSettings

        from desktop.gui.history.history_page import HistoryPage
        from desktop.history.saved_run import SavedCallRunner

        core, window = self._parts(), self._window
        sizes = QSettings(str(core.paths.window_state), QSettings.Format.IniFormat)
        runner = SavedCallRunner(core.service, core.executor)
        page = HistoryPage(
            window.theme, core.history, core.saved_calls, runner, core.executor, sizes
        )
        page.open_call.connect(self._open_call)
        page.tools_wanted.connect(lambda: window.show_page("tools"))
        return page

    def _open_call(self, key: str, arguments: dict[str, Any]) -> None:
        """Show the form of a tool with these arguments in it."""
        from PySide6.QtCore import QCoreApplication

        from desktop.gui.tools.tool_page import ToolsPage

        self._window.show_page("tools")
        page = self._window.page("tools")
        if not isinstance(page, ToolsPage):
            return
        page.show_tool(key)
        if page.view is not None and page.view.tool.key == key:
            page.view.form.set_value(arguments)
        else:
            text = QCoreApplication.translate(
                "Pages", "{key} is not there now. Switch its server on."
            )
            self._window.show_error(text.format(key=key))

    def _processes(self) -> QWidget:
        from desktop.gui.processes.processes_page import ProcessesPage
        from desktop.processes.ends import RecentEnds

        core, window = self._parts(), self._window
        ends = self._ends or RecentEnds(core.tracker)
        page = ProcessesPage(window.theme, core.service, core.tracker, ends, core.ledger.problem)
        page.servers_wanted.connect(lambda: window.show_page("servers"))
        window.refresh_requested.connect(page.look_if_seen)
        return page

    def _settings(self) -> QWidget:
        from desktop.gui.settings.settings_page import SettingsPage

        core = self._parts()
        return SettingsPage(core.store, self._window.theme, core.paths)

    def _parts(self) -> Core:
        if self._core is None:
            raise RuntimeError("a page was built before the core was there")
        return self._core
