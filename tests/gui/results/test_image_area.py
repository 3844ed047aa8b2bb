from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.results.image_area import LARGEST, ImageArea

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

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


def test_an_image_fits_the_width_and_is_never_enlarged(area: ImageArea) -> None:
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
