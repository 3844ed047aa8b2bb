"""Every state, origin and step has words; a new one keeps its own name."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from desktop.gui.activity import call_labels, message_labels
from desktop.servers.message_log import Kind
from desktop.values.tool_types import Step
from tests.gui.activity.conftest import line

if TYPE_CHECKING:
    from desktop.servers.message_log import MessageLog, MessageRecorder


@pytest.mark.parametrize("step", [*get_args(Step), "unheard"])
def test_steps(step: str) -> None:
    assert call_labels.step_label(step)
    assert (call_labels.step_label(step) == step) is (step == "unheard")


@pytest.mark.parametrize("kind", get_args(Kind))
def test_kinds(kind: str) -> None:
    assert message_labels.kind_label(kind)


def test_a_message_in_one_line(traffic: MessageLog, tap: MessageRecorder) -> None:
    tap.note("sent", line(id="x\x1b", method="ping"))
    text = message_labels.message_label(traffic.after(0)[0])
    assert text.startswith("→ Sent · Request  ·  ping  ·  server  ·  id x  ·  ")
