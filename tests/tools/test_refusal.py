"""A refusal becomes a result that a model can correct its call by."""

from __future__ import annotations

from desktop.tool_types import ErrorCode, ValidationIssue
from desktop.tools.refusal import denied, misfit


def test_all_errors_are_named_and_warnings_only_kept() -> None:
    issues = [
        ValidationIssue(("a",), "type", "must be text"),
        ValidationIssue(("b",), "rule", "is not in the schema", "warning"),
        ValidationIssue((), "rule", "'c' is required"),
    ]
    refusal = misfit("s:t", issues)
    assert str(refusal) == (
        "The arguments do not fit s:t; nothing was sent:\n- a: must be text\n- 'c' is required"
    )
    assert (refusal.step, len(refusal.issues)) == ("refused", 3)


def test_a_denial_says_so_with_and_without_a_reason() -> None:
    refusal = denied("s:t", "It may change files.")
    assert str(refusal).endswith("nothing was sent: It may change files.")
    assert str(denied("s:t", "")).endswith("nothing was sent.")
    error = refusal.result.error
    assert error is not None
    assert (refusal.step, error.code) == ("denied", ErrorCode.DENIED)
