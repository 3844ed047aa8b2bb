from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.history.call_view import CallView
from desktop.history.serialization import HistoryLimits, decode, encode
from tests.history.calls import ended

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.history.records import FinishedCall

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> CallView:
    made = CallView(theme)
    qtbot.addWidget(made)
    return made


def show(view: CallView, finished: FinishedCall, limits: HistoryLimits | None = None) -> None:
    row = encode(finished, limits or HistoryLimits())
    view.show_record(decode({"id": 1, **row.columns}, row.media))


def test_arguments_and_result_are_shown_side_by_side(view: CallView) -> None:
    show(view, ended(arguments={"message": "hi"}, output="hello"))
    assert view.arguments.toPlainText() == '{\n  "message": "hi"\n}'
    assert view.result.text.editor.toPlainText() == "hello"
    assert view.note.isHidden()


def test_what_is_missing_is_said(view: CallView) -> None:
    show(view, ended(arguments={"password": "hunter22"}))
    assert "password" in view.note.text()
    assert "hunter22" not in view.arguments.toPlainText()
    show(view, ended(arguments={"a": "x" * 5000}), HistoryLimits(text=1000))
    assert view.arguments.toPlainText() == ""
    assert "Not kept whole: arguments" in view.note.text()


def test_of_long_arguments_the_beginning_is_shown(view: CallView) -> None:
    show(view, ended(arguments={"a": "x" * 100_000}))
    assert len(view.arguments.toPlainText()) == 50_000
    assert "beginning" in view.note.text()
