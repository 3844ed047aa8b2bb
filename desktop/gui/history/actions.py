"""What can be done in a view, as actions: for keys, buttons and a menu alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QPushButton

from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme


def make_action(
    owner: QWidget, theme: Theme, icon: str, keys: str, triggered: Callable[[], object]
) -> QAction:
    """An action of `owner` that its key reaches wherever the focus is inside it."""
    action = QAction(owner)
    if keys:
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda: triggered())
    set_icon(theme, action, icon)
    owner.addAction(action)
    return action


def button_for(action: QAction) -> QPushButton:
    """A button that says and does what the action does, and tells its key."""
    button = QPushButton()

    def follow() -> None:
        button.setText(action.text())
        button.setIcon(action.icon())
        button.setEnabled(action.isEnabled())
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(f"{action.text()} ({keys})" if keys else "")
        if button.parent() is not None:  # before that it would become a window
            button.setVisible(action.isVisible())

    action.changed.connect(follow)
    button.clicked.connect(action.trigger)
    follow()
    return button


def offer_menu(view: QAbstractItemView, owner: QWidget) -> None:
    """Show the actions of `owner` where `view` is right-clicked, or at the menu key."""

    def show(position: QPoint) -> None:
        menu = QMenu(owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(owner.actions())
        menu.popup(view.viewport().mapToGlobal(position))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)
