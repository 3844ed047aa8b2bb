"""Tab order of a page by its parts, whenever and wherever the widgets in them were made.

Qt orders by creation: what is built later, such as a result, would come last. Here the parts of a
page come in the order that it names, and what is in a part in the order that Qt has for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QWidget


def move_focus(page: QWidget, zones: Sequence[QWidget], *, is_next: bool) -> bool:
    """Do what Tab or Shift+Tab asks for in `page`; for its `focusNextPrevChild`.

    Args:
        page: the rest of it, in no zone, comes after the zones.
        zones: its parts in their order; the first that a widget is in counts.
        is_next: Tab, not Shift+Tab.
    """
    window = page.window()
    focused = window.focusWidget()
    if focused is None:  # pyright: ignore[reportUnnecessaryComparison] before anything had it
        return False
    found = list(_stops(window))
    if focused in found:
        # A page that takes the focus hands it on to what is in it: going back would lead nowhere.
        found = [stop for stop in found if stop is focused or not stop.isAncestorOf(focused)]
    stops = sorted(found, key=lambda stop: _place(stop, page, zones))
    at = _index(stops, focused)
    if at is None:
        return False
    target = stops[(at + (1 if is_next else -1)) % len(stops)]
    reason = Qt.FocusReason.TabFocusReason if is_next else Qt.FocusReason.BacktabFocusReason
    target.setFocus(reason)
    return True


def _index(stops: Sequence[QWidget], focused: QWidget) -> int | None:
    """Where the focus is; a widget that took it by a click need not be a stop itself."""
    while focused not in stops:
        parent = focused.parentWidget()
        if parent is None:
            return None
        focused = parent
    return stops.index(focused)


def _stops(window: QWidget) -> Iterator[QWidget]:
    """What Tab can reach now, in the order of Qt."""
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if takes_tab and widget.isEnabled() and widget.isVisible() and not widget.focusProxy():
            yield widget
        widget = widget.nextInFocusChain()


def _place(stop: QWidget, page: QWidget, zones: Sequence[QWidget]) -> int:
    """-1 outside the page, the number of its zone, or behind the last."""
    if not page.isAncestorOf(stop):
        return -1
    inside = (at for at, zone in enumerate(zones) if zone is stop or zone.isAncestorOf(stop))
    return next(inside, len(zones))
