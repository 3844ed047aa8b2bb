"""The calls of this run with their steps, for whoever looks at them later. Must not run a call.

Bounded by count and by the size of the results, those in memory and those on disk. Arguments and
results are kept as they were, with their secrets: whoever shows them takes those out.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.signals import Signal
from desktop.values.spilled import size_in_memory, size_on_disk, weight_of_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.tools.executor import ToolExecutor
    from desktop.values.tool_types import CallStep, ToolCall, ToolResult

MAX_CALLS = 1_000
"""Calls that are kept."""
MAX_RESULT_BYTES = 32 * 1024 * 1024
"""Size of all kept results in memory; older calls are kept without their results."""
MAX_BYTES_ON_DISK = 512 * 1024 * 1024
"""The same of those on disk."""
MAX_STEPS = 200
"""Steps kept of one call: a tool may report progress without end."""


class LoggedCall(Struct):
    """One call; `began` is monotonic and `at` since the epoch.

    `result` is None while it runs, and once it is `dropped` to make room.
    """

    number: int
    call: ToolCall
    began: float
    at: float
    steps: list[CallStep] = field(default_factory=list["CallStep"])
    left_out: int = 0
    result: ToolResult | None = None
    seconds: float | None = None
    dropped: bool = False
    outcome: str = ""
    """Empty while it runs, then `success` or the code of its error."""
    asked: float | None = None
    """Seconds from its start until a person was asked; None where nobody was."""
    sent: float | None = None
    """Seconds from its start until it was sent; None as long as it was not."""

    @property
    def is_running(self) -> bool:
        return self.seconds is None

    @property
    def is_waiting_for_approval(self) -> bool:
        return self.is_running and bool(self.steps) and self.steps[-1].step == "asked"

    @property
    def elapsed(self) -> float:
        """Seconds since it started, until now or until it ended."""
        return time.monotonic() - self.began if self.seconds is None else self.seconds

    @property
    def duration(self) -> float:
        """Seconds since it was sent, as `ToolResult.execution_time`: no wait before that counts."""
        if self.result is not None:
            return self.result.execution_time
        return 0.0 if self.sent is None else self.elapsed - self.sent


class CallLog:
    """Remembers the calls of the executors that it follows, the oldest first."""

    def __init__(
        self,
        executor: ToolExecutor,
        kept: int = MAX_CALLS,
        kept_bytes: int = MAX_RESULT_BYTES,
        kept_on_disk: int = MAX_BYTES_ON_DISK,
    ) -> None:
        self.changed: Signal[[LoggedCall]] = Signal()
        """A call is new or went a step further."""
        self.calls: dict[int, LoggedCall] = {}
        self.began = time.time()
        """When this run began, in seconds since the epoch."""
        self._kept = kept
        self._in_memory = _Budget(kept_bytes)
        self._on_disk = _Budget(kept_on_disk)
        self._count = 0
        self.follow(executor)

    def follow(self, executor: ToolExecutor) -> None:
        """Remember its calls, too: a session has an executor of its own."""
        running: dict[str, LoggedCall] = {}  # ids are a model's, and unique in one session alone
        executor.stepped.connect(lambda step: self._stepped(running, step))

    def forget(self, numbers: Iterable[int]) -> None:
        """Forget these calls, except those that run."""
        for number in numbers:
            if (call := self.calls.get(number)) is not None and not call.is_running:
                self._drop(number)
                del self.calls[number]

    def clear(self) -> None:
        """Forget the calls that have ended."""
        self.calls = {number: call for number, call in self.calls.items() if call.is_running}
        for budget in (self._in_memory, self._on_disk):
            budget.clear()

    def _stepped(self, running: dict[str, LoggedCall], step: CallStep) -> None:
        call_id = step.call.call_id
        recent = running.get(call_id)
        if recent is None or step.step == "started":
            recent = running[call_id] = self._begin(step)
        if step.step == "asked":
            recent.asked = step.elapsed
        elif step.step == "sent":
            recent.sent = step.elapsed
        if len(recent.steps) < MAX_STEPS or step.step != "progress":
            recent.steps.append(step)
        else:
            recent.left_out += 1
        if step.step == "finished" and step.result is not None:
            del running[call_id]
            self._finish(recent, step.result, step.elapsed)
        self.changed.send(recent)

    def _begin(self, step: CallStep) -> LoggedCall:
        self._count += 1
        now = time.monotonic() - step.elapsed
        recent = LoggedCall(self._count, step.call, now, time.time() - step.elapsed)
        self.calls[recent.number] = recent
        if len(self.calls) > self._kept:
            oldest = next(iter(self.calls))
            self._drop(oldest)
            del self.calls[oldest]
        return recent

    def _finish(self, recent: LoggedCall, result: ToolResult, seconds: float) -> None:
        recent.result, recent.seconds = result, seconds
        recent.outcome = result.error.code if result.error is not None else "success"
        # The last step holds it, too: it is kept, and dropped, in one place.
        recent.steps[-1] = replace(recent.steps[-1], result=None)
        if recent.number in self.calls:
            self._make_room(recent.number, result)

    def _make_room(self, newest: int, result: ToolResult) -> None:
        self._in_memory.add(newest, _weight(result))
        self._on_disk.add(newest, _size(result, size_on_disk))
        for budget in (self._in_memory, self._on_disk):
            while (oldest := budget.excess(newest)) is not None:
                self._drop(oldest)
                self.calls[oldest].result, self.calls[oldest].dropped = None, True

    def _drop(self, number: int) -> None:
        self._in_memory.remove(number)
        self._on_disk.remove(number)


class _Budget:
    """What all results may take together in one place."""

    def __init__(self, most: int) -> None:
        self._most, self._total = most, 0
        self._sizes: dict[int, int] = {}

    def add(self, number: int, size: int) -> None:
        if size:
            self._sizes[number] = size
            self._total += size

    def remove(self, number: int) -> None:
        self._total -= self._sizes.pop(number, 0)

    def clear(self) -> None:
        self._sizes.clear()
        self._total = 0

    def excess(self, newest: int) -> int | None:
        """The oldest call that is to make room; None where there is enough, or only the newest."""
        if self._total <= self._most:
            return None
        oldest = next(iter(self._sizes))
        return oldest if oldest != newest else None


def _weight(result: ToolResult) -> int:
    """What it has in memory, its structured content with it."""
    structured = None if result.spilled is not None else result.structured
    weight = 0 if structured is None else weight_of_json(structured, MAX_RESULT_BYTES)
    return weight + _size(result, size_in_memory)


def _size(result: ToolResult, size_of: Callable[[object], int]) -> int:
    blocks = (
        size_of(block.readable_text) + size_of(block.readable_data) for block in result.content
    )
    return size_of(result.readable_output) + size_of(result.spilled) + sum(blocks)
