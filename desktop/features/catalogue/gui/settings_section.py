"""The section of the settings that says which registry the catalogue asks, and which mirror."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.models import CATALOGUE_URL
from desktop.gui import bridge
from desktop.gui.settings.rows import AddressField, SectionCard, SettingRow

if TYPE_CHECKING:
    from desktop.config.store import ConfigStore


class CatalogueSection(SectionCard):
    """Two addresses; the page saves them, or takes them back."""

    def __init__(self, store: ConfigStore) -> None:
        super().__init__()
        self._store = store
        self.registry = AddressField(CATALOGUE_URL)
        self.set_title(self.tr("Catalogue"))
        row = SettingRow(self.registry)
        row.set_text(
            self.tr("MCP registry"),
            self.tr("Asked when you search the catalogue. https, or http on this computer."),
        )
        self.add(row)
        self.mirror = AddressField("")
        row = SettingRow(self.mirror)
        row.set_text(
            self.tr("Download mirror"),
            self.tr(
                "Stands before the address of a bundle's file when it is downloaded. The hash of "
                "its entry is checked all the same."
            ),
        )
        self.add(row)
        self._show()
        self.registry.changed.connect(self._save)
        self.mirror.changed.connect(self._save_mirror)
        bridge.connect(self, store.changed, self._show)

    def _show(self) -> None:
        self.registry.show_address(self._store.settings.catalogue_url)
        self.mirror.show_address(self._store.settings.download_mirror)

    def _save(self, address: str) -> None:
        if address != self._store.settings.catalogue_url:
            self.save_requested.emit({"catalogue_url": address})
            self._show()

    def _save_mirror(self, address: str) -> None:
        if address != self._store.settings.download_mirror:
            self.save_requested.emit({"download_mirror": address})
            self._show()
