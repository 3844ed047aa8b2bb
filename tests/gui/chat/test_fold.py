from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.chat.fold import CollapseButton

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def test_space_opens_and_closes_it(qtbot: QtBot, theme: Theme) -> None:
    fold = CollapseButton(theme)
    qtbot.addWidget(fold)
    told: list[bool] = []
    fold.opened.connect(told.append)
    QTest.keyClick(fold, Qt.Key.Key_Space)
    QTest.keyClick(fold, Qt.Key.Key_Space)
    assert told == [True, False]
