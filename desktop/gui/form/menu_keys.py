"""The menu key and Shift+F10 open the actions of the field that has the keyboard.

Its "…" button is no tab stop: Tab goes from field to field. Watches one widget at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from shiboken6 import isValid

from desktop.gui import shortcuts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.gui.form.field_row import FieldRow


class MenuKeys(QObject):
    """Belongs to the view of the fields, which says where the keyboard is."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        self._row: FieldRow | None = None

    def follow(self, focused: QWidget | None, row: FieldRow | None) -> None:
        """The keyboard is in `focused`, which is part of `row`."""
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched, self._row = (focused, row) if row is not None else (None, None)
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._row is None or not isValid(self._row) or not _asks_for_menu(event):
            return False
        return self._row.open_menu()


def _asks_for_menu(event: QEvent) -> bool:
    """Some platforms send an event of its own for these keys, others the key press alone."""
    if isinstance(event, QContextMenuEvent):
        return event.reason() == QContextMenuEvent.Reason.Keyboard
    is_press = event.type() == QEvent.Type.KeyPress
    return is_press and isinstance(event, QKeyEvent) and shortcuts.FIELD_MENU.matches(event)
