"""Shows, hides and removes widgets at little cost, and finds what scrolls one; for long forms."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from PySide6.QtWidgets import QLayout, QWidget


def show_if(widget: QWidget, is_shown: bool) -> None:
    """Show or hide; costs nothing where nothing changes, for forms have hundreds of widgets."""
    is_told = widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
    # What was never told counts as hidden for Qt, and is shown with its parent.
    if is_shown == (is_told and widget.isHidden()):
        widget.setVisible(is_shown)


def discard(widget: QWidget) -> None:
    """Take a widget out of the form for good."""
    # Without a parent at once: what is about to go must not be found among the form's rows.
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()


def scroll_area_around(widget: QWidget) -> QScrollArea | None:
    """The nearest one that scrolls all of it."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around


@contextmanager
def batch_layout(widgets: Iterable[QWidget]) -> Generator[None]:
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
