"""A file that an MCP App requests to save: its name and size, *Save…* and *Deny*.

Nothing is written before a person has picked a place; the name that is proposed is a harmless one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import in_row
from desktop.gui.results.saving import SaveDialog, proposed_name, save_as
from desktop.gui.theme import style
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.features.mcp_apps.download import Download


class OfferedFile(QFrame):
    """`answered` says whether the file is written."""

    answered = Signal(bool)

    def __init__(self, download: Download, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.download = download
        self.name = proposed_name(download.wanted, download.mime, "download")
        self.dialog: SaveDialog | None = None
        style(self, "well")
        self.words = plain_label("", "warning")
        self.deny = QPushButton(self.tr("Deny"), self)
        self.save = QPushButton(self.tr("Save…"), self)
        row = in_row(self, (self.words, 1), margins=(2, 1, 2, 1))
        for button in (self.deny, self.save):
            button.setAutoDefault(False)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.save.clicked.connect(self._save)
        self.deny.clicked.connect(lambda: self.answered.emit(False))
        self._set_texts()

    def _set_texts(self) -> None:
        words = self.tr("The MCP App requests to save a file: {name}, {size}")
        size = format_size(len(self.download.content))
        self.words.setText(words.format(name=mark_hidden(self.name), size=size))
        for button in (self.save, self.deny):
            button.setAccessibleName(f"{button.text()}: {self.name}")

    def _save(self) -> None:
        if self.dialog is None:
            content = self.download.content
            self.dialog = save_as(self, self.name, lambda: content)
            self.dialog.fileSelected.connect(self._finish)
            self.dialog.rejected.connect(self._leave)

    def _leave(self) -> None:
        """The dialog was closed: a person may still say yes or no."""
        self.dialog = None

    def _finish(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None and dialog.writing is not None:
            self.save.setEnabled(False)
            self.deny.setEnabled(False)
            bridge.run(self, self._wait(dialog), self.tr("Save…"))

    async def _wait(self, dialog: SaveDialog) -> None:
        writing = dialog.writing
        self.answered.emit(writing is not None and await writing)
