"""One round of the app as a process of its own: random servers, a random column of the matrix."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

if sys.platform == "win32":
    raise ImportError("the soak ends programs by POSIX signals")

from tests.faults.app_run import AppRun
from tests.faults.endings import ENDINGS, end
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


class AppRound:
    """Its servers and its end are drawn at once, so that a seed says everything."""

    def __init__(self, random: Random, folder: Path) -> None:
        self._folder = folder
        names = random.sample(tuple(ROWS), k=random.randint(2, len(ROWS)))
        self._rows = {name: ROWS[name] for name in names}
        self._ending = random.choice(tuple(ENDINGS))
        self.markers: list[str] = []

    def __str__(self) -> str:
        return f"app, {self._ending}; {', '.join(self._rows)}"

    async def run(self) -> None:
        """Start the app, end it.

        Raises:
            RuntimeError: something is left of it, or it ended in another way than it should.
        """
        await asyncio.to_thread(self._run)

    def _run(self) -> None:
        ending = ENDINGS[self._ending]
        self._folder.mkdir()
        with AppRun(self._folder, self._rows, ending.program) as run:
            outcome = end(run, ending)
        left = {row: found for row, found in outcome.left.items() if found}
        if left or outcome.guardians or outcome.code != ending.code:
            found = [*left.items(), *outcome.guardians]
            raise RuntimeError(f"exit code {outcome.code}, left: {found}\n{outcome.log[-3000:]}")
