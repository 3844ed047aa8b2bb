"""Lets Tab walk through widgets as they are read: layout by layout, from the top down."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLayout, QScrollArea, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    """All of `layout`, found without the items that Qt keeps for it.

    PySide holds such an item for as long as the layout, also when Qt has deleted it, and
    takes it for whatever comes to lie there next (`docs/pyside-report.md`).
    """
    around = layout.parentWidget()
    places: dict[int, QWidget | QLayout] = {}
    for part in (*(around.children() if around is not None else ()), *layout.children()):
        if isinstance(part, QWidget | QLayout) and (place := layout.indexOf(part)) >= 0:
            places[place] = part
    for _, part in sorted(places.items()):
        if isinstance(part, QLayout):
            yield from _items(part, done, first_in)
        elif part is not done:
            yield from tab_stops(part, first_in)
