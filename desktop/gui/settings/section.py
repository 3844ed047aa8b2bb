"""A titled card of the settings page. Lays out only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class SectionCard(QFrame):
    """Rows that belong together, with thin lines between them."""

    def __init__(self) -> None:
        super().__init__()
        style(self, "card")
        self._title = QLabel()
        style(self._title, "heading")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space(4), space(3), space(4), space(3))
        self._column.setSpacing(space(3))
        self._column.addWidget(self._title)

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)

    def add(self, row: QWidget) -> None:
        if self._column.count() > 1:
            line = QFrame()
            style(line, "divider")
            self._column.addWidget(line)
        self._column.addWidget(row)
