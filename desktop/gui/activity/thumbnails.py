"""Small pictures of past results, read from the history and decoded when their row is first seen.

One at a time and off the loop; the latest rows asked for come first. Must not keep whole pictures.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from desktop.gui import bridge
from desktop.gui.results.image import decode
from desktop.gui.theme import Theme, space
from desktop.history.store import HistoryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.history.records import Summary
    from desktop.history.store import HistoryStore

SIZE: Final = QSize(space(10), space(6))
_MAX_KEPT: Final = 500
_MAX_WAITING: Final = 60
"""Rows that are remembered while others are read: more than a screen has."""


class Thumbnails(QObject):
    """The pictures by call; `ready` says for which one there is something to see now."""

    ready = Signal(int)

    def __init__(self, theme: Theme, store: HistoryStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._store = theme, store
        self._kept: OrderedDict[int, QPixmap | None] = OrderedDict()
        self._waiting: list[int] = []
        self._work: asyncio.Task[None] | None = None

    def of(self, call: Summary) -> QPixmap | None:
        """The picture of a result, if it has one and it is there already; else it is fetched."""
        if not call.has_media:
            return None
        if call.id in self._kept:
            return self._kept[call.id]
        if call.id not in self._waiting:
            self._waiting = [*self._waiting[-_MAX_WAITING + 1 :], call.id]
            if self._work is None:
                self._work = bridge.run(self, self._fetch(), self.tr("Reading the history"))
        return None

    async def _fetch(self) -> None:
        try:
            while self._waiting:
                number = self._waiting[-1]
                await self._fetch_one(number)
                self._waiting.remove(number)
        finally:
            self._work = None

    async def _fetch_one(self, number: int) -> None:
        side = round(max(SIZE.width(), SIZE.height()) * self._theme.pixel_ratio)
        try:
            image = await asyncio.to_thread(_first, await self._store.media(number), side)
        except HistoryError:  # the list says so itself when it reads
            image = None
        self._kept[number] = self._pixmap(image) if image is not None else None
        if len(self._kept) > _MAX_KEPT:
            self._kept.popitem(last=False)
        if image is not None:
            self.ready.emit(number)

    def _pixmap(self, image: QImage) -> QPixmap:
        ratio = self._theme.pixel_ratio
        made = QPixmap.fromImage(image)
        made.setDevicePixelRatio(ratio)
        return made


def _first(media: Sequence[bytes], side: int) -> QImage | None:
    """The first that is a picture, small; touches no widget: it runs on another thread."""
    for data in media:
        image = decode(data, side).image
        if image is not None:
            modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            bounds = QSize(side, side * SIZE.height() // SIZE.width())
            is_large = image.width() > bounds.width() or image.height() > bounds.height()
            return image.scaled(bounds, *modes) if is_large else image
    return None
