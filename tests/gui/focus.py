"""Which widget has the keyboard, and where a widget stands."""

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


def where(widget: QWidget) -> str:
    """Its class and those of what is around it, from the inside."""
    parts: list[str] = []
    here: QWidget | None = widget
    while here is not None and len(parts) < 4:
        parts.append(type(here).__name__)
        here = here.parentWidget()
    return " in ".join(parts)
