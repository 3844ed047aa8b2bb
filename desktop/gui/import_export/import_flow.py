"""Opens the import preview, and looks for other clients' servers.

Imported with the window: the preview and what reads files come with their first use.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.gui import bridge
from desktop.gui.window_state import remember_size

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.models import ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.import_export.import_dialog import ImportDialog
    from desktop.gui.theme import Theme


class ImportFlow(QObject):
    """Looks around once and has one preview at a time; lives with its page."""

    imported = Signal(object, str)
    """Names of the servers that were added, and where the file as it was is kept, or ''."""
    found = Signal(object)
    """What other clients have here: a list of `DetectedClient`."""

    def __init__(
        self,
        page: QWidget,
        theme: Theme,
        store: ConfigStore,
        settings: QSettings,
        places: ClientLocations | None,
        bundles: Path | None = None,
        secrets: SecretStore | None = None,
    ) -> None:
        """Args: settings: stores the size of the preview.

        places: where other clients' files are looked for; None: where they are.

        bundles: where MCP bundles are unpacked then; None: they are not.
        secrets: keeps what is secret; None: that stays in the config file.
        """
        super().__init__(page)
        self._page, self._theme, self._store = page, theme, store
        self._settings = settings
        self._places, self._bundles, self._secrets = places, bundles, secrets
        self._preview: ImportDialog | None = None
        self._has_looked = False

    def open(self, what: str = "", app: str = "") -> ImportDialog:
        """Show the preview: of the file or link `what`, or of all sources with that of `app`."""
        from desktop.gui.import_export.import_dialog import ImportDialog

        dialog = self._preview
        if dialog is None:
            dialog = ImportDialog(self._page, self._theme, self._store, self.here, self._secrets)
            dialog.imported.connect(self.imported)
            dialog.destroyed.connect(self._forget)
            self._preview = dialog
            remember_size(dialog, self._settings, "import")
            dialog.open()
            dialog.look_around(app)
        if what:
            dialog.open_source(what)
        return dialog

    def look(self) -> None:
        """Look for other clients' servers, the first time only."""
        if not self._has_looked:
            self._has_looked = True
            bridge.run(self, self._look(), self.tr("Looking for other apps' servers"))

    def remove_bundle_of(self, config: ServerConfig) -> None:
        """Remove what was unpacked for a server that was removed."""
        if self.here.bundles is not None:
            bridge.run(self, self._remove_bundle_of(config), self.tr("Removing the bundle"))

    async def _remove_bundle_of(self, config: ServerConfig) -> None:
        from desktop.config.imports.bundles import remove_bundle_of

        if (folder := self.here.bundles) is not None:
            mentions = self._store.mentions
            await asyncio.to_thread(remove_bundle_of, config, folder, mentions)

    async def _look(self) -> None:
        from desktop.config.imports.reader import discover

        self.found.emit(await asyncio.to_thread(discover, self.here, self._store.settings))

    @property
    def here(self) -> ClientLocations:
        """Where other clients' files are, and whose computer this is."""
        from desktop.config.imports.clients import ClientLocations

        return self._places or ClientLocations.here(bundles=self._bundles)

    def _forget(self) -> None:
        self._preview = None
