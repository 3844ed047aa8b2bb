from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.gui.shortcuts import add_shortcut

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_keys_work_while_a_field_inside_has_the_focus(qtbot: QtBot) -> None:
    pressed: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    field = QLineEdit(parent=window)
    add_shortcut(window, "Ctrl+R", lambda: pressed.append("run"))
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)

    assert pressed == ["run"]
