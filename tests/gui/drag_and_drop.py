"""Drags something over a widget and drops it there, as a person does from another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QWidget

COPY, LEFT = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


def drag_over(widget: QWidget, data: QMimeData) -> bool:
    """Whether the widget says that it would take `data`."""
    enter = _entering(data)
    QApplication.sendEvent(widget, enter)
    return enter.isAccepted()


def drop(widget: QWidget, data: QMimeData) -> None:
    QApplication.sendEvent(widget, QDropEvent(QPointF(1, 1), COPY, data, LEFT, NO_KEY))


def _entering(data: QMimeData) -> QDragEnterEvent:
    try:
        return QDragEnterEvent(QPointF(1, 1), COPY, data, LEFT, NO_KEY)  # pyright: ignore[reportCallIssue, reportArgumentType]
    except TypeError:  # PySide6 before 6.12 knows whole pixels alone; 6.12 warns of them
        return QDragEnterEvent(QPoint(1, 1), COPY, data, LEFT, NO_KEY)
