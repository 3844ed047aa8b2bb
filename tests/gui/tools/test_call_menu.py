from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.tools.call_copy import FORMS
from desktop.gui.tools.call_menu import CallMenu

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

CONTROL = Qt.KeyboardModifier.ControlModifier
BOTH = CONTROL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


@pytest.fixture
def menu(page: QWidget, theme: Theme, qtbot: QtBot) -> CallMenu:
    made = CallMenu(theme, page, page)
    QVBoxLayout(page).addWidget(made)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    page.setFocus()
    return made


def test_every_entry_and_every_key_asks_for_its_thing(page: QWidget, menu: CallMenu) -> None:
    asked: list[str] = []
    menu.copy_wanted.connect(asked.append)
    menu.paste_wanted.connect(lambda: asked.append("paste"))
    menu.save_wanted.connect(lambda: asked.append("save"))
    menu.history_wanted.connect(lambda: asked.append("history"))
    menu.offer(has_server=True, has_save=True, has_history=True)
    for form in FORMS:
        menu.copy_actions[form].trigger()
    assert asked == list(FORMS)
    for key, held in (
        (Qt.Key.Key_C, BOTH),
        (Qt.Key.Key_V, BOTH),
        (Qt.Key.Key_S, CONTROL),
        (Qt.Key.Key_H, CONTROL),
    ):
        QTest.keyClick(page, key, held)
    assert asked[len(FORMS) :] == ["arguments", "paste", "save", "history"]


def test_what_cannot_be_done_is_not_offered(page: QWidget, menu: CallMenu) -> None:
    saved: list[None] = []
    menu.save_wanted.connect(lambda: saved.append(None))
    menu.offer(has_server=False, has_save=False, has_history=False)
    assert not menu.copy_actions["python"].isEnabled()
    assert not menu.save.isVisible()
    assert not menu.history.isVisible()
    QTest.keyClick(page, Qt.Key.Key_S, CONTROL)
    assert saved == []


def test_the_menus_ask_what_can_be_done_before_they_open(menu: CallMenu, qtbot: QtBot) -> None:
    for button in (menu.copy_button, menu.more_button):
        assert button.accessibleName()
        with qtbot.waitSignal(menu.about_to_show):
            button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))
        button.menu().hide()
