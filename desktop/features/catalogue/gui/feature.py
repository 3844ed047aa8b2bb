"""Joins the window: the page of the servers offers the catalogue, and the settings its address.

Imports the rest of the feature when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge, shortcuts
from desktop.gui.navigation import Action
from desktop.gui.servers.finder import Finder

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.catalogue.gui.dialog import CatalogueDialog
    from desktop.features.catalogue.gui.settings_section import CatalogueSection
    from desktop.gui.page_factory import Pages
    from desktop.gui.servers.page import ServersPage

translate = QCoreApplication.translate
CATALOGUE = shortcuts.Shortcut(
    shortcuts.SERVERS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Find a server in the catalogue")),
    ("Ctrl+Shift+N",),
)


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    shortcuts.declare(CATALOGUE, before=shortcuts.RESTART_SERVER)
    feature = CatalogueFeature(pages, core)
    pages.add_finder(_finder(feature))
    words = translate("CatalogueFeature", "Find a server in the catalogue…")
    pages.navigation.actions.append(Action("catalogue", words, feature.open_on_page))
    pages.add_settings_section(feature.section, place="first")


class CatalogueFeature:
    """Opens the catalogue over the page of the servers."""

    def __init__(self, pages: Pages, core: Core) -> None:
        self._pages, self._core = pages, core

    def open(self, page: ServersPage) -> CatalogueDialog:
        """Open it, and look for updates of what came from it."""
        from desktop.features.catalogue.catalogue import Catalogue
        from desktop.features.catalogue.gui.dialog import CatalogueDialog
        from desktop.gui.window_state import remember_size

        core, window = self._core, self._pages.window
        secrets = core.launcher.kept
        catalogue = Catalogue(core.store, secrets, bundles=core.paths.bundles)
        dialog = CatalogueDialog(page, window.theme, catalogue, secrets)
        remember_size(dialog, window.state.settings, "catalogue")
        dialog.added.connect(bridge.if_alive(page, _note_added))
        dialog.open()
        dialog.look_for_updates()
        return dialog

    def open_on_page(self) -> None:
        """Show the servers first."""
        if (page := self._pages.navigation.show_servers()) is not None:
            self.open(page)

    def section(self) -> CatalogueSection:
        """The section of the settings, new."""
        from desktop.features.catalogue.gui.settings_section import CatalogueSection

        return CatalogueSection(self._core.store)


def _note_added(page: ServersPage, name: str, version: str) -> None:
    words = translate(
        "CatalogueFeature", "“{name}” was added, switched off. Switch it on to start it."
    )
    if version:
        words = translate("CatalogueFeature", "“{name}” is at version {version} now.")
    page.note_added(name, words.format(name=mark_hidden(name), version=mark_hidden(version)))


def _finder(feature: CatalogueFeature) -> Finder:
    return Finder(
        CATALOGUE,
        translate("CatalogueFeature", "Catalogue…"),
        translate(
            "CatalogueFeature", "Find a server in the MCP registry, or updates (Ctrl+Shift+N)"
        ),
        translate("CatalogueFeature", "Find in the catalogue…"),
        translate(
            "CatalogueFeature",
            "Copy its command, its address or the JSON from its README, and press Ctrl+V here. Or "
            "find it in the registry of MCP servers.",
        ),
        feature.open_on_page,
    )
