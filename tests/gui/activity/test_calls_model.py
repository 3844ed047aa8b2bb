"""Calls as rows that change while they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.calls_model import CallsModel
from desktop.redaction.redactor import Redaction
from desktop.tool_types import ErrorCode
from tests.gui.activity.calls import Made

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


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
    assert cells(model, 0)[:3] == ["a:‹redacted›", "Person", "Running"]
    assert cells(model, 1) == ["server:tool", "Person", "Timed out", "250 ms"]
    changed: list[int] = []

    def note(first: QModelIndex) -> None:
        changed.append(first.row())

    model.dataChanged.connect(note)
    made.finish(running)
    model.tell_changed({1, 99})
    assert (changed, cells(model, 0)[2]) == ([0], "Done")
    made.recent.clear()
    made.whole()
    model.show_calls(made.recent.calls.values())
    assert ([call.number for call in model.rows], model.row_of(1)) == ([3], None)
