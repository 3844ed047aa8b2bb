"""A row of buttons above a view, all looking alike: choices, links and menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction


class ActionRow(QHBoxLayout):
    """Makes its own buttons, so that every row looks alike."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__()
        self.bar = QWidget(owner)
        """What the row is in, for whoever puts it elsewhere than above its view."""
        self._owner = self.bar
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(space(1))
        self.bar.setLayout(self)

    def chip(self, text: str) -> QPushButton:
        """A choice that is on or off."""
        button = QPushButton(text, self._owner)
        button.setCheckable(True)
        style(button, "chip")
        self.addWidget(button)
        return button

    def link(self, text: str, clicked: Callable[[], object]) -> QPushButton:
        """An action."""
        button = QPushButton(text, self._owner)
        style(button, "link")
        button.clicked.connect(lambda: clicked())
        self.addWidget(button)
        return button

    def menu(self, text: str, actions: Sequence[QAction]) -> QPushButton:
        """Actions behind one word."""
        button = QPushButton(f"{text} ▾", self._owner)
        button.setAccessibleName(text)
        style(button, "link")
        menu = QMenu(button)
        menu.addActions(list(actions))
        button.setMenu(menu)
        self.addWidget(button)
        return button
