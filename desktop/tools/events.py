"""What becomes of one call, step by step: what the Activity page shows and history could store.

Holds and tells; decides nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from desktop.signals import Signal
    from desktop.tools.call import Progress, ToolCall
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
"""In the order they come; a call goes through some of them, and always ends with `finished`.

`found`: the tool is there. `parsed`: a model's text was read. `validated`: nothing forbids the
arguments; its issues are warnings. `refused`: nothing is sent. `asked`, then `approved` or
`denied`: an approver decided; changed arguments are validated once more. `waiting`: the server has
enough to do. `sent`, `progress` (`detail` says how far), `answered`. `checked`: the output was held
against the `outputSchema`.
"""


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step of one call.

    `call` has the arguments as they are by then: read, and corrected by who approved. `elapsed` is
    in seconds since the call started; `issues` come with `validated`, `refused` and `checked`;
    `detail` is the reason of `refused` and `denied`; `result` comes with `finished` alone.
    """

    call: ToolCall
    step: Step
    elapsed: float
    detail: str = ""
    issues: tuple[ValidationIssue, ...] = ()
    result: ToolResult | None = None


class Steps:
    """Tells the steps of one call under way; costs nearly nothing while nobody listens."""

    __slots__ = ("_began", "_stepped", "call")

    def __init__(self, call: ToolCall, stepped: Signal[[CallStep]]) -> None:
        self.call = call
        self._stepped = stepped
        self._began = time.monotonic()

    def tell(
        self,
        step: Step,
        detail: str = "",
        issues: tuple[ValidationIssue, ...] = (),
        result: ToolResult | None = None,
    ) -> None:
        if self._stepped.is_heard:
            elapsed = time.monotonic() - self._began if step != "started" else 0.0
            self._stepped.send(CallStep(self.call, step, elapsed, detail, issues, result))

    def tell_progress(self, progress: Progress) -> None:
        if self._stepped.is_heard:
            total = f" of {progress.total:g}" if progress.total is not None else ""
            self.tell("progress", f"{progress.progress:g}{total}  {progress.message}".rstrip())
