from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from desktop.gui.servers.seconds_box import SecondsBox

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_number_is_shown_without_needless_digits_and_keeps_its_fraction(qtbot: QtBot) -> None:
    box = SecondsBox(600)
    qtbot.addWidget(box)
    box.setValue(30)
    assert box.text() == "30 s"
    box.setValue(1.25)
    assert box.text() == "1.25 s"
    assert box.value() == 1.25
    box.setValue(9999)
    assert box.value() == 600


def test_the_wheel_over_it_scrolls_the_form_and_changes_nothing(qtbot: QtBot) -> None:
    box = SecondsBox(600)
    qtbot.addWidget(box)
    box.setValue(30)
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert box.value() == 30
    assert not event.isAccepted()
