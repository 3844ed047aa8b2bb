"""A link with an arrow that opens and closes what is below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from desktop.gui.theme import style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme


class CollapseButton(QPushButton):
    """Checked while open; the arrow says which."""

    opened = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        style(self, "link", "small")
        self.toggled.connect(self._turn)
        self._turn(False)

    def _turn(self, is_open: bool) -> None:
        set_icon(self._theme, self, "chevron-down" if is_open else "chevron-right", "accent")
        self.opened.emit(is_open)
