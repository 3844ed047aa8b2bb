"""Writes the app's icon as each platform's shell wants it, from the one drawing.

Runs where a bundle is made, and needs Pillow there; a running app draws the drawing itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from collections.abc import Iterable

DRAWING = Path(__file__).resolve().parents[1] / "icons/app/mcp-desktop.svg"
PNG_SIZES = (32, 48, 128, 256)
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
"""Those of Windows at 100 to 250 %, and up to the largest that such a file can have."""
ICNS_SIZES = (32, 64, 128, 256, 512, 1024)
"""In pixels: 16 to 512 points on the displays of today, 128 to 512 on older ones."""


def draw(size: int) -> Image.Image:
    """The icon with `size` pixels a side."""
    drawn = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    pixels = drawn.convertToFormat(QImage.Format.Format_RGBA8888)
    return Image.frombytes("RGBA", (size, size), bytes(pixels.constBits()))


def write_hicolor(folder: Path) -> None:
    """The drawing and the sizes of it that desktops of Linux look for, below `hicolor`."""
    scalable = folder / "scalable/apps"
    scalable.mkdir(parents=True)
    (scalable / DRAWING.name).write_bytes(DRAWING.read_bytes())
    for size in PNG_SIZES:
        target = folder / f"{size}x{size}/apps"
        target.mkdir(parents=True)
        draw(size).save(target / f"{DRAWING.stem}.png", optimize=True)


def write_file(platform: str, folder: Path) -> Path | None:
    """The file with all sizes that an executable of `platform` gets; None where it takes none."""
    if platform == "win32":
        return _write(folder / f"{DRAWING.stem}.ico", ICO_SIZES)
    if platform == "darwin":
        return _write(folder / f"{DRAWING.stem}.icns", ICNS_SIZES)
    return None


def _write(target: Path, sizes: Iterable[int]) -> Path:
    """Each size drawn by itself: one that is scaled down would be blurred."""
    target.parent.mkdir(parents=True, exist_ok=True)
    *smaller, largest = [draw(size) for size in sizes]
    largest.save(target, sizes=[(size, size) for size in sizes], append_images=smaller)
    return target
