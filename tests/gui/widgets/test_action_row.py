from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.widgets.action_row import ActionRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_choices_actions_and_menus_are_buttons_with_names(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    clicked: list[str] = []
    row = ActionRow(owner)
    chip = row.chip("Wrap")
    link = row.link("Copy", lambda: clicked.append("copy"))
    menu = row.menu("More", [QAction("One", owner)])
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert chip.isChecked()
    assert clicked == ["copy"]
    assert menu.accessibleName() == "More"
    assert [action.text() for action in menu.menu().actions()] == ["One"]
    assert row.bar.parentWidget() is owner
