from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.tools.call_controls import CallRun, RunBar
from desktop.values.tool_types import Progress, ToolCall
from tests.gui.tools.fakes import FakeRunner, after

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

CALL = ToolCall("one:ping")


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


async def test_an_answer_comes_before_the_end(owner: QWidget) -> None:
    runner, told = FakeRunner(), list[object]()
    runner.progress = [Progress(1)]
    run = CallRun(runner, owner)
    run.answered.connect(told.append)
    run.ended.connect(told.append)
    await after(run.ended, lambda: run.start(CALL, told.append, "Run"))
    assert told == [Progress(1), runner.result, "answered"]
    assert not run.is_running


async def test_a_cancelled_call_says_so(owner: QWidget) -> None:
    runner, ends = FakeRunner(), list[str]()
    runner.may_end.clear()
    run = CallRun(runner, owner)
    run.ended.connect(ends.append)
    run.start(CALL, lambda _: None, "Run")
    await runner.started.wait()
    assert run.is_running
    await after(run.ended, run.cancel)
    assert (ends, runner.cancelled) == (["cancelled"], ["one:ping"])
    run.cancel()  # nothing runs: nothing happens


async def test_a_call_that_is_cancelled_before_it_begins_is_not_sent(owner: QWidget) -> None:
    runner, ends = FakeRunner(), list[str]()
    run = CallRun(runner, owner)
    run.ended.connect(ends.append)
    run.start(CALL, lambda _: None, "Run")
    await after(run.ended, run.cancel)
    assert (ends, runner.calls, run.is_running) == (["cancelled"], [], False)


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> RunBar:
    made = RunBar(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def test_each_button_asks_for_its_thing(bar: RunBar) -> None:
    asked: list[str] = []
    bar.run_requested.connect(lambda: asked.append("run"))
    bar.cancel_requested.connect(lambda: asked.append("cancel"))
    bar.clear_requested.connect(lambda: asked.append("clear"))
    QTest.mouseClick(bar.run, Qt.MouseButton.LeftButton)
    bar.start()
    QTest.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    QTest.mouseClick(bar.clear, Qt.MouseButton.LeftButton)
    assert asked == ["run", "cancel", "clear"]


def test_a_running_call_shows_cancel_and_the_time_and_no_known_end(bar: RunBar) -> None:
    bar.start()
    assert (bar.run.isVisible(), bar.cancel.isVisible()) == (False, True)
    assert bar.elapsed.text().endswith(" s")
    assert (bar.bar.minimum(), bar.bar.maximum()) == (0, 0)
    bar.stop("Cancelled")
    assert (bar.run.isVisible(), bar.cancel.isVisible()) == (True, False)
    assert bar.message.text() == "Cancelled"
    assert not bar.is_running


def test_the_keyboard_stays_with_run_and_cancel(bar: RunBar, qtbot: QtBot) -> None:
    bar.activateWindow()
    bar.run.setFocus()
    qtbot.waitUntil(bar.run.hasFocus)
    bar.start()
    assert bar.cancel.hasFocus()
    bar.stop()
    assert bar.run.hasFocus()


def test_progress_with_a_total_is_a_share(bar: RunBar, qtbot: QtBot) -> None:
    bar.start()
    bar.note_progress(Progress(3, 10, "step\nthree"))
    qtbot.waitUntil(lambda: bar.message.text() == "3 / 10 · step three")
    assert bar.bar.value() * 10 == bar.bar.maximum() * 3


@pytest.mark.parametrize("progress", [Progress(7), Progress(7, 0), Progress(7, None, "")])
def test_progress_without_a_total_is_a_count(bar: RunBar, qtbot: QtBot, progress: Progress) -> None:
    bar.start()
    bar.note_progress(progress)
    qtbot.waitUntil(lambda: bar.message.text() == "7")
    assert bar.bar.maximum() == 0


def test_progress_beyond_its_total_stays_within_the_bar(bar: RunBar, qtbot: QtBot) -> None:
    bar.start()
    bar.note_progress(Progress(30, 10))
    qtbot.waitUntil(lambda: bar.bar.value() == bar.bar.maximum() > 0)
