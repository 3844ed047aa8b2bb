"""Lets Tab walk through widgets as they are read: layout by layout, from the top down."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QScrollArea, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QLayout

    First = Callable[[QWidget], QWidget | None]


def _no_first(_: QWidget) -> None:
    return None


def restore_tab_order(root: QWidget, first_in: First = _no_first) -> None:
    """Let Tab walk through everything in `root` in reading order.

    Args:
        root: what the layouts are in.
        first_in: what comes before all else that is in a widget; None for nothing special.
    """
    # Qt orders by creation, so that what was added later would come last.
    for before, after in pairwise(list(tab_stops(root, first_in))):
        QWidget.setTabOrder(before, after)


def tab_stops(widget: QWidget, first_in: First = _no_first) -> Iterator[QWidget]:
    """All that takes the keyboard by Tab, in reading order."""
    is_around = isinstance(widget, QScrollArea)
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
        if not is_around:
            return
    if isinstance(widget, QScrollArea):
        inside = widget.widget()
        yield from tab_stops(inside, first_in) if inside is not None else ()  # pyright: ignore[reportUnnecessaryComparison] None before one is set
        return
    if isinstance(widget, QAbstractScrollArea | QAbstractButton):
        return
    first = first_in(widget)
    if first is not None:
        yield from tab_stops(first, first_in)
    layout = widget.layout()
    if layout is not None:  # pyright: ignore[reportUnnecessaryComparison] None without one
        yield from _items(layout, first, first_in)


def _items(layout: QLayout, done: QWidget | None, first_in: First) -> Iterator[QWidget]:
    for index in range(layout.count()):
        item = layout.itemAt(index)
        if item is None:
            continue
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _items(inner, done, first_in)
        elif widget is not None and widget is not done:
            yield from tab_stops(widget, first_in)
