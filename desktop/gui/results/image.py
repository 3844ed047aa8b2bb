"""An image of a result: decoded within limits, fitted or zoomed, with its facts, Copy and Save.

Only raster formats, which cannot refer to other files; SVG is not drawn. Decoding runs on another
thread and must not touch a widget.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import Struct, field
from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QImageReader,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.theme import space, style
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.values.tool_types import Content

translate = QCoreApplication.translate

FORMATS = frozenset({"png", "jpeg", "gif", "webp", "bmp"})
MAX_PIXELS = 64_000_000
"""A larger image is refused: this one takes 256 MB once decoded."""
MAX_SHOWN_SIDE = 4096
"""The longest side that is kept: what a screen can show, 64 MB."""


class Decoded(Struct, frozen=True):
    """The image, or in `reason` why it is not shown or not whole; `size` is the original one."""

    image: QImage | None = None
    size: QSize = field(default_factory=QSize)
    reason: str = ""


def decode(content: bytes, longest: int = MAX_SHOWN_SIDE) -> Decoded:
    """Decode an image of a known format and bounded size; never raises for its content.

    Args:
        content: the file.
        longest: pixels the longer side is scaled down to.
    """
    if not content:
        return Decoded(reason=translate("ImageDecoding", "The image data is missing"))
    device = QBuffer()
    device.setData(QByteArray(content))
    device.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(device)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    name = bytes(reader.format().data()).decode("ascii", "replace")
    if name not in FORMATS:
        return Decoded(
            reason=translate(
                "ImageDecoding", "This format cannot be shown: save it to open it in another app"
            )
        )
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MAX_PIXELS:
        shown = f"{size.width()} × {size.height()}"
        return Decoded(
            reason=translate("ImageDecoding", "Too large to show") + f": {shown}", size=size
        )
    if max(size.width(), size.height()) > longest:
        bounds = QSize(longest, longest)
        reader.setScaledSize(size.scaled(bounds, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return Decoded(
            reason=translate("ImageDecoding", "The image is damaged") + f": {reader.errorString()}"
        )
    if (image.width() > image.height()) != (size.width() > size.height()):
        size = size.transposed()  # the camera was turned: Qt turned the picture while reading
    if reader.supportsAnimation() and reader.imageCount() > 1:
        return Decoded(image, size, translate("ImageDecoding", "the first of several images"))
    return Decoded(image, size)


SMALLEST, LARGEST = 0.05, 16.0
_STEP = 1.25
_MOST_STEPS = 8
_TINY = space(40)  # pixels that an icon of a few pixels is enlarged to
_TALLEST = 110  # grid steps an image takes at most before it is zoomed
_MAX_SIDE = 16_000  # pixels of the canvas
_PLUS = {Qt.Key.Key_Plus, Qt.Key.Key_Equal}


class ImageCanvas(QWidget):
    """Paints an image over all of itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(
            QPainter.RenderHint.SmoothPixmapTransform, self.width() < 2 * self.image.width()
        )
        if not self.image.isNull():
            painter.drawImage(self.rect(), self.image)


