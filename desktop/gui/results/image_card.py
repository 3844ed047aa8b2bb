"""One image of a result: fitted to the width, never enlarged, with its facts and Save."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui import bridge
from desktop.gui.results.image_decoding import Decoded, decode
from desktop.gui.results.measures import size_words
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.tools.result import Content


class ImageCanvas(QWidget):
    """Paints an image as wide as there is room, in its own proportions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_image(self, image: QImage, description: str) -> None:
        self.image = image
        self.setAccessibleName(description)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self.image.size()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._fitted(width).height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if not self.image.isNull():
            painter.drawImage(QRect(self.rect().topLeft(), self._fitted(self.width())), self.image)

    def _fitted(self, width: int) -> QSize:
        size = self.image.size()
        if size.width() <= width or size.isEmpty():
            return size
        return QSize(width, max(1, size.height() * width // size.width()))


class ImageCard(QFrame):
    """The image, decoded on another thread when first seen, and what is known of it."""

    def __init__(self, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._asked = False
        self.settled = asyncio.Event()
        self.canvas = ImageCanvas(self)
        self.caption = QLabel(self._facts(), self)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setWordWrap(True)
        self.save = QPushButton(self.tr("Save…"), self)
        self.save.clicked.connect(self._save)
        style(self, "card")
        style(self.caption, "muted", "small")
        style(self.save, "link")
        top = QHBoxLayout()
        top.addWidget(self.caption, 1)
        top.addWidget(self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(2), space(2), space(3))
        layout.addLayout(top)
        layout.addWidget(self.canvas)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            bridge.run(self, self._decode(), self.tr("Show an image"))

    async def _decode(self) -> None:
        self._show(await asyncio.to_thread(decode, self._content.data))
        self.settled.set()

    def _show(self, decoded: Decoded) -> None:
        if decoded.image is None:
            self.caption.setText(f"{self._facts()} · {decoded.reason}")
            style(self.caption, "warning", "small")
            return
        pixels = f"{decoded.size.width()} × {decoded.size.height()}"
        self.caption.setText(f"{self._facts()} · {pixels}")
        self.canvas.show_image(decoded.image, self.caption.text())

    def _facts(self) -> str:
        content = self._content
        name, mime, size = content.name[:80], content.mime[:80], size_words(len(content.data))
        return " · ".join(part for part in (name, mime, size) if part)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, "image")
        save_as(self, name, lambda: content.data)
