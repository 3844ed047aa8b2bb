"""Snapshots that no saved call uses: said above the list, and removed after they were shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from desktop.features.saved_calls.gui.saved_calls_view import SavedCallsView
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.features.saved_calls.snapshots import FORMAT, VERSION, snapshot_path
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.text_editors import WrappedTextEditor
from tests.live_servers import until

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme

WORDS = "2 snapshots are used by no saved call any more."


def keep(file: Path, name: str) -> Path:
    path = snapshot_path(file, name)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps({FORMAT: VERSION, "call": name, "result": {}}), "utf-8")
    return path


@pytest.fixture
def calls(core: Core) -> SavedCalls:
    return SavedCalls(core.paths.saved_calls, core.history)


@pytest.fixture
async def view(
    qtbot: QtBot, theme: Theme, core: Core, calls: SavedCalls, settings: QSettings
) -> SavedCallsView:
    call = {"name": "adds", "tool": "a:b", "expect": {"snapshot": True}}
    file = await calls.add(SavedCall.model_validate(call))
    for name in ("adds", "gone", "renamed"):
        keep(file, name)
    runner = SavedCallRunner(core.service, core.executor)
    made = SavedCallsView(theme, calls, runner, settings)
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    await until(calls.changed, lambda: len(calls.leftovers) == 2)
    return made


def remove_button(view: SavedCallsView) -> QPushButton:
    found = [each for each in view.findChildren(QPushButton) if each.text() == "Remove…"]
    return found[-1]


def open_question(view: SavedCallsView) -> QuestionDialog:
    QTest.mouseClick(remove_button(view), Qt.MouseButton.LeftButton)
    return view.findChildren(QuestionDialog)[-1]


async def test_they_are_named_and_go_after_a_yes(view: SavedCallsView, calls: SavedCalls) -> None:
    assert view.banners.messages == (WORDS,)
    gone = calls.leftovers
    dialog = open_question(view)
    listed = dialog.findChildren(WrappedTextEditor)[0].toPlainText().splitlines()
    assert listed == [str(path) for path in gone]
    assert not dialog.act.hasFocus()
    QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    await until(calls.changed, lambda: not calls.leftovers)
    assert [path.exists() for path in gone] == [False, False]
    kept = snapshot_path(calls.entries[0].file.path, "adds")
    assert kept.exists()
    assert view.banners.messages == ()


async def test_a_no_keeps_them_and_the_banner(view: SavedCallsView, calls: SavedCalls) -> None:
    dialog = open_question(view)
    QTest.keyClick(dialog, Qt.Key.Key_Return)  # Cancel is the default
    await calls.load()
    assert len(calls.leftovers) == 2
    assert view.banners.messages == (WORDS,)


async def test_a_banner_that_was_dismissed_comes_back_only_with_another_snapshot(
    view: SavedCallsView, calls: SavedCalls
) -> None:
    dismiss = view.banners.findChildren(QToolButton)[-1]
    QTest.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    await calls.load()
    assert view.banners.messages == ()
    keep(calls.entries[0].file.path, "a third")
    await calls.load()
    assert view.banners.messages == ("3 snapshots are used by no saved call any more.",)


async def test_the_question_opens_with_the_size_that_it_was_closed_with(
    view: SavedCallsView,
) -> None:
    dialog = open_question(view)
    dialog.resize(700, 500)
    dialog.reject()
    QApplication.sendPostedEvents()
    again = open_question(view)
    assert (again.width(), again.height()) == (700, 500)
    again.reject()
