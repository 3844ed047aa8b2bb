"""The table of calls: batches, the running ones, clearing. More: test_activity_page.

Calls as rows that change while they run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.calls_view import CallsModel, CallsView
from desktop.redaction.redactor import Redaction
from desktop.tool_types import ErrorCode
from tests.gui.activity.calls import Made
from tests.gui.activity.conftest import holds

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def model(theme: Theme) -> CallsModel:
    return CallsModel(theme, lambda _: Redaction(["t0ken"]))


def cells(model: CallsModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(1, 5)]


def test_rows_follow_the_calls(model: CallsModel) -> None:
    made = Made()
    running = made.start("a:t0ken")
    made.whole(ErrorCode.TIMEOUT)
    model.show_calls(made.recent.calls.values())
    assert cells(model, 0)[:3] == ["a:‹redacted›", "You", "Running"]
    assert cells(model, 1) == ["server:tool", "You", "Timed out", "250 ms"]
    changed: list[int] = []

    def note(first: QModelIndex) -> None:
        changed.append(first.row())

    model.dataChanged.connect(note)
    made.finish(running)
    model.redraw_calls({1, 99})
    assert (changed, cells(model, 0)[2]) == ([0], "Done")
    made.recent.clear()
    made.whole()
    model.show_calls(made.recent.calls.values())
    assert ([call.number for call in model.rows], model.row_of(1)) == ([3], None)


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
