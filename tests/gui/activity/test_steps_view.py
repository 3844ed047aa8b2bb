"""The steps of a call with what they had to say, on one line of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.gui.activity.call_view import StepsView
from desktop.redaction.redactor import Redaction
from desktop.values.tool_types import ValidationIssue
from tests.gui.activity.calls import Made

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_each_step_has_its_moment_and_its_share(theme: Theme, qtbot: QtBot) -> None:
    view = StepsView(theme)
    qtbot.addWidget(view)
    view.show()
    made = Made()
    call = made.start()
    issue = ValidationIssue(("a",), "type", "must be t0ken", "warning")
    made.step(call, step="validated", elapsed=0.125, detail="said t0ken", issues=(issue,))
    recent = made.finish(call)
    view.show_call(recent, Redaction(["t0ken"]))
    view.grab()
    rows = [view.tree.topLevelItem(at) for at in range(view.tree.topLevelItemCount())]
    said = [(row.text(0), row.text(1)) for row in rows if row is not None]
    assert said == [("Started", "0"), ("Arguments checked", "+125 ms"), ("Finished", "+250 ms")]
    middle = rows[1]
    assert middle is not None
    assert middle.data(2, Qt.ItemDataRole.UserRole) == (0.5, 1.0)
    details = [child.text(0) for at in range(2) if (child := middle.child(at)) is not None]
    assert details[0] == "said ‹redacted›"
    assert "‹redacted›" in details[1]


def test_progress_that_was_left_out_is_counted(theme: Theme, qtbot: QtBot) -> None:
    view = StepsView(theme)
    qtbot.addWidget(view)
    made = Made()
    recent = made.whole()
    recent.left_out = 7
    view.show_call(recent, Redaction())
    last = view.tree.topLevelItem(view.tree.topLevelItemCount() - 1)
    assert last is not None
    assert last.text(0) == "7 more progress updates"
