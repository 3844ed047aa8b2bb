"""Exports our servers in another client's format.

Secrets are left out unless a person asks for them, and the dialog says which.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop.base.atomic_file import write_file
from desktop.base.errors import ConfigError
from desktop.config.document import render
from desktop.config.export import FORMATS, Export, MaskedValue, export_servers
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.config.store import ConfigStore
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
        self.text, self.note = QPlainTextEdit(), plain_label("")
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