class ImageArea(QScrollArea):
    """Ctrl and the wheel, + and - zoom; 0 fits it again, 1 shows it pixel by pixel."""

    zoomed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = ImageCanvas(self)
        self.natural = QSize()
        self._zoom: float | None = None
        self.setWidget(self.canvas)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def fits(self) -> bool:
        return self._zoom is None

    @property
    def zoom(self) -> float:
        """Shown pixels for one of the image."""
        return self._fitting() if self._zoom is None else self._zoom

    def show_image(self, image: QImage, natural: QSize, description: str) -> None:
        """`natural` is the size the image came with, where `image` is a smaller copy."""
        self.canvas.image = image
        self.natural = natural
        self.setAccessibleName(description)
        self.fit()

    def fit(self) -> None:
        self._zoom = None
        self._resize()

    def zoom_to(self, zoom: float) -> None:
        side = max(self.natural.width(), self.natural.height(), 1)
        most = min(LARGEST, _MAX_SIDE / side)
        self._zoom = max(min(SMALLEST, most), min(most, zoom))
        self._resize()

    def zoom_in(self) -> None:
        self.zoom_to(self.zoom * _STEP)

    def zoom_out(self) -> None:
        self.zoom_to(self.zoom / _STEP)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            (self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out)()
            event.accept()
        elif self.fits:
            event.ignore()  # what is around it scrolls
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PLUS:
            self.zoom_in()
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_out()
        elif event.key() == Qt.Key.Key_0:
            self.fit()
        elif event.key() == Qt.Key.Key_1:
            self.zoom_to(1.0)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.fits:
            self._resize()

    def _fitting(self) -> float:
        """As large as the area allows; a tiny one enlarged in whole steps, its pixels sharp."""
        if self.natural.isEmpty():
            return 1.0
        wide, high = self.natural.width(), self.natural.height()
        most = min(self.width() / wide, space(_TALLEST) / high)
        if most < 1:
            return most
        return float(max(1, min(_MOST_STEPS, _TINY // max(wide, high), int(most))))

    def _resize(self) -> None:
        size = self.natural * self.zoom
        self.canvas.resize(size.expandedTo(QSize(1, 1)) if not self.natural.isEmpty() else QSize())
        if self.fits:
            self.setFixedHeight(max(1, self.canvas.height()))
        else:
            self.setFixedHeight(max(self.height(), min(self.canvas.height(), space(_TALLEST))))
        self.zoomed.emit()


class ImageCard(QFrame):
    """The image, decoded on another thread when first seen, and what is known of it."""

    def __init__(self, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._asked = False
        self.settled = asyncio.Event()
        self.area = ImageArea(self)
        self.caption = plain_label(self._facts(), "muted", "small")
        style(self, "card")
        in_column(self, self._make_tools().bar, self.area, self.caption, margins=(3, 2, 2, 3))
        self.area.hide()
        self.area.zoomed.connect(self._tell_zoom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            bridge.run(self, self._decode(), self.tr("Show an image"))

    def _make_tools(self) -> ActionRow:
        tools = ActionRow(self)
        self.fit = tools.chip(self.tr("Fit"))
        self.actual = tools.chip("100 %")
        self.smaller = tools.link("−", self.area.zoom_out)
        self.smaller.setAccessibleName(self.tr("Zoom out (-)"))
        self.larger = tools.link("+", self.area.zoom_in)
        self.larger.setAccessibleName(self.tr("Zoom in (+)"))
        self.zoom = QLabel(self)
        style(self.zoom, "muted", "small")
        tools.addWidget(self.zoom)
        tools.addStretch(1)
        self.copy = tools.link(self.tr("Copy image"), self._copy)
        self.save = tools.link(self.tr("Save…"), self._save)
        self.save.setVisible(bool(self._content.readable_data))
        self.fit.clicked.connect(self.area.fit)
        self.actual.clicked.connect(lambda: self.area.zoom_to(1.0))
        self._zooming = (self.fit, self.actual, self.smaller, self.larger, self.zoom, self.copy)
        for widget in self._zooming:
            widget.hide()
        return tools

    async def _decode(self) -> None:
        self._show(await asyncio.to_thread(lambda: decode(self._content.data)))
        self.settled.set()

    def _show(self, decoded: Decoded) -> None:
        if decoded.image is None:
            self.caption.setText(f"{self._facts()} · {decoded.reason}")
            style(self.caption, "warning", "small")
            return
        pixels = f"{decoded.size.width()} × {decoded.size.height()}"
        self.caption.setText(" · ".join(filter(None, (self._facts(), pixels, decoded.reason))))
        self.area.show_image(decoded.image, decoded.size, self.caption.text())
        for widget in (self.area, *self._zooming):
            widget.show()

    def _tell_zoom(self) -> None:
        self.zoom.setText(f"{self.area.zoom * 100:.0f} %")
        self.fit.setChecked(self.area.fits)
        self.actual.setChecked(not self.area.fits and self.area.zoom == 1.0)

    def _facts(self) -> str:
        content = self._content
        name, mime = (content.name or content.uri)[:120], content.mime[:80]
        size = format_size(len(content.readable_data))
        return " · ".join(part for part in (name, mime, size) if part)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setImage(self.area.canvas.image)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, "image")
        save_as(self, name, lambda: content.data)
