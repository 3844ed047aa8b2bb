"""Files and install links handed to the window: at start-up, by drag and drop, or by the system.

Only passes them on; must not read them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtGui import QDropEvent, QFileOpenEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QApplication, QWidget

_MAX_LENGTH = 64 * 1024


def take_drops(widget: QWidget, opened: Callable[[str], object]) -> None:
    """Call `opened` with the path or the link of what is dropped on `widget`."""
    widget.setAcceptDrops(True)
    widget.installEventFilter(_Drops(widget, opened))


def take_files(app: QApplication, owner: QObject, opened: Callable[[str], object]) -> None:
    """Call `opened` with what the system asks the app to open (macOS), while `owner` lives."""
    app.installEventFilter(_Files(owner, opened))


def started_with(word: str) -> str:
    """The file, wherever the first window was started, or the link; menus give a file as a URL."""
    url = QUrl(word)
    if url.isLocalFile():
        return url.toLocalFile()
    is_link = ":" in word[2:] and not os.path.lexists(word)
    return word if is_link else os.path.abspath(os.path.expanduser(word))


def handed_over(mime: QMimeData) -> str:
    """The one local file or install link in it; empty where there is none."""
    from desktop.config.imports.packages import is_link

    urls = mime.urls()
    if len(urls) == 1 and urls[0].isLocalFile():
        return urls[0].toLocalFile()
    text = (urls[0].toString() if len(urls) == 1 else mime.text())[:_MAX_LENGTH].strip()
    return text if is_link(text) else ""


class _Drops(QObject):
    def __init__(self, parent: QWidget, opened: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._opened = opened

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
            assert isinstance(event, QDropEvent)  # noqa: S101 - the base of all three
            if what := handed_over(event.mimeData()):
                event.acceptProposedAction()
                if kind == QEvent.Type.Drop:
                    self._opened(what)
                return True
        return super().eventFilter(watched, event)


class _Files(QObject):
    def __init__(self, parent: QObject, opened: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._opened = opened

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            if what := event.file() or event.url().toString():
                self._opened(what)
            return True
        return super().eventFilter(watched, event)
