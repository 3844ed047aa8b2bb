"""The menu bar of macOS: what a person of that system looks for at the top of the screen.

Holds nothing of its own: every line does what a key or a button of the window does. Has no keys:
the window has bound them, and two owners of a key silence each other.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMetaObject, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from desktop.gui import shortcuts
from desktop.gui.main_window import SETTINGS_PAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.main_window import MainWindow


class MenuBar(QObject):
    """The menus over one window; `bar` has no parent, so that it belongs to the whole app."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.bar = QMenuBar()
        self._window = window
        window.destroyed.connect(self.bar.deleteLater)
        self._add_edit(self.bar.addMenu(self.tr("Edit")))
        self._add_view(self.bar.addMenu(self.tr("View")))
        self._add_window(self.bar.addMenu(self.tr("Window")))
        helps = self.bar.addMenu(self.tr("Help"))
        _add(helps, shortcuts.SHEET.meaning, window.show_shortcuts)

    def _add_edit(self, menu: QMenu) -> None:
        lines = (
            (self.tr("Undo"), "undo"),
            (self.tr("Redo"), "redo"),
            (self.tr("Cut"), "cut"),
            (self.tr("Copy"), "copy"),
            (self.tr("Paste"), "paste"),
            (self.tr("Select all"), "selectAll"),
        )
        made = {slot: _add(menu, words, partial(_call_focus, slot)) for words, slot in lines}
        menu.aboutToShow.connect(partial(_enable, made))

    def _add_view(self, menu: QMenu) -> None:
        window = self._window
        for page in window.page_ids:
            name = window.rail.button(page).text()
            action = _add(menu, name, partial(window.show_page, page))
            if page == SETTINGS_PAGE:
                menu.removeAction(action)
                action.setText(self.tr("Settings…"))
                action.setMenuRole(QAction.MenuRole.PreferencesRole)
                action.setParent(self)
                self.bar.addAction(action)
        menu.addSeparator()
        _add(menu, shortcuts.ZOOM_IN.meaning, partial(window.zoom, 1))
        _add(menu, shortcuts.ZOOM_OUT.meaning, partial(window.zoom, -1))
        _add(menu, shortcuts.ZOOM_BACK.meaning, partial(window.zoom, 0))

    def _add_window(self, menu: QMenu) -> None:
        window = self._window
        _add(menu, shortcuts.MINIMIZE.meaning, window.showMinimized)
        _add(menu, self.tr("Zoom"), partial(_zoom, window))
        _add(menu, self.tr("Bring to front"), window.come_to_front)
        close = _add(menu, shortcuts.QUIT.meaning, window.close)
        close.setMenuRole(QAction.MenuRole.QuitRole)


def _add(menu: QMenu, words: str, action: Callable[[], object]) -> QAction:
    made = menu.addAction(words)
    made.setMenuRole(QAction.MenuRole.NoRole)  # by its words alone, Qt would move some elsewhere
    made.triggered.connect(lambda: action())
    return made


def _zoom(window: MainWindow) -> None:
    if window.isMaximized():
        window.showNormal()
    else:
        window.showMaximized()


def _can(slot: str) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and focus.metaObject().indexOfMethod(f"{slot}()") >= 0


def _enable(actions: dict[str, QAction]) -> None:
    for slot, action in actions.items():
        action.setEnabled(_can(slot))


def _call_focus(slot: str) -> None:
    if _can(slot) and (focus := QApplication.focusWidget()) is not None:
        QMetaObject.invokeMethod(focus, slot)
