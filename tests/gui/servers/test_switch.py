from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.servers.switch import Switch

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_click_and_space_ask_and_nothing_moves_until_told(qtbot: QtBot) -> None:
    switch, asked = Switch(), list[bool]()
    qtbot.addWidget(switch)
    switch.asked.connect(asked.append)
    switch.show()
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert asked == [True]
    assert not switch.isChecked()
    switch.setChecked(True)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert asked == [True, False]
    assert switch.isChecked()
