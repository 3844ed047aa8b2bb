"""Actions of a list of calls, for keys, buttons and menus alike. Must not know what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QPushButton, QWidget

from desktop.gui.shortcuts import Shortcut, give
from desktop.gui.theme import style
from desktop.gui.widgets.action_row import more_button
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.gui.theme import Theme


def make_action(
    owner: QWidget,
    theme: Theme,
    icon: str,
    text: str,
    keys: Shortcut | None,
    triggered: Callable[[], object],
) -> QAction:
    """An action of `owner` whose key works wherever the focus is inside it."""
    action = QAction(text, owner)
    if keys is not None:
        give(action, keys)
    action.triggered.connect(lambda: triggered())
    set_icon(theme, action, icon)
    owner.addAction(action)
    return action


def button_for(action: QAction, *, has_icon: bool = True) -> QPushButton:
    """A button with the text and function of the action, and its key in the tooltip."""
    button = QPushButton()

    def follow() -> None:
        button.setText(action.text())
        if has_icon:
            button.setIcon(action.icon())
        button.setEnabled(action.isEnabled())
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(f"{action.text()} ({keys})" if keys else "")
        if button.parent() is not None:  # without a parent it would become a window
            button.setVisible(action.isVisible())

    action.changed.connect(follow)
    button.clicked.connect(action.trigger)
    follow()
    return button


def action_buttons(
    theme: Theme, *, first: QAction, quiet: Sequence[QAction], seldom: Sequence[QAction]
) -> list[QWidget]:
    """One filled button, some quiet ones, and the rest behind "…"; a stray key presses none."""
    button = button_for(first, has_icon=False)  # its icon has the colour of words
    style(button, "primary")
    guard_focus(button)
    others = [button_for(action) for action in quiet]
    for other in others:
        style(other, "flat")
    return [button, *others, more_button(theme, seldom)]


def offer_menu(view: QAbstractItemView, owner: QWidget) -> None:
    """Show the actions of `owner` at a right click on `view` or the menu key."""

    def show(position: QPoint) -> None:
        menu = QMenu(owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(owner.actions())
        menu.popup(view.viewport().mapToGlobal(position))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)
