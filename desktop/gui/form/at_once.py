"""Changes to many widgets with one laying out at their end; Qt would do it after each.

Waiting is all it does: it shows, hides and moves nothing.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from PySide6.QtWidgets import QLayout, QWidget


@contextmanager
def at_once(widgets: Iterable[QWidget]) -> Generator[None]:
    """Let the layouts around these wait: each widget shown would lay out all others anew."""
    layouts: set[QLayout] = set()
    for widget in widgets:
        parent = widget.parentWidget()
        while parent is not None and (layout := parent.layout()) is not None:
            layouts.add(layout)
            parent = parent.parentWidget()
    waiting = [layout for layout in layouts if layout.isEnabled()]
    for layout in waiting:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in waiting:
            layout.setEnabled(True)
            layout.invalidate()
