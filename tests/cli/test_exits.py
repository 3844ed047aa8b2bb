from __future__ import annotations

import pytest

from desktop.cli.exits import Exit, exit_of
from desktop.tool_types import ErrorCode, ToolError, ToolResult


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.TOOL_ERROR, 1),
        (ErrorCode.PROTOCOL, 1),
        (ErrorCode.INTERNAL, 1),
        (ErrorCode.NOT_FOUND, 2),
        (ErrorCode.INVALID_ARGUMENTS, 2),
        (ErrorCode.DENIED, 2),
        (ErrorCode.UNREACHABLE, 3),
        (ErrorCode.TIMEOUT, 4),
        (ErrorCode.CANCELLED, 130),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(code: ErrorCode, expected: int) -> None:
    assert exit_of(ToolResult(success=False, error=ToolError("E", "words", code))) == expected


def test_a_result_without_an_error_is_done() -> None:
    assert exit_of(ToolResult(success=True)) == Exit.DONE == 0
