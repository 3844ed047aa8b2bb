from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.servers.remove_dialog import RemoveDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_only_the_button_itself_removes(qtbot: QtBot) -> None:
    window, accepted = QWidget(), list[str]()
    qtbot.addWidget(window)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        dialog = RemoveDialog(window, "files")
        dialog.accepted.connect(lambda: accepted.append("key"))
        dialog.open()
        QTest.keyClick(dialog, key)
    dialog = RemoveDialog(window, "files")
    dialog.accepted.connect(lambda: accepted.append("button"))
    dialog.open()
    QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert accepted == ["button"]
