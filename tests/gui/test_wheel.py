from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QSpinBox, QWidget

from desktop.gui.wheel import require_focus_for_wheel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def _turn_wheel(widget: QWidget) -> bool:
    """Turn it one notch over `widget`; whether the widget took it."""
    center = QPointF(widget.rect().center())
    event = QWheelEvent(
        center,
        QPointF(widget.mapToGlobal(center)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_a_field_that_is_scrolled_past_keeps_its_value(qtbot: QtBot) -> None:
    field = QSpinBox()
    qtbot.addWidget(field)
    require_focus_for_wheel(field)
    field.clearFocus()

    assert not _turn_wheel(field)
    assert field.value() == 0


def test_a_field_with_the_focus_follows_the_wheel(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    field = QSpinBox(parent=host)
    require_focus_for_wheel(field)
    with qtbot.waitActive(host):
        host.show()
        host.activateWindow()
    field.setFocus()
    _turn_wheel(field)

    assert field.value() == 1
