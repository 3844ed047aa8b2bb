"""Steps are told to who listens, with the call as it is by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.signals import Signal
from desktop.tool_types import Progress, ToolCall
from desktop.tools.steps import CallProgressReporter

if TYPE_CHECKING:
    from desktop.tool_types import CallStep


def test_steps_are_told_with_the_call_as_it_is_by_then() -> None:
    stepped: Signal[[CallStep]] = Signal()
    steps = CallProgressReporter(ToolCall("a:b"), stepped)
    steps.tell("started")  # nobody listens yet
    told: list[CallStep] = []
    stepped.connect(told.append)
    steps.call = ToolCall("a:b", {"n": 1})
    steps.tell("sent")
    steps.tell_progress(Progress(2, None, "reading"))
    assert [(step.step, step.detail) for step in told] == [("sent", ""), ("progress", "2  reading")]
    assert told[0].call.arguments == {"n": 1}
