"""The pages of the window in their order, each built when it is first shown.

The only place that knows all pages; passes the core's parts on and keeps none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSettings

from desktop.gui.status_line import StatusLine

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.config.store import ConfigStore
    from desktop.gui.main_window import MainWindow
    from desktop.paths import Paths
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry


def add_pages(
    window: MainWindow,
    store: ConfigStore,
    service: McpService,
    registry: ToolRegistry,
    executor: ToolExecutor,
    paths: Paths,
) -> None:
    """Give the window its pages and build the one that is shown."""

    def settings() -> QWidget:
        from desktop.gui.settings.settings_page import SettingsPage

        return SettingsPage(store, window.theme, paths)

    def servers() -> QWidget:
        from desktop.gui.servers.servers_page import ServersPage

        return ServersPage(window.theme, store, service, paths.window_state)

    def tools() -> QWidget:
        from desktop.gui.tools.tool_page import ToolsPage

        page = ToolsPage(registry, executor, window.theme, _ini(paths))
        page.servers_wanted.connect(lambda: window.show_page("servers"))
        return page

    window.add_page("servers", _title("Servers"), "servers", servers)
    window.add_page("tools", _title("Tools"), "tools", tools)
    window.add_page("settings", _title("Settings"), "settings", settings)
    window.open_pages()
    StatusLine(window, service)


def _ini(paths: Paths) -> QSettings:
    return QSettings(str(paths.window_state), QSettings.Format.IniFormat)


def _title(text: str) -> str:
    return QCoreApplication.translate("Pages", text)
