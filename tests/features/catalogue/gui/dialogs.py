"""The dialog of the catalogue with something in it, for the tests that walk every dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.catalogue.catalogue import Catalogue
from desktop.features.catalogue.entry import read_entry
from desktop.features.catalogue.gui.dialog import CatalogueDialog
from desktop.features.catalogue.gui.found_list import FoundRow
from tests.features.catalogue.registry_stub import recorded

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.theme import Theme


def _catalogue_dialog(parent: QWidget, theme: Theme, core: Core) -> CatalogueDialog:
    dialog = CatalogueDialog(parent, theme, Catalogue(core.store))
    entries = [read_entry(item) for item in recorded()]
    rows = [FoundRow(entry) for entry in entries if entry is not None]
    dialog.found.show_rows(rows, has_more=True, select=2)
    return dialog


DIALOGS = {"catalogue": _catalogue_dialog}
