"""The table follows its end, keeps its widths, and goes by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, QStringListModel, Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.messages_view import LogTable

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def table(theme: Theme, settings: QSettings, qtbot: QtBot) -> LogTable:
    model = QStringListModel([str(number) for number in range(100)])
    made = LogTable(theme, model, settings, "test/columns", (0,))
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


def add(table: LogTable) -> None:
    model = table.model()
    model.insertRows(model.rowCount(), 10)


def test_the_end_is_followed_until_somebody_scrolls_up(table: LogTable) -> None:
    table.scrollToBottom()
    add(table)
    assert table.is_at_end
    table.verticalScrollBar().setValue(30)
    add(table)
    assert table.verticalScrollBar().value() == 30
    table.model().removeRows(0, 10)
    assert table.verticalScrollBar().value() == 20


def test_home_and_end_go_to_the_first_and_last_row(table: LogTable) -> None:
    table.select_row(5)
    QTest.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == 99
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 1
