"""The face of a server: its own icon, or what stands for its name, wherever it is named.

    set_face(theme, label, "github")             # label or button; follows the theme and the icon
    painter.drawPixmap(place, face(theme, name))  # delegates and models, with the next line
    ServerFaces.of(theme).changed.connect(view.viewport().update)

An icon is a stranger's: only a PNG or JPEG that its address holds (`data:`) is drawn, decoded on a
thread within a bound of bytes and pixels. Nothing is fetched. SVG is not drawn: Qt reads the local
files that one names, and takes as long as it wants.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QIcon,
    QImage,
    QImageReader,
    QPainter,
    QPainterPath,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtWidgets import QLabel

from desktop.gui import bridge
from desktop.gui.theme import space
from desktop.gui.widgets.letter_faces import draw_name, empty_face
from desktop.values.media_types import detect_media_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QAbstractButton

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonObject

    Target: TypeAlias = QLabel | QAbstractButton

FACE_SIZE: Final = space(5)
"""Beside a line of text; a card's is `space(8)`."""
MAX_BYTES: Final = 150_000
MAX_SIDE: Final = 1024
"""Pixels of an icon: 4 MB while it is decoded."""
READING: Final = "reading the icon of a server"
_KEPT_SIDE: Final = 96
"""The largest face on a dense screen."""
_MAX_TRIES: Final = 4
_MAX_KEPT: Final = 1000
_FORMATS: Final = {"image/png": b"png", "image/jpeg": b"jpeg"}


def set_face(
    theme: Theme, target: Target, server: str, *, tool: str = "", size: int = FACE_SIZE
) -> None:
    """Give `target` the face now and at every change of it; call again for another server.

    With `tool`, the icon of that tool where it has one (`ServerFaces.learn_tool`).
    """
    worn = next((child for child in target.children() if isinstance(child, _Worn)), None)
    (worn or _Worn(theme, target)).show(server, tool, size)


def face(theme: Theme, server: str, *, size: int = FACE_SIZE) -> QPixmap:
    """The face with `size` logical pixels a side, in the colours of the moment."""
    return ServerFaces.of(theme).pixmap(server, size=size)


class _Icon(NamedTuple):
    """The pictures of one icon: for a light and for a dark window; null where there is none."""

    light: QImage
    dark: QImage


