"""Pictures that a person sends to a model: from a file or the clipboard, shown as thumbnails.

Only formats that every provider accepts, within size limits. Reading works on a thread: it must not
touch a widget. Thumbnails can be removed while the question is written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.features.models.messages import Image
from desktop.gui.layouts import CENTER, STRETCH, in_column, in_row
from desktop.gui.results.image import decode
from desktop.gui.theme import space, style
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import plain_label, plain_tip
from desktop.values.media_types import detect_media_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QImage

_SIDE = space(24)


class ImageRow(QWidget):
    """Hidden while there is none; `removed` carries the place of the one to take out."""

    remove_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, is_removable: bool = False) -> None:
        super().__init__(parent)
        self._is_removable = is_removable
        self._row = in_row(self, STRETCH)
        self.pictures: list[ImageAttachment] = []
        self.hide()

    def show_images(self, images: Sequence[Image]) -> None:
        """Show exactly these."""
        for picture in self.pictures:
            self._row.removeWidget(picture)
            picture.hide()
            picture.deleteLater()
        self.pictures = [ImageAttachment(image, self) for image in images]
        for at, picture in enumerate(self.pictures):
            self._row.insertWidget(at, picture)
            picture.remove.setVisible(self._is_removable)
            picture.remove.clicked.connect(partial(self.remove_requested.emit, at))
        self.setVisible(bool(images))


class ImageAttachment(QWidget):
    """One picture, or in words why it is not shown, and a button that takes it out."""

    def __init__(self, image: Image, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = f"{image.mime} · {format_size(len(image.data))}"
        self.image = plain_label("")
        self.remove = QToolButton(self)
        self.remove.setText("×")
        style(self.remove, "flat", "small")
        in_column(self, self.image, (self.remove, CENTER), spacing=0)
        decoded = decode(image.data)
        if decoded.image is None:
            self.image.setText(f"{self._facts}\n{decoded.reason}")
        else:
            size = decoded.image.size().boundedTo(QSize(_SIDE, _SIDE))
            small = decoded.image.scaled(
                size,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            self.image.setPixmap(QPixmap.fromImage(small))
        self.image.setAccessibleName(self.tr("Image, {facts}").format(facts=self._facts))
        self.image.setToolTip(plain_tip(self._facts))
        self.remove.setToolTip(self.tr("Remove the image"))
        self.remove.setAccessibleName(self.tr("Remove the image"))


translate = QCoreApplication.translate

MAX_BYTES = 5_000_000
"""Of one picture: what Anthropic takes (docs, "Vision", "Image size"); the others take more."""
MAX_PICTURES = 10
MAX_SIDE = 2048
"""Pixels a pasted picture has at most on a side: providers scale larger ones down themselves."""
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def is_picture(content: bytes) -> bool:
    """Whether these bytes begin as a picture that can be sent does."""
    return detect_media_type(content) in _PICTURES


def picture_of(content: bytes, name: str) -> Image | str:
    """The picture these bytes are, by what they begin with; never by a name."""
    if len(content) > MAX_BYTES:
        words = translate("Attachments", "{name} is larger than {size} MB.")
        return words.format(name=name, size=MAX_BYTES // 1_000_000)
    mime = detect_media_type(content)
    if mime not in _PICTURES:
        words = translate("Attachments", "{name} is not a PNG, JPEG, GIF or WebP image.")
        return words.format(name=name)
    return Image(content, mime)


def encode_picture(image: QImage) -> Image | str:
    """A pasted picture as PNG, no larger than a model sees anyway."""
    name = translate("Attachments", "The pasted image")
    if max(image.width(), image.height()) > MAX_SIDE:
        image = image.scaled(
            MAX_SIDE,
            MAX_SIDE,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    content = QByteArray()
    device = QBuffer(content)
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(device, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType] # stubs: bytes
    return picture_of(bytes(content.data()), name)
