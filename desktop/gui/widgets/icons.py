"""The icon set: the line drawings of `resources/icons`, tinted by the theme and cached by Qt.

    set_icon(theme, button, "play")  # button, action or label; follows the theme
    set_icon(theme, label, "warning", "warning")
    set_icon(theme, toggle, "eye", "muted", on="accent")

Draws only files of this project: an icon that a server sends never comes here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QByteArray, QObject, QSize
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel

from desktop.base.paths import resources
from desktop.gui.theme import CLEAR, space

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QAction, QColor

    from desktop.gui.theme import ColorName, Theme

    Target: TypeAlias = QAbstractButton | QAction | QLabel

ICON_SIZE = space(4)


def set_icon(
    theme: Theme,
    target: Target,
    name: str,
    color: ColorName = "text",
    *,
    on: ColorName | None = None,
    size: int = ICON_SIZE,
) -> None:
    """Give `target` the icon now and at every change of the theme; call again to change it.

    `on` is the tint while a button is checked; `size` is in pixels.
    """
    tints = (child for child in target.children() if isinstance(child, _Tint))
    tint = next(tints, None) or _Tint(theme, target)
    tint.show(name, color, on or color, size)


def icon(
    theme: Theme,
    name: str,
    color: ColorName = "text",
    *,
    on: ColorName | None = None,
    size: int = ICON_SIZE,
) -> QIcon:
    """The icon in the colours of the moment, for what takes no more than that."""
    made = QIcon()
    tints: tuple[tuple[QIcon.Mode, QIcon.State, ColorName], ...] = (
        (QIcon.Mode.Normal, QIcon.State.Off, color),
        (QIcon.Mode.Normal, QIcon.State.On, on or color),
        (QIcon.Mode.Disabled, QIcon.State.Off, "disabled"),
    )
    for mode, state, token in tints:
        made.addPixmap(pixmap(theme, name, token, size=size), mode, state)
    return made


def pixmap(theme: Theme, name: str, color: ColorName = "text", *, size: int = ICON_SIZE) -> QPixmap:
    """The drawing with `size` logical pixels a side, sharp on the densest screen there is."""
    ratio = theme.pixel_ratio
    tint = theme.color(color).name()
    key = f"icon/{name}/{tint}/{size}/{ratio}"
    drawn = QPixmap()
    if not QPixmapCache.find(key, drawn):
        drawn = _draw(_source(name), tint, size, ratio)
        QPixmapCache.insert(key, drawn)
    return drawn


def paint_icon(painter: QPainter, name: str, color: QColor, room: QRectF) -> None:
    """The drawing in a colour that is no token: on a face."""
    tinted = _source(name).replace(b"currentColor", color.name().encode())
    QSvgRenderer(QByteArray(tinted)).render(painter, room)


def app_icon() -> QIcon:
    """That of the app itself, in its own colours; drawn when somebody asks for a size of it."""
    return QIcon(str(resources() / "icons/app/mcp-desktop.svg"))


class _Tint(QObject):
    """Lives in what it tints, so that it ends with it."""

    def __init__(self, theme: Theme, target: Target) -> None:
        super().__init__(target)
        self._theme = theme
        self._target = target
        self._drawing: tuple[str, ColorName, ColorName, int] | None = None
        theme.changed.connect(self._paint)

    def show(self, name: str, color: ColorName, on: ColorName, size: int) -> None:
        if self._drawing != (name, color, on, size):
            self._drawing = (name, color, on, size)
            self._paint()

    def _paint(self) -> None:
        if self._drawing is None:
            return
        name, color, on, size = self._drawing
        if isinstance(self._target, QLabel):
            self._target.setPixmap(pixmap(self._theme, name, color, size=size))
        else:
            if isinstance(self._target, QAbstractButton):
                self._target.setIconSize(QSize(size, size))
            self._target.setIcon(icon(self._theme, name, color, on=on, size=size))


@cache
def _source(name: str) -> bytes:
    return (resources() / "icons" / f"{name}.svg").read_bytes()


def _draw(source: bytes, tint: str, size: int, ratio: float) -> QPixmap:
    drawn = QPixmap(round(size * ratio), round(size * ratio))
    drawn.fill(CLEAR)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(source.replace(b"currentColor", tint.encode()))).render(painter)
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn
