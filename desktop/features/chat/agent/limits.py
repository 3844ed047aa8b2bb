"""The limits of one `ask`: turns, calls, repetitions, a time that stands still for approvals.

Decides nothing: the loop and the session hold themselves to them.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Sequence

    from desktop.features.models.messages import ToolRequest


NEARLY_FULL_PERCENT: Final = 80
"""Of a model's window, from which on a conversation should go on in a new one."""
LEFT: Final = "TooManyCallsError"
"""The error of a call that was not sent, as its turn had too many."""


class SessionLimits(Struct, frozen=True):
    """How far one `AgentSession.ask` may go before a person has to look again.

    A call that is too many is refused, which the model can read; the others end the `ask`.
    """

    turns: int = 25
    """Requests to the model."""
    seconds: float = 1800.0
    """From the question to the end, without the time that a person takes to approve."""
    calls: int = 16
    """Tool calls of one turn that are run; the model is told of the others."""
    told_repeats: int = 3
    """From which time on the model is told that it makes the same call again."""
    repeats: int = 5
    """At which time the same call, answered the same each time, is not sent and ends the `ask`."""
    cuts: int = 2
    """Turns in a row that are cut off in the middle of a call until they end the `ask`."""


class RepeatedCalls:
    """How often a model makes the same call; one that is new in this `ask` begins the count again.

    So a test that is run after each change is not a repetition, and two calls in turn are.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._times: dict[str, int] = {}
        self._answers: dict[str, set[str]] = {}

    def take(self, requests: Sequence[ToolRequest]) -> list[int]:
        """Count the requests of a turn. Returns: for each, the how manieth time it is."""
        keys = [_same(request) for request in requests]
        if not self._seen.issuperset(keys):
            self._seen.update(keys)
            self._times.clear()
            self._answers.clear()
        counted: list[int] = []
        for key in keys:
            self._times[key] = times = self._times.get(key, 0) + 1
            counted.append(times)
        return counted

    def note(self, request: ToolRequest, answer: str) -> None:
        """What came of a call."""
        self._answers.setdefault(_same(request), set()).add(answer)

    def is_answered_alike(self, request: ToolRequest) -> bool:
        """Whether it had the same answer each time."""
        return len(self._answers.get(_same(request), ())) <= 1


def _same(request: ToolRequest) -> str:
    arguments = request.arguments
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    try:
        written = json.dumps(arguments, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):
        written = str(request.arguments)
    return f"{request.wire_name} {written}"


class PausableTimeout:
    """Time limit for one `ask`; paused while a person is being asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._timeout: asyncio.Timeout | None = None
        self._left = seconds
        self._paused = 0

    @property
    def has_run_out(self) -> bool:
        return self._timeout is not None and self._timeout.expired()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Raises `TimeoutError` out of the block once the time is over."""
        async with asyncio.timeout(self.seconds) as self._timeout:
            yield

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent within does not count; several may overlap."""
        loop = asyncio.get_running_loop()
        self._paused += 1
        if self._paused == 1 and (timeout := self._open()) is not None:
            self._left = (timeout.when() or loop.time()) - loop.time()
            timeout.reschedule(None)
        try:
            yield
        finally:
            self._paused -= 1
            if self._paused == 0 and (timeout := self._open()) is not None:
                timeout.reschedule(loop.time() + self._left)

    def _open(self) -> asyncio.Timeout | None:
        timeout = self._timeout
        return timeout if timeout is not None and not timeout.expired() else None
