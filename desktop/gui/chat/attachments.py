"""Pictures that a person gives to a model: read from a file or the clipboard, within bounds.

Only formats that every provider takes. Must not touch a widget: it works on another thread.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, Qt

from desktop.llm.messages import Image

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

translate = QCoreApplication.translate

MOST_BYTES = 5_000_000
"""Of one picture: what Anthropic takes (docs, "Vision", "Image size"); the others take more."""
MOST_PICTURES = 10
LARGEST_SIDE = 2048
"""Pixels a pasted picture has at most on a side: providers scale larger ones down themselves."""
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def read_picture(path: str) -> Image | str:
    """The picture in a file, or a sentence why it cannot be given to a model."""
    name = Path(path).name
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        return translate("Attachments", "{name} cannot be read: {reason}").format(
            name=name, reason=error.strerror or error
        )
    return picture_of(content, name)


def picture_of(content: bytes, name: str) -> Image | str:
    """The picture these bytes are, by what they begin with; never by a name."""
    if len(content) > MOST_BYTES:
        words = translate("Attachments", "{name} is larger than {size} MB.")
        return words.format(name=name, size=MOST_BYTES // 1_000_000)
    mime = next((mime for start, mime in _STARTS if content.startswith(start)), "")
    if not mime and content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        mime = "image/webp"
    if not mime:
        words = translate("Attachments", "{name} is no PNG, JPEG, GIF or WebP picture.")
        return words.format(name=name)
    return Image(content, mime)


def encode_picture(image: QImage) -> Image | str:
    """A pasted picture as PNG, no larger than a model sees anyway."""
    name = translate("Attachments", "The pasted picture")
    if max(image.width(), image.height()) > LARGEST_SIDE:
        image = image.scaled(
            LARGEST_SIDE,
            LARGEST_SIDE,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    content = QByteArray()
    device = QBuffer(content)
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(device, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType] # stubs: bytes
    return picture_of(bytes(content.data()), name)
