from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.main_window import add_shortcut
from desktop.gui.results.find_bar import FindBar
from desktop.gui.results.searched_view import SearchedView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_control_f_opens_the_bar_and_not_what_the_window_does_with_it(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    elsewhere: list[str] = []
    add_shortcut(window, "Ctrl+F", lambda: elsewhere.append("tools"))
    view = SearchedView(window)
    view.find_bar = FindBar(theme, lambda _: iter(()), view)
    QVBoxLayout(view).addWidget(view.find_bar)
    QVBoxLayout(window).addWidget(view)
    window.show()
    window.activateWindow()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.find_bar.isVisible()
    assert elsewhere == []
