"""Round after round of random servers and random ends; what was left of each, and what grew."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

if sys.platform == "win32":
    raise ImportError("the soak ends programs by POSIX signals")

from tests.faults.population import end_all, survivors, wait_until
from tests.soak.app_round import AppRound
from tests.soak.core_round import CoreRound
from tests.soak.usage import Usage, growth, sample, zombies

APP_EVERY = 25
"""Each such round runs the app as a process of its own."""
ZOMBIE_LIMIT = 5.0


@dataclass(slots=True)
class Report:
    """All that a soak found. Nothing found is what is asked for."""

    seed: int
    seconds: list[float] = field(default_factory=list[float])
    faults: list[str] = field(default_factory=list[str])
    samples: list[Usage] = field(default_factory=list[Usage])

    @property
    def is_clean(self) -> bool:
        return not self.faults and not any(grown for *_, grown in growth(self.samples))

    def __str__(self) -> str:
        rounds = len(self.seconds)
        lines = [
            f"seed {self.seed}: {rounds} rounds in {sum(self.seconds):.0f} s, "
            f"the longest {max(self.seconds):.1f} s; {len(self.faults)} faults",
            *self.faults,
            *(
                f"{name:<20}{before:10.1f} ->{after:10.1f}  {'GROWN' if grown else 'no growth'}"
                for name, before, after, grown in growth(self.samples)
            ),
        ]
        return "\n".join(lines)


class Soak:
    """Runs rounds drawn from one seed: the same seed draws the same rounds."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.report = Report(seed)

    async def run(self, rounds: int, *, app_every: int = APP_EVERY) -> Report:
        """Run them all, whatever happens in one of them."""
        # One thread for what waits here: a pool grows to its size at times of its own choosing.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        with tempfile.TemporaryDirectory() as folder:
            for number in range(1, rounds + 1):
                place = Path(folder) / str(number)
                kind = AppRound if number % app_every == 0 else CoreRound
                await self._round(number, kind(self._random, place))
                shutil.rmtree(place, ignore_errors=True)
        return self.report

    async def _round(self, number: int, one: CoreRound | AppRound) -> None:
        began = time.monotonic()
        faults: list[str] = []
        try:
            await one.run()
        except Exception as error:  # noqa: BLE001 - one round's failure is a line of the report
            faults.append(f"{type(error).__name__}: {error}")
        left = await asyncio.to_thread(survivors, one.markers)
        faults += [f"left of {marker}: {found}" for marker, found in left.items() if found]
        await asyncio.to_thread(end_all, one.markers)
        if not await asyncio.to_thread(wait_until, lambda: not zombies(), ZOMBIE_LIMIT):
            faults.append(f"zombies: {zombies()}")
        if isinstance(one, CoreRound):
            self.report.samples.append(sample())
        self.report.seconds.append(time.monotonic() - began)
        self.report.faults += [f"round {number} ({one}): {fault}" for fault in faults]
        logging.getLogger(__name__).info("round %d (%s): %s", number, one, faults or "clean")
