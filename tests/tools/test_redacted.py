"""A result is shown without secrets, and never looked through without a bound."""

from __future__ import annotations

from typing import Any

from desktop.config.redaction import Redaction
from desktop.tool_types import Content, ErrorCode, ToolError, ToolResult
from desktop.tools.redacted import LARGEST, LONGEST, redacted_result, redacted_text, redacted_value

KNOWN = Redaction(["t0ken"])


def test_every_part_of_a_result_is_looked_through() -> None:
    result = ToolResult(
        success=False,
        output="t0ken",
        error=ToolError("E", "it was t0ken", ErrorCode.TOOL_ERROR),
        content=(Content("link", text="t0ken", uri="a://t0ken", name="t0ken", data=b"x"),),
        structured={"a": ["t0ken"]},
        meta={"t0ken": "t0ken"},
    )
    shown = redacted_result(result, KNOWN)
    assert "t0ken" not in repr(shown)
    assert shown.content[0].data == b"x"
    assert shown.structured == {"a": ["‹redacted›"]}
    assert result.output == "t0ken"


def test_a_long_text_is_cut_and_says_so() -> None:
    text = redacted_text("x" * (LONGEST - 3) + "t0ken" + "y" * 100, KNOWN)
    assert "t0k" not in text
    assert text.endswith("[102 more characters are not shown here]")


def test_a_large_or_deep_value_is_left_out() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert redacted_value([0] * LARGEST, KNOWN) is None
    assert redacted_value({"a": "x" * (LONGEST + 1)}, KNOWN) is None
    assert redacted_value(deep, KNOWN) is None
    assert redacted_value({"a": None}, KNOWN) == {"a": None}
