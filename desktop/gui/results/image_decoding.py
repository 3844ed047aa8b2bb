"""Turns the bytes of an image from a server into pixels, within limits.

Only raster formats that cannot refer to other files; SVG is not drawn. Must not touch a widget:
large images are decoded on another thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

translate = QCoreApplication.translate

FORMATS = frozenset({"png", "jpeg", "gif", "webp", "bmp"})
MOST_PIXELS = 64_000_000
"""Refused above: 256 MB once decoded."""
SHOWN_SIDE = 4096
"""Kept at most on each side: what a screen can show, 64 MB."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The image, or in `reason` why it is not shown or not whole; `size` is the original one."""

    image: QImage | None = None
    size: QSize = field(default_factory=QSize)
    reason: str = ""


def decode(content: bytes) -> Decoded:
    """Decode an image of a known format and bounded size; never raises for its content."""
    if not content:
        return Decoded(reason=translate("ImageDecoding", "The image itself is not here"))
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
                "ImageDecoding", "This format is not drawn here: save it to open it elsewhere"
            )
        )
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        shown = f"{size.width()} × {size.height()}"
        return Decoded(
            reason=translate("ImageDecoding", "Too large to be shown") + f": {shown}", size=size
        )
    if max(size.width(), size.height()) > SHOWN_SIDE:
        bounds = QSize(SHOWN_SIDE, SHOWN_SIDE)
        reader.setScaledSize(size.scaled(bounds, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return Decoded(
            reason=translate("ImageDecoding", "The image is damaged") + f": {reader.errorString()}"
        )
    if (image.width() > image.height()) != (size.width() > size.height()):
        size = size.transposed()  # the camera was turned: Qt turned the picture while reading
    if reader.supportsAnimation() and reader.imageCount() > 1:
        return Decoded(image, size, translate("ImageDecoding", "the first of several pictures"))
    return Decoded(image, size)