class ServerFaces(QObject):
    """The icons that are known, one collection for each theme; servers without one get a letter."""

    changed = Signal()
    """A server has another face: paint again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._sources: dict[str, tuple[str, ...]] = {}
        self._icons: dict[str, _Icon] = {}

    @classmethod
    def of(cls, theme: Theme) -> ServerFaces:
        """That of this theme; it lives as long."""
        found = (child for child in theme.children() if isinstance(child, cls))
        return next(found, None) or cls(theme)

    def learn(self, server: str, icons: Sequence[JsonObject]) -> None:
        """Use what a server declares as its `icons`; without one that can be drawn, the letter."""
        self._learn(server, icons)

    def learn_tool(self, key: str, icons: Sequence[JsonObject]) -> None:
        """The same for a tool, by its key `server:tool`."""
        if icons or key in self._sources:
            self._learn(key, icons)

    def pixmap(self, server: str, *, tool: str = "", size: int = FACE_SIZE) -> QPixmap:
        theme = self._theme
        key = f"{server}:{tool}" if tool else server
        icon = self._icons.get(key) or self._icons.get(server)
        image = (icon.dark if theme.is_dark else icon.light) if icon else QImage()
        number = image.cacheKey() if icon else server
        ratio = theme.pixel_ratio
        name = f"face/{number}/{theme.is_dark}/{size}/{ratio}"
        drawn = QPixmap()
        if not QPixmapCache.find(name, drawn):
            drawn = _draw(theme, server, image, size, ratio)
            QPixmapCache.insert(name, drawn)
        return drawn

    def _learn(self, key: str, icons: Sequence[JsonObject]) -> None:
        light, dark = tuple(_sources(icons, "light")), tuple(_sources(icons, "dark"))
        if self._sources.get(key, ()) == light + dark:
            return
        self._sources[key] = light + dark
        for old in list(self._sources)[:-_MAX_KEPT]:
            del self._sources[old]
            self._icons.pop(old, None)
        if light or dark:
            bridge.run(self, self._read(key, light, dark), READING)
        elif self._icons.pop(key, None) is not None:
            self.changed.emit()

    async def _read(self, key: str, light: tuple[str, ...], dark: tuple[str, ...]) -> None:
        icon = await asyncio.to_thread(_decode_both, light, dark)
        if self._sources.get(key) != light + dark:
            return  # it has another by now
        self._icons.pop(key, None)
        if icon is not None:
            self._icons[key] = icon
        self.changed.emit()


class _Worn(QObject):
    """Lives in what shows the face, so that it ends with it."""

    def __init__(self, theme: Theme, target: Target) -> None:
        super().__init__(target)
        self._faces = ServerFaces.of(theme)
        self._target = target
        self._shown: tuple[str, str, int] = ("", "", 0)
        theme.changed.connect(self._paint)
        self._faces.changed.connect(self._paint)

    def show(self, server: str, tool: str, size: int) -> None:
        if self._shown != (server, tool, size):
            self._shown = server, tool, size
            self._paint()

    def _paint(self) -> None:
        server, tool, size = self._shown
        drawn = self._faces.pixmap(server, tool=tool, size=size)
        if isinstance(self._target, QLabel):
            self._target.setPixmap(drawn)
        else:
            self._target.setIconSize(QSize(size, size))
            self._target.setIcon(QIcon(drawn))


def _sources(icons: Sequence[JsonObject], scheme: str) -> Iterator[str]:
    """The addresses worth a try for this scheme, those made for it first, then by their size."""
    fitting = [icon for icon in icons[: 2 * _MAX_TRIES] if icon.get("theme") in (None, scheme)]
    fitting.sort(key=lambda icon: (icon.get("theme") is None, _distance(icon.get("sizes"))))
    for icon in fitting[:_MAX_TRIES]:
        source = icon.get("src")
        if isinstance(source, str) and len(source) <= MAX_BYTES * 4 // 3 + 100:
            head = source[:40].lower()
            if head.startswith("data:image/") and "svg" not in head:
                yield source


def _distance(sizes: object) -> int:
    """How far a declared size ("48x48") is from what is drawn; 0 where nothing is declared."""
    known = cast("list[object]", sizes) if isinstance(sizes, list) else []
    width = str(known[0] if known else "").partition("x")[0]
    is_number = width.isascii() and width.isdigit() and len(width) < 6
    return abs(int(width) - _KEPT_SIDE) if is_number else 0


def _decode_both(light: tuple[str, ...], dark: tuple[str, ...]) -> _Icon | None:
    in_light = _first(light)
    icon = _Icon(in_light, in_light if light == dark else _first(dark))
    return None if icon.light.isNull() and icon.dark.isNull() else icon


def _first(sources: tuple[str, ...]) -> QImage:
    images = (decode(source) for source in sources)
    return next((image for image in images if not image.isNull()), QImage())


def decode(source: str) -> QImage:
    """The picture that a `data:` address holds, small; null where it is none that is drawn."""
    head, _, body = source.partition(",")
    if not head.lower().endswith(";base64"):
        return QImage()
    try:
        content = base64.b64decode(body)
    except (binascii.Error, ValueError):
        return QImage()
    format_name = _FORMATS.get(detect_media_type(content))
    if format_name is None or len(content) > MAX_BYTES:
        return QImage()
    device = QBuffer()
    device.setData(QByteArray(content))
    device.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(device, QByteArray(format_name))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > MAX_SIDE:
        return QImage()
    image = reader.read()
    if max(size.width(), size.height()) > _KEPT_SIDE and not image.isNull():
        image = image.scaled(
            QSize(_KEPT_SIDE, _KEPT_SIDE),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    return image.convertToFormat(QImage.Format.Format_ARGB32)


def _draw(theme: Theme, server: str, image: QImage, size: int, ratio: float) -> QPixmap:
    drawn, shape = empty_face(size, ratio)
    painter = QPainter(drawn)
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    if image.isNull():
        draw_name(painter, theme, server, shape)
    else:
        _draw_icon(painter, theme, image, shape)
    painter.end()
    return drawn


def _draw_icon(painter: QPainter, theme: Theme, image: QImage, shape: QPainterPath) -> None:
    room = shape.boundingRect()
    painter.setClipPath(shape)
    if _is_lost(image, theme):
        painter.fillPath(shape, theme.color("text"))
        inset = room.width() / 8
        room = room.adjusted(inset, inset, -inset, -inset)
    fitted = image.size().scaled(room.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(0, 0, fitted.width(), fitted.height())
    place.moveCenter(room.center())
    painter.drawImage(place, image)


def _is_lost(image: QImage, theme: Theme) -> bool:
    """Whether a picture with holes is as dark, or as light, as what is behind it."""
    small = image.scaled(
        8, 8, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    pixels = [small.pixelColor(x, y) for x in range(8) for y in range(8)]
    weight = sum(pixel.alphaF() for pixel in pixels)
    if not 0 < weight < len(pixels) * 0.95:
        return False
    lightness = sum(pixel.lightnessF() * pixel.alphaF() for pixel in pixels) / weight
    return abs(lightness - theme.color("card").lightnessF()) < 0.25
