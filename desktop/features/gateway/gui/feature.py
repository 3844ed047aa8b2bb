"""Joins the window: the settings show the other apps, and lead to them from anywhere.

Imports the rest of the feature when the settings are built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt

from desktop.gui.navigation import Action

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.gateway.gui.clients_section import ClientsSection
    from desktop.gui.page_factory import Pages
    from desktop.gui.settings.page import SettingsPage


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    feature = GatewayFeature(pages, core)
    pages.add_settings_section(feature.section)
    words = QCoreApplication.translate("GatewayFeature", "Use your servers in other apps…")
    pages.navigation.actions.append(Action("apps", words, feature.open))


class GatewayFeature:
    """Which other apps use the servers, in the settings."""

    def __init__(self, pages: Pages, core: Core) -> None:
        self._window, self._core = pages.window, core

    def section(self) -> ClientsSection:
        """The section of the settings, new."""
        from desktop.config.imports.clients import ClientLocations
        from desktop.features.gateway.entries.client_files import ClientFiles
        from desktop.features.gateway.entries.forms import GatewayCommand
        from desktop.features.gateway.gui.clients_section import ClientsSection
        from desktop.features.gateway.token import read_token

        core = self._core
        files = ClientFiles(ClientLocations.here(), GatewayCommand.own(core.paths))
        return ClientsSection(
            self._window.theme, core.store, files, lambda: read_token(core.paths.data)
        )

    def open(self) -> None:
        """Show the other apps, to be connected."""
        from desktop.gui.settings.page import SettingsPage

        if (page := self._window.open_page("settings", SettingsPage)) is not None:
            show_clients(page)


def show_clients(page: SettingsPage) -> None:
    """Scroll to the other apps, which are looked for now; they get the focus."""
    from desktop.features.gateway.gui.clients_section import ClientsSection

    if (clients := page.section(ClientsSection)) is not None:
        once = Qt.ConnectionType.SingleShotConnection
        clients.shown.connect(lambda: _scroll_to(page, clients), once)
        clients.look()


def _scroll_to(page: SettingsPage, clients: ClientsSection) -> None:
    page.verticalScrollBar().setValue(clients.y())
    first = next(iter(clients.rows.values()), None)
    if first is not None:
        first.join.setFocus(Qt.FocusReason.OtherFocusReason)
