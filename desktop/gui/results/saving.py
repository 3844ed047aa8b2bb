"""Saves what a server sent to a file the person picks: no modal wait, no path of the server.

The name a server proposes is only a proposal: cut to its last part and to harmless characters.
"""

from __future__ import annotations

import logging
import mimetypes
import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

logger = logging.getLogger(__name__)
_UNWANTED = re.compile(r"[^\w.\- ]+")
_LONGEST_NAME = 80


class SaveDialog(QFileDialog):
    """Asks where to, writes there, and goes; nobody waits for it."""

    def __init__(self, parent: QWidget, name: str, content: Callable[[], bytes]) -> None:
        super().__init__(parent, QCoreApplication.translate("Saving", "Save"))
        self._content = content
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.selectFile(name)
        self.fileSelected.connect(self._write)
        self.finished.connect(self.deleteLater)

    def _write(self, file: str) -> None:
        path = Path(file)
        try:
            path.write_bytes(self._content())
        except OSError as error:
            logger.warning("cannot save to %s: %s", path, error)
            _tell(self.parentWidget(), path, error)


def save_as(parent: QWidget, name: str, content: Callable[[], bytes]) -> SaveDialog:
    """Open the dialog over `parent`; `content` is asked for only when a file was picked."""
    dialog = SaveDialog(parent, name, content)
    dialog.open()
    return dialog


def proposed_name(wanted: str, mime: str, fallback: str) -> str:
    """A harmless file name from what a server called something, with the type's suffix."""
    last = re.split(r"[/\\]", wanted.split("?")[0].rstrip("/\\"))[-1]
    name = _UNWANTED.sub("_", last).strip(". ")[:_LONGEST_NAME] or fallback
    suffix = mimetypes.guess_extension(mime.split(";")[0].strip()) if mime else None
    return name if Path(name).suffix or not suffix else name + suffix


def _tell(parent: QWidget | None, path: Path, error: OSError) -> None:
    text = QCoreApplication.translate("Saving", "{name} was not saved: {reason}").format(
        name=path.name, reason=error.strerror or str(error)
    )
    box = QMessageBox(QMessageBox.Icon.Warning, "", text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.finished.connect(box.deleteLater)
    box.open()
