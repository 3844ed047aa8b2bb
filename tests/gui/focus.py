"""Which widget has the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def focused() -> QWidget:
    """The widget that has the keyboard; some widget has to."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget
