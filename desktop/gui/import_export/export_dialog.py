"""Exports our servers in another client's format, and opens the dialogs of import and export.

Secrets are left out unless a person asks for them, and the dialog says which. `ImportFlow` looks
for other clients' servers once, and shows one import preview at a time.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop.base.atomic_file import write_file
from desktop.base.errors import ConfigError
from desktop.config.document import render
from desktop.config.export import FORMATS, Export, MaskedValue, export_servers
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import listed, spoken
from desktop.gui.window_state import remember_size

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.models import ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.import_export.import_dialog import ImportDialog
    from desktop.gui.theme import Theme

_SIZE = space(150), space(140)
_NAMES = {
    "mcpServers": "Claude, Cursor, Cline, LM Studio … (mcpServers)",
    "vscode": "VS Code (mcp.json)",
    "windsurf": "Windsurf",
    "gemini": "Gemini CLI",
}
_MAX_SHOWN = 6


class ConfigExportDialog(QDialog):
    """Format, the text, what was left out; Copy and Save."""

    def __init__(self, parent: QWidget, theme: Theme, store: ConfigStore) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._configs = [server for server in store.servers.values() if server.source != "builtin"]
        self._export = Export()
        self.format = QComboBox()
        self.secrets = QCheckBox(self.tr("With secrets"))
        self.text, self.note = QPlainTextEdit(), QLabel()
        self.cancel = QPushButton(self.tr("Cancel"))
        self.save = QPushButton(self.tr("Save as…"))
        self.copy = QPushButton(self.tr("Copy"))
        for format_ in FORMATS:
            self.format.addItem(_NAMES[format_], format_)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(theme.mono_font())
        self._lay_out()
        self.setWindowTitle(self.tr("Export servers"))
        self.format.setAccessibleName(self.tr("Format"))
        self.text.setAccessibleName(self.tr("The servers as JSON"))
        self._show()
        self.format.currentIndexChanged.connect(lambda: self._show())
        self.secrets.toggled.connect(lambda: self._show())
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._choose_file)
        self.cancel.clicked.connect(self.reject)

    def save_as(self, file: str) -> None:
        """Write the file and close; where it cannot be written, stay and say why."""
        try:
            write_file(Path(file), (self.text.toPlainText() + "\n").encode())
        except ConfigError as error:
            self._say(spoken(str(error)), is_error=True)
        else:
            self.accept()

    def _show(self) -> None:
        form = FORMATS[self.format.currentIndex()]
        with_secrets = self.secrets.isChecked()
        self._export = export_servers(self._configs, form, with_secrets=with_secrets)
        self.text.setPlainText(render(self._export.data))
        for button in (self.copy, self.save):
            button.setEnabled(bool(self._configs))
        self._say(self._note_text(), is_error=with_secrets)

    def _note_text(self) -> str:
        if not self._configs:
            return self.tr("You have no servers to export.")
        if self.secrets.isChecked():
            return self.tr("This text contains secrets. Do not share it.")
        replaced = self._export.replaced
        if not replaced:
            return self.tr("No secrets were found in these servers.")
        names = listed(map(_place, replaced[:_MAX_SHOWN]))
        if len(replaced) > _MAX_SHOWN:
            names += self.tr(" and {count} more").format(count=len(replaced) - _MAX_SHOWN)
        return self.tr("Replaced by variables: {names}").format(names=names)

    def _say(self, text: str, *, is_error: bool) -> None:
        self.note.setText(text)
        style(self.note, "danger" if is_error else "muted", "small")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self._say(self.tr("Copied."), is_error=False)

    def _choose_file(self) -> None:
        name = os.path.join(str(Path.home()), "mcp.json")
        picker = QFileDialog(self, self.tr("Save servers as"), name)
        picker.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)  # asks before it overwrites
        picker.fileSelected.connect(self.save_as)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _lay_out(self) -> None:
        style(self.text, "well", "mono")
        style(self.save, "primary")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        for button in (self.copy, self.cancel):
            button.setAutoDefault(False)
        upper = InnerRow(self.format, self.secrets, STRETCH, spacing=3)
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        box.addButton(self.copy, roles.ActionRole)
        box.addButton(self.cancel, roles.RejectRole)
        box.addButton(self.save, roles.AcceptRole)
        in_column(self, upper, (self.text, 1), self.note, box, margins=(5, 4, 5, 4), spacing=3)
        self.resize(*_SIZE)


def _place(one: MaskedValue) -> str:
    return f"{one.server} {one.place}"


class ImportFlow(QObject):
    """Lives with its page."""

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

    def export(self) -> ConfigExportDialog:

        dialog = ConfigExportDialog(self._page, self._theme, self._store)
        dialog.open()
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
