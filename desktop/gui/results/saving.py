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


def save_as(parent: QWidget, name: str, content: Callable[[], bytes]) -> QFileDialog:
    """Ask where to, then write `content()` there; the dialog, open and not waited for."""
    title = QCoreApplication.translate("Saving", "Save")
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)

    def write(path: str) -> None:
        _write(parent, Path(path), content())

    dialog.fileSelected.connect(write)
    dialog.open()
    return dialog


def proposed_name(wanted: str, mime: str, fallback: str) -> str:
    """A harmless file name from what a server called something, with the type's suffix."""
    last = re.split(r"[/\\]", wanted.split("?")[0].rstrip("/\\"))[-1]
    name = _UNWANTED.sub("_", last).strip(". ")[:_LONGEST_NAME] or fallback
    suffix = mimetypes.guess_extension(mime.split(";")[0].strip()) if mime else None
    return name if Path(name).suffix or not suffix else name + suffix


def _write(parent: QWidget, path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        logger.warning("cannot save to %s: %s", path, error)
        _tell(parent, path, error)


def _tell(parent: QWidget, path: Path, error: OSError) -> None:
    text = QCoreApplication.translate("Saving", "{name} was not saved: {reason}").format(
        name=path.name, reason=error.strerror or str(error)
    )
    box = QMessageBox(QMessageBox.Icon.Warning, "", text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
