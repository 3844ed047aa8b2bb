"""What becomes of one call, step by step: what the Activity page shows and history could store.

Holds; decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from desktop.tools.call import ToolCall
    from desktop.tools.issue import ValidationIssue
    from desktop.tools.result import ToolResult

Step: TypeAlias = Literal[
    "started",
    "found",
    "parsed",
    "validated",
    "refused",
    "asked",
    "approved",
    "denied",
    "waiting",
    "sent",
    "progress",
    "answered",
    "checked",
    "finished",
]
"""In the order they come; a call goes through some of them, and always ends with `finished`."""


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step of one call.

    `elapsed` is in seconds since the call started; `issues` come with `validated`, `refused` and
    `checked`; `result` with `finished` alone.
    """

    call: ToolCall
    step: Step
    elapsed: float
    detail: str = ""
    issues: tuple[ValidationIssue, ...] = ()
    result: ToolResult | None = None
