"""The pages of the window in their order, each built when it is first shown.

The only place that knows all pages; passes the core's parts on and keeps none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

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

    window.add_page("settings", _title("Settings"), "settings", settings)
    window.open_pages()


def _title(text: str) -> str:
    return QCoreApplication.translate("Pages", text)
