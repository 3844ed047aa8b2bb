"""A row of buttons above a view, all looking alike: choices, links and menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction

    from desktop.gui.theme import Theme


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

    def tool(
        self, theme: Theme, icon: str, words: str, clicked: Callable[[], object]
    ) -> QToolButton:
        """An action as a drawing; its words are the tooltip."""
        button = self._drawn(theme, icon, words)
        button.clicked.connect(lambda: clicked())
        return button

    def tool_menu(
        self, theme: Theme, icon: str, words: str, actions: Sequence[QAction]
    ) -> QToolButton:
        """Actions behind a drawing."""
        return offer_actions(self._drawn(theme, icon, words), actions)

    def _drawn(self, theme: Theme, icon: str, words: str) -> QToolButton:
        button = drawn_button(theme, icon, words)
        self.addWidget(button)
        return button


def drawn_button(theme: Theme, icon: str, words: str) -> QToolButton:
    """A quiet button that is a drawing; its words are the tooltip."""
    button = QToolButton()
    button.setToolTip(words)
    button.setAccessibleName(words)
    style(button, "flat")
    set_icon(theme, button, icon, "muted")
    return button


def offer_actions(button: QToolButton, actions: Sequence[QAction]) -> QToolButton:
    """Have `button` open a menu of these; without one that can be seen it is hidden."""
    menu = QMenu(button)
    menu.addActions(list(actions))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def follow() -> None:
        if button.parent() is not None:  # without a parent it would become a window
            button.setVisible(any(action.isVisible() for action in actions))

    for action in actions:
        action.changed.connect(follow)
    return button


def more_button(theme: Theme, actions: Sequence[QAction]) -> QToolButton:
    """The "…" at the end of a header: what is done seldom, and what destroys."""
    words = QCoreApplication.translate("MoreButton", "More")
    return offer_actions(drawn_button(theme, "more", words), actions)
