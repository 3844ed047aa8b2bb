"""Why a call is not sent: raised by the steps before it, caught by the executor alone.

Is never raised out of `ToolExecutor.run`, which makes a result of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tool_types import ErrorCode, failed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.tool_types import Step, ToolResult, ValidationIssue


class CallRejectedError(Exception):
    """Nothing was sent, and the result says why."""

    def __init__(
        self, kind: str, message: str, code: ErrorCode, issues: tuple[ValidationIssue, ...] = ()
    ) -> None:
        """Args: kind: the `type` of the result's error. message: a sentence. issues: all found."""
        super().__init__(message)
        self.result: ToolResult = failed(kind, message, code)
        self.step: Step = "denied" if code == ErrorCode.DENIED else "refused"
        self.issues = issues


def misfit(key: str, issues: Iterable[ValidationIssue]) -> CallRejectedError:
    """The arguments do not fit the tool; names every error, for a model to correct all at once."""
    found = tuple(issues)
    lines = "\n".join(f"- {issue}" for issue in found if issue.severity == "error")
    message = f"The arguments do not fit {key}; nothing was sent:\n{lines}"
    return CallRejectedError("ValidationError", message, ErrorCode.INVALID_ARGUMENTS, found)


def denied(key: str, reason: str) -> CallRejectedError:
    """Whoever was asked said no."""
    why = f": {reason}" if reason else "."
    message = f"The call of {key} was not allowed; nothing was sent{why}"
    return CallRejectedError("DeniedError", message, ErrorCode.DENIED)
