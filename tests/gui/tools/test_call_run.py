from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from desktop.gui.tools.call_run import CallRun
from desktop.tool_types import Progress, ToolCall
from tests.gui.tools.fakes import FakeRunner, after

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

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
