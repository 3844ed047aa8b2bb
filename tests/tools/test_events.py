"""A step of a call holds what happened, and nothing of the next."""

from __future__ import annotations

from desktop.signals import Signal
from desktop.tools.call import Progress, ToolCall
from desktop.tools.events import CallStep, Steps


def test_a_step_says_which_call_and_when_and_has_no_result_before_the_end() -> None:
    call = ToolCall("a:b")
    step = CallStep(call, "sent", 0.25)
    assert (step.call, step.elapsed, step.result, step.issues) == (call, 0.25, None, ())


def test_steps_are_told_with_the_call_as_it_is_by_then() -> None:
    stepped: Signal[[CallStep]] = Signal()
    steps = Steps(ToolCall("a:b"), stepped)
    steps.tell("started")  # nobody listens yet
    told: list[CallStep] = []
    stepped.connect(told.append)
    steps.call = ToolCall("a:b", {"n": 1})
    steps.tell("sent")
    steps.tell_progress(Progress(2, None, "reading"))
    assert [(step.step, step.detail) for step in told] == [("sent", ""), ("progress", "2  reading")]
    assert told[0].call.arguments == {"n": 1}
