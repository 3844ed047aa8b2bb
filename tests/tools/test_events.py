"""A step of a call holds what happened, and nothing of the next."""

from __future__ import annotations

from desktop.tools.call import ToolCall
from desktop.tools.events import CallStep


def test_a_step_says_which_call_and_when_and_has_no_result_before_the_end() -> None:
    call = ToolCall("a:b")
    step = CallStep(call, "sent", 0.25)
    assert (step.call, step.elapsed, step.result, step.issues) == (call, 0.25, None, ())
