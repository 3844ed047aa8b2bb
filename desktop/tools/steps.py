"""Tells the steps of one call while it runs; keeps the call as it is by then. Decides nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop.tool_types import CallStep

if TYPE_CHECKING:
    from desktop.signals import Signal
    from desktop.tool_types import Progress, Step, ToolCall, ToolResult, ValidationIssue


class CallProgressReporter:
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
