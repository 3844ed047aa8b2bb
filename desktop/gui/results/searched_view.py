"""What is common to views with a find bar: Ctrl+F opens it, and no one else hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from desktop.gui.results.find_bar import FindBar

_FIND = QKeySequence.StandardKey.Find


class SearchedView(QWidget):
    """Whoever derives from it makes `find_bar`."""

    find_bar: FindBar

    def open_find(self) -> None:
        self.find_bar.open_bar()

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.matches(_FIND):
            event.accept()  # here Ctrl+F looks in what is shown, not for tools
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_FIND):
            self.open_find()
        else:
            super().keyPressEvent(event)
