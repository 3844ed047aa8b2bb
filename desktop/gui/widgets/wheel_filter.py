"""Keeps the mouse wheel from changing a field that a person only scrolls past.

For combo boxes and number fields inside anything that scrolls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def require_focus_for_wheel(field: QWidget) -> None:
    """Let the wheel scroll what is around `field` unless the field has the focus."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_WheelFilter(field))


class _WheelFilter(QObject):
    """Passes the wheel of an unfocused field on to what is around it."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self._field.hasFocus():
            event.ignore()
            return True
        return False
