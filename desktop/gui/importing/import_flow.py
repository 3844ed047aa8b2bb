"""Opens the dialogs of import and export over a page, and looks once for other clients' servers.

One preview at a time: what is handed over while it is open goes to it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.gui import bridge

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.store import ConfigStore
    from desktop.gui.importing.export_dialog import ConfigExportDialog
    from desktop.gui.importing.import_dialog import ImportDialog
    from desktop.gui.theme import Theme


class ImportFlow(QObject):
    """Lives with its page."""

    imported = Signal(object, str)
    """Names of the servers that were added, and where the file as it was is kept, or ''."""
    found = Signal(object)
    """What other clients have here: a list of `Found`."""

    def __init__(
        self, page: QWidget, theme: Theme, store: ConfigStore, places: ClientLocations | None
    ) -> None:
        """Args: places: where other clients' files are looked for; None: where they are."""
        super().__init__(page)
        self._page, self._theme, self._store = page, theme, store
        self._places = places
        self._preview: ImportDialog | None = None
        self._has_looked = False

    def open(self, what: str = "", app: str = "") -> ImportDialog:
        """Show the preview: of the file or link `what`, or of all sources with that of `app`."""
        from desktop.gui.importing.import_dialog import ImportDialog

        dialog = self._preview
        if dialog is None:
            dialog = ImportDialog(self._page, self._theme, self._store, self._here)
            dialog.imported.connect(self.imported)
            dialog.destroyed.connect(self._forget)
            self._preview = dialog
            dialog.open()
            dialog.look_around(app)
        if what:
            dialog.open_source(what)
        return dialog

    def export(self) -> ConfigExportDialog:
        from desktop.gui.importing.export_dialog import ConfigExportDialog

        dialog = ConfigExportDialog(self._page, self._theme, self._store)
        dialog.open()
        return dialog

    def look(self) -> None:
        """Look for other clients' servers, the first time only."""
        if not self._has_looked:
            self._has_looked = True
            bridge.run(self, self._look(), self.tr("Looking for other apps' servers"))

    async def _look(self) -> None:
        from desktop.config.imports.reader import discover

        self.found.emit(await asyncio.to_thread(discover, self._here, self._store.settings))

    @property
    def _here(self) -> ClientLocations:
        from desktop.config.imports.clients import ClientLocations

        return self._places or ClientLocations.here()

    def _forget(self) -> None:
        self._preview = None
