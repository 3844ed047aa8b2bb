"""When a request that failed for a moment is sent again: few times, soon, and as the server asks.

Decides by numbers alone; what failed and whether it may pass is said by `Fault`.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@dataclass(frozen=True, slots=True)
class Retries:
    """At most `attempts` in all and `seconds` of waiting in all.

    Without a wish of the server the wait starts at `first` seconds and doubles up to `longest`,
    a quarter more or less of it by chance: clients that failed together do not come back together.
    """

    attempts: int = 4
    seconds: float = 90.0
    first: float = 0.5
    longest: float = 8.0
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random  # noqa: S311 - no secret

    def pause(self, attempt: int, asked: float | None, waited: float) -> float | None:
        """Seconds until the attempt after number `attempt` (from 1); None to give up.

        A server that asks for more than is left is not asked again before that: it would refuse.
        """
        if attempt >= self.attempts:
            return None
        seconds = asked
        if seconds is None:
            backoff = min(self.first * 2.0 ** (attempt - 1), self.longest)
            seconds = backoff * (0.75 + self.chance() / 2)
        return seconds if waited + seconds <= self.seconds else None
