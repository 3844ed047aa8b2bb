"""The menus of macOS, built here: each line does what its words say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QMenu

from desktop.gui.main_window import SETTINGS_PAGE, MainWindow
from desktop.gui.menu_bar import MenuBar
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    made.add_page("tools", "Tools", "tools", lambda: QLineEdit("some text"))
    made.add_page(SETTINGS_PAGE, "Settings", "settings", QLabel)
    made.open_pages()
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.finish()


@pytest.fixture
def menus(window: MainWindow) -> Iterator[dict[str, QAction]]:
    made = MenuBar(window)
    yield {action.text(): action for action in every_action(made)}
    made.bar.deleteLater()


def every_action(menus: MenuBar) -> list[QAction]:
    tops = menus.bar.actions()
    inner = [action for menu in menus.bar.findChildren(QMenu) for action in menu.actions()]
    return [*(top for top in tops if top.menuRole() == QAction.MenuRole.PreferencesRole), *inner]


def test_edit_does_to_the_focused_text_what_its_keys_do(
    window: MainWindow, menus: dict[str, QAction]
) -> None:
    field = window.page("tools")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    menus["Select all"].trigger()
    menus["Cut"].trigger()
    assert (field.text(), QApplication.clipboard().text()) == ("", "some text")
    menus["Undo"].trigger()
    assert field.text() == "some text"


def test_edit_offers_nothing_where_no_text_has_the_keyboard(
    window: MainWindow, menus: dict[str, QAction]
) -> None:
    window.rail.button("tools").setFocus()
    edit = next(one for one in menus["Copy"].associatedObjects() if isinstance(one, QMenu))
    edit.aboutToShow.emit()
    assert not menus["Copy"].isEnabled()
    menus["Copy"].trigger()


def test_settings_stand_in_the_menu_of_the_app_and_open_by_their_key(
    window: MainWindow, menus: dict[str, QAction]
) -> None:
    assert menus["Settings…"].menuRole() == QAction.MenuRole.PreferencesRole
    assert menus["Quit"].menuRole() == QAction.MenuRole.QuitRole
    menus["Settings…"].trigger()
    assert window.current_page == SETTINGS_PAGE
    window.show_page("tools")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page == SETTINGS_PAGE


def test_no_line_of_a_menu_takes_a_key_from_the_window(menus: dict[str, QAction]) -> None:
    assert [name for name, action in menus.items() if action.shortcuts()] == []


def test_pages_text_size_window_and_help_are_in_reach(
    window: MainWindow, menus: dict[str, QAction]
) -> None:
    window.show_page(SETTINGS_PAGE)
    menus["Tools"].trigger()
    assert window.current_page == "tools"
    menus["Larger text"].trigger()
    assert window.theme.zoom > 1
    menus["Text of the usual size"].trigger()
    assert window.theme.zoom == 1
    menus["Show keyboard shortcuts"].trigger()
    sheet = next(one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog))
    sheet.close()
    menus["Zoom"].trigger()
    assert window.isMaximized()
    menus["Zoom"].trigger()
    assert not window.isMaximized()
