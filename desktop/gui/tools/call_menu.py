"""What can be done with a call beside running it: copy, paste, save, look at earlier ones.

Two buttons with menus, and the same by keyboard. Announces what a person wants; does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktop.gui.theme import space, style
from desktop.gui.tools.call_copy import FORMS
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Theme
    from desktop.gui.tools.call_copy import Form


class CallMenu(QWidget):
    """The buttons; `keys_of` is the widget in which their keys work."""

    copy_wanted = Signal(str)
    """A `Form` of `call_copy`."""
    paste_wanted = Signal()
    save_wanted = Signal()
    history_wanted = Signal()
    about_to_show = Signal()
    """Time to say what can be done now."""

    def __init__(self, theme: Theme, keys_of: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys_of = keys_of
        self.copy_button, self.more_button = QToolButton(self), QToolButton(self)
        self.copy_actions = {form: self._action(self._copier(form)) for form in FORMS}
        self.paste = self._action(self.paste_wanted.emit)
        self.save = self._action(self.save_wanted.emit)
        self.history = self._action(self.history_wanted.emit)
        self._copy_menu = self._menu(self.copy_button, *self.copy_actions.values())
        self._more_menu = self._menu(self.more_button, self.paste, self.save, self.history)
        self.copy_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        set_icon(theme, self.copy_button, "copy", "muted")
        set_icon(theme, self.more_button, "more", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        row.addWidget(self.copy_button)
        row.addWidget(self.more_button)
        for action, keys in (
            (self.copy_actions["arguments"], "Ctrl+Shift+C"),
            (self.paste, "Ctrl+Shift+V"),
            (self.save, "Ctrl+S"),
            (self.history, "Ctrl+H"),
        ):
            action.setShortcut(QKeySequence(keys))
        self.offer(has_server=False, has_save=False, has_history=False)
        for menu in (self._copy_menu, self._more_menu):
            menu.aboutToShow.connect(self.about_to_show)
        self._translate()

    def offer(self, *, has_server: bool, has_save: bool, has_history: bool) -> None:
        """Offer only what can be done: a program needs to know the server, a save its reader."""
        self.copy_actions["python"].setEnabled(has_server)
        self.save.setVisible(has_save)
        self.history.setVisible(has_history)

    def changeEvent(self, event: QEvent, /) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def _copier(self, form: Form) -> Callable[[], None]:
        return lambda: self.copy_wanted.emit(form)

    def _action(self, act: Callable[[], None]) -> QAction:
        action = QAction(self)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: act())
        self._keys_of.addAction(action)
        return action

    def _menu(self, button: QToolButton, *actions: QAction) -> QMenu:
        style(button, "flat")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.addActions(list(actions))
        button.setMenu(menu)
        return menu

    def _translate(self) -> None:
        copied = {
            "arguments": self.tr("Arguments as JSON"),
            "request": self.tr("JSON-RPC request"),
            "command": self.tr("Terminal command"),
            "python": self.tr("Python program"),
        }
        for form, action in self.copy_actions.items():
            action.setText(copied[form])
        self.copy_button.setText(self.tr("Copy as"))
        self.paste.setText(self.tr("Paste JSON as arguments"))
        self.save.setText(self.tr("Save call…"))
        self.history.setText(self.tr("Earlier calls"))
        for button, name in (
            (self.copy_button, self.tr("Copy this call as…")),
            (self.more_button, self.tr("More to do with this call")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)
