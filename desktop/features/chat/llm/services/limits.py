"""How much of an answer is accepted, how long it may take, and when a request is sent again.

Decides by numbers alone; what failed, and whether it may pass, is said by `ProviderError`.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_MODELS: Final = 2_000
"""Names in the list of a provider's models."""


class RequestLimits(Struct, frozen=True):
    """Limits of one request. A longer answer is cut, and says so.

    Seconds: `silence` without a byte, `duration` of one response, `listing` for the list of models.
    `characters` counts text, thinking and arguments together, `calls` the tool calls of a turn, and
    `continuations` how often a turn that the provider paused is continued.
    """

    silence: float = 120.0
    duration: float = 3600.0
    listing: float = 30.0
    characters: int = 2_000_000
    events: int = 500_000
    calls: int = 128
    continuations: int = 8


LOCAL_LIMITS: Final = RequestLimits(silence=900.0)
"""For a server of the user's own: a local model reads a long prompt for minutes first."""


class RetryPolicy(Struct, frozen=True):
    """At most `attempts` in all, and at most `seconds` of waiting in all.

    Unless the server says how long to wait, the delay starts at `first` seconds and doubles up to
    `longest`, each a quarter more or less at random: clients that failed together do not return
    together.
    """

    attempts: int = 4
    seconds: float = 90.0
    first: float = 0.5
    longest: float = 8.0
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random  # noqa: S311 - no secret

    def delay(self, attempt: int, retry_after: float | None, waited: float) -> float | None:
        """Seconds until the attempt after number `attempt` (from 1); None to give up.

        A server that wants a longer delay than is left is not asked again sooner: it would refuse.
        """
        if attempt >= self.attempts:
            return None
        seconds = retry_after
        if seconds is None:
            backoff = min(self.first * 2.0 ** (attempt - 1), self.longest)
            seconds = backoff * (0.75 + self.chance() / 2)
        return seconds if waited + seconds <= self.seconds else None
