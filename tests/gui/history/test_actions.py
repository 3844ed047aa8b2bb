from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu, QVBoxLayout, QWidget

from desktop.gui.history.actions import button_for, make_action, offer_menu

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def test_key_button_and_menu_do_the_same(qtbot: QtBot, theme: Theme) -> None:
    owner, view = QWidget(), QListWidget()
    qtbot.addWidget(owner)
    done: list[str] = []
    action = make_action(owner, theme, "play", "Ctrl+R", lambda: done.append("run"))
    button = button_for(action)
    column = QVBoxLayout(owner)
    column.addWidget(view)
    column.addWidget(button)
    offer_menu(view, owner)
    action.setText("Run")
    with qtbot.waitActive(owner):
        owner.show()
        owner.activateWindow()
    view.setFocus()
    assert (button.text(), button.toolTip()) == ("Run", "Run (Ctrl+R)")

    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    view.customContextMenuRequested.emit(QPoint(1, 1))
    menu = owner.findChild(QMenu)
    assert menu is not None
    assert menu.actions() == [action]
    menu.close()
    assert done == ["run", "run"]

    action.setEnabled(False)
    assert not button.isEnabled()
    action.setVisible(False)
    assert button.isHidden()
