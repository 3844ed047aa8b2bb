"""A place where servers can be found, which a feature adds; the page offers it where people look.

Must not know any such place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton

    from desktop.gui.shortcuts import Shortcut


class Finder(NamedTuple):
    """Opened over the page by a button or by its keys."""

    keys: Shortcut
    name: str
    tip: str
    step: str
    """What a person does there in place of describing a server."""
    welcome: str
    """Both, to a newcomer."""
    open: Callable[[], object]

    def connect_button(self, button: QPushButton, find: Callable[[Finder], object]) -> None:
        """Have a click call `find` with it."""
        button.clicked.connect(lambda: find(self))
