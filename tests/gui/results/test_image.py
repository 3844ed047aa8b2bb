from __future__ import annotations

import asyncio
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.results.image import LARGEST, MAX_SHOWN_SIDE, ImageArea, ImageCard, decode
from desktop.gui.results.saving import SaveDialog
from desktop.values.tool_types import Content
from tests.gui.results.images import png
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def bomb(side: int) -> bytes:
    """A PNG of few bytes that says it is huge."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def test_an_image_is_decoded_with_its_size() -> None:
    decoded = decode(png(30, 20))
    assert decoded.image is not None
    assert (decoded.size.width(), decoded.size.height(), decoded.reason) == (30, 20, "")


def test_a_wide_image_is_kept_no_larger_than_a_screen_can_show() -> None:
    decoded = decode(png(MAX_SHOWN_SIDE * 2, 100))
    assert decoded.image is not None
    assert (decoded.image.width(), decoded.image.height()) == (MAX_SHOWN_SIDE, 50)
    assert decoded.size.width() == MAX_SHOWN_SIDE * 2


def test_an_image_that_claims_to_be_huge_is_not_decoded() -> None:
    decoded = decode(bomb(60_000))
    assert decoded.image is None
    assert "60000 × 60000" in decoded.reason


@pytest.mark.parametrize(
    "content",
    [
        b"not an image",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///x"/></svg>',
    ],
)
def test_what_is_no_raster_image_is_not_drawn(content: bytes) -> None:
    decoded = decode(content)
    assert decoded.image is None
    assert "cannot be shown" in decoded.reason


def test_only_the_first_of_several_pictures_is_shown_and_that_is_said() -> None:
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    picture = b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00"
    assert decode(head + picture + b"\x3b").reason == ""
    decoded = decode(head + picture * 2 + b"\x3b")
    assert decoded.image is not None
    assert "first of several" in decoded.reason


def test_a_damaged_image_says_so() -> None:
    decoded = decode(png(300, 200)[:90])
    assert decoded.image is None
    assert "damaged" in decoded.reason


CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def area(qtbot: QtBot) -> ImageArea:
    made = ImageArea()
    qtbot.addWidget(made)
    made.resize(200, 100)
    made.show()
    made.show_image(QImage(400, 100, QImage.Format.Format_RGB32), QSize(400, 100), "an image")
    return made


def turn_wheel(area: ImageArea, by: int, keys: Qt.KeyboardModifier) -> None:
    place = QPointF(10, 10)
    event = QWheelEvent(
        place,
        area.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(area.viewport(), event)


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (QSize(20, 20), QSize(160, 160)),
        (QSize(1, 2), QSize(8, 16)),
        (QSize(16, 64), QSize(32, 128)),
        (QSize(100, 100), QSize(100, 100)),
        (QSize(170, 2), QSize(170, 2)),
    ],
)
def test_a_tiny_image_is_enlarged_in_whole_steps(
    area: ImageArea, size: QSize, shown: QSize
) -> None:
    area.show_image(QImage(size, QImage.Format.Format_RGB32), size, "tiny")
    assert area.fits
    assert area.canvas.size() == shown
    area.resize(90, 50)
    assert area.canvas.width() <= 90
    assert area.zoom == int(area.zoom) or area.zoom < 1
    QTest.keyClick(area, Qt.Key.Key_1)
    assert area.canvas.size() == size


def test_the_pixels_of_a_tiny_image_stay_sharp(area: ImageArea) -> None:
    image = QImage(2, 1, QImage.Format.Format_RGB32)
    image.setPixelColor(0, 0, Qt.GlobalColor.black)
    image.setPixelColor(1, 0, Qt.GlobalColor.white)
    area.show_image(image, image.size(), "two pixels")
    drawn = area.canvas.grab().toImage()
    across = [drawn.pixelColor(x, 4).lightness() for x in range(16)]
    assert across == [0] * 8 + [255] * 8


def test_an_image_fits_the_width_and_is_not_enlarged(area: ImageArea) -> None:
    assert area.canvas.size() == QSize(200, 50)
    assert area.height() == 50
    area.resize(1000, 50)
    assert area.canvas.size() == QSize(400, 100)
    assert area.accessibleName() == "an image"
    assert not area.grab().isNull()


def test_keys_zoom(area: ImageArea) -> None:
    QTest.keyClick(area, Qt.Key.Key_Plus)
    assert (area.fits, area.zoom) == (False, 0.625)
    QTest.keyClick(area, Qt.Key.Key_Minus)
    assert area.zoom == 0.5
    QTest.keyClick(area, Qt.Key.Key_1)
    assert area.canvas.size() == QSize(400, 100)
    QTest.keyClick(area, Qt.Key.Key_0)
    assert area.fits


def test_control_and_the_wheel_zoom_within_limits(area: ImageArea) -> None:
    for _ in range(40):
        turn_wheel(area, 120, CTRL)
    assert area.zoom == LARGEST
    for _ in range(80):
        turn_wheel(area, -120, CTRL)
    assert area.canvas.width() == 20


def test_without_control_what_is_around_scrolls(area: ImageArea) -> None:
    turn_wheel(area, 120, Qt.KeyboardModifier.NoModifier)
    assert area.fits


def test_a_huge_image_is_not_zoomed_beyond_what_a_widget_can_be(area: ImageArea) -> None:
    small = QImage(4096, 8, QImage.Format.Format_RGB32)
    area.show_image(small, QSize(60_000, 100), "wide")
    area.zoom_to(LARGEST)
    assert area.canvas.width() == 16_000


LEFT = Qt.MouseButton.LeftButton


async def shown(card: ImageCard, qtbot: QtBot) -> None:
    qtbot.addWidget(card)
    card.resize(300, 200)
    card.show()
    await asyncio.wait_for(card.settled.wait(), LIMIT)


async def test_the_image_is_shown_with_its_facts(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(40, 30), mime="image/png", name="a.png"))
    await shown(card, qtbot)
    assert card.area.canvas.image.size() == QSize(40, 30)
    assert card.caption.text().startswith("a.png · image/png · ")
    assert card.caption.text().endswith("40 × 30")
    assert card.area.accessibleName() == card.caption.text()


async def test_it_is_zoomed_and_fitted_by_buttons(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(900, 30), mime="image/png"))
    await shown(card, qtbot)
    assert card.fit.isChecked()
    QTest.mouseClick(card.actual, LEFT)
    assert (card.zoom.text(), card.actual.isChecked()) == ("100 %", True)
    QTest.mouseClick(card.larger, LEFT)
    assert card.zoom.text() == "125 %"
    QTest.mouseClick(card.smaller, LEFT)
    QTest.mouseClick(card.smaller, LEFT)
    assert card.zoom.text() == "80 %"
    QTest.mouseClick(card.fit, LEFT)
    assert card.fit.isChecked()


async def test_the_image_is_copied(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(40, 30)))
    await shown(card, qtbot)
    QTest.mouseClick(card.copy, LEFT)
    assert QGuiApplication.clipboard().image().size() == QSize(40, 30)


async def test_what_cannot_be_shown_says_why_and_can_be_saved(qtbot: QtBot, tmp_path: Path) -> None:
    card = ImageCard(Content("image", data=b"no image", mime="image/png"))
    await shown(card, qtbot)
    assert "cannot be shown" in card.caption.text()
    assert not card.fit.isVisible()
    QTest.mouseClick(card.save, LEFT)
    dialog = card.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "x.png"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "x.png").read_bytes() == b"no image"


async def test_an_image_that_was_not_kept_says_so(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", mime="image/png"))
    await shown(card, qtbot)
    assert "data is missing" in card.caption.text()
    assert not card.save.isVisible()
