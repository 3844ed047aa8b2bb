from __future__ import annotations

from desktop.tool_types import Content
from tests.history.calls import ended


def test_the_weight_of_a_waiting_call_grows_with_what_came_back() -> None:
    small = ended(output="x")
    large = ended(output="x" * 5000, content=(Content("image", data=bytes(7000)),))
    assert large.weight - small.weight == 4999 + 7000
