"""The order in which Tab walks through a form: as it is read, each editor before its buttons.

Qt orders by creation, so an item that was added later would come last. Changes nothing else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.gui.form.field_row import FieldRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QLayout


def restore_tab_order(root: QWidget) -> None:
    """Let Tab walk through everything in `root` in reading order."""
    for before, after in pairwise(list(_stops(root))):
        QWidget.setTabOrder(before, after)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
        return
    first = widget.field if isinstance(widget, FieldRow) else None
    if first is not None:
        yield from _stops(first)
    layout = widget.layout()
    if layout is not None:
        yield from _items(layout, first)


def _items(layout: QLayout, done: QWidget | None) -> Iterator[QWidget]:
    for index in range(layout.count()):
        item = layout.itemAt(index)
        if item is None:
            continue
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _items(inner, done)
        elif widget is not None and widget is not done:
            yield from _stops(widget)
