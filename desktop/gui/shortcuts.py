"""Keys that work anywhere in a window. Imported after the first paint: keys cost 3 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


def add_shortcut(window: QWidget, keys: str, action: Callable[[], object]) -> None:
    """Call `action` when `keys`, e.g. "Ctrl+Q", are pressed anywhere in `window`."""
    QShortcut(QKeySequence(keys), window).activated.connect(lambda: action())
