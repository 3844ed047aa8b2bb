"""The table of calls: batches, the running ones, clearing. More: test_activity_page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.calls_view import CallsView
from desktop.redaction.redactor import Redaction
from tests.gui.activity.calls import Made
from tests.gui.activity.conftest import holds

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def made() -> Made:
    return Made()


@pytest.fixture
def view(made: Made, theme: Theme, settings: QSettings, qtbot: QtBot) -> CallsView:
    shown = CallsView(theme, made.recent, lambda _: Redaction(), settings)
    qtbot.addWidget(shown)
    shown.resize(900, 600)
    shown.show()
    return shown


async def test_many_calls_come_in_few_batches(view: CallsView, made: Made) -> None:
    batches: list[int] = []
    view.model.rowsInserted.connect(lambda: batches.append(len(view.model.rows)))
    for _ in range(300):
        made.whole()
    await holds(view.model.rowsInserted, lambda: len(view.model.rows) == 300)
    assert len(batches) < 10
    assert view.count.text() == "300 calls"
    assert view.table.is_at_end


async def test_a_running_call_counts_its_time(view: CallsView, made: Made) -> None:
    made.start()
    await holds(view.model.rowsInserted, lambda: view.model.rows)
    assert view.count.text() == "1 call · 1 running"
    before = view.model.index(0, 4).data()
    await holds(view.model.dataChanged, lambda: view.model.index(0, 4).data() != before)


def test_the_ended_calls_are_cleared_by_key(view: CallsView, made: Made) -> None:
    made.whole()
    made.start()
    view.refresh()
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert [call.number for call in view.model.rows] == [2]
    assert not view.clear.isEnabled()


def test_without_calls_it_says_where_to_make_one(view: CallsView) -> None:
    assert view.stack.currentWidget() is view.empty
    view.setFocus()
    assert view.to_tools.isVisible()
