"""What is handed to the window: at start-up, by drag and drop, or by the system.

Files, install links and texts that describe a server. Only passes them on; reads no file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFileOpenEvent
from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QApplication

_MAX_LENGTH = 64 * 1024


def take_drops(widget: QWidget, opened: Callable[[str], object]) -> None:
    """Call `opened` with the path, the link or the text of what is dropped on `widget`."""
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
    """The one local file, install link or text of a server in it; empty where there is none."""
    from desktop.gui.servers.paste_form import why_no_server

    urls = mime.urls()
    if len(urls) == 1 and urls[0].isLocalFile():
        return urls[0].toLocalFile()
    text = (urls[0].toString() if len(urls) == 1 else mime.text()).strip()
    is_text = bool(text) and len(text) <= _MAX_LENGTH and len(urls) <= 1
    return text if is_text and not why_no_server(text) else ""


class _Drops(QObject):
    """Shows that something can be dropped as long as it is over the widget."""

    def __init__(self, parent: QWidget, opened: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._opened = opened
        self._target: QLabel | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.DragEnter | QEvent.Type.Drop if isinstance(event, QDropEvent):
                what = handed_over(event.mimeData())
                is_drop = event.type() == QEvent.Type.Drop
                self._show(bool(what) and not is_drop)
                if what and is_drop:
                    self._opened(what)
            case QEvent.Type.DragMove if isinstance(event, QDropEvent):
                what = self._target is not None
            case QEvent.Type.DragLeave:
                what = ""
                self._show(False)
            case _:
                return super().eventFilter(watched, event)
        if what and isinstance(event, QDropEvent):
            event.acceptProposedAction()
            return True
        return super().eventFilter(watched, event)

    def _show(self, is_over: bool) -> None:
        if self._target is not None:
            self._target.hide()
            self._target.deleteLater()
            self._target = None
        widget = self.parent()
        if is_over and isinstance(widget, QWidget):
            target = QLabel(self.tr("Drop it here to add the server"), widget)
            target.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            target.setAlignment(Qt.AlignmentFlag.AlignCenter)
            style(target, "banner", "accent", "title")
            margin = space(3)
            target.setGeometry(widget.rect().adjusted(margin, margin, -margin, -margin))
            target.show()
            self._target = target


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
