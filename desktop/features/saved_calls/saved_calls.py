"""The saved calls of one folder: reads and writes them, and remembers how each went last.

The files are the truth: each `load` reads them again, so that what a team pulls is there. How a
call went last is stored from run to run, its differences only in memory. The folder is read and
written off the loop. Runs nothing.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.history.records import LastRun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
    from desktop.history.records import SavedCallPlace

logger = logging.getLogger(__name__)


class LastRuns(Protocol):
    """Where outcomes are kept: `HistoryStore` is one. Its methods may raise `DesktopError`."""

    async def keep_last_run(self, place: SavedCallPlace, run: LastRun) -> None: ...
    async def last_runs(self) -> dict[SavedCallPlace, LastRun]: ...


class SavedCalls:
    """What the folder holds. `problems` is a sentence for each file that could not be read.

    `leftovers` are the snapshots that no call uses any more.
    """

    def __init__(self, folder: Path, runs: LastRuns | None = None) -> None:
        """Reads nothing yet; the folder need not be there.

        Args: runs: where outcomes are kept; nowhere without it.
        """
        self._runs = runs
        self.folder = folder
        self.entries: tuple[SavedEntry, ...] = ()
        self.problems: tuple[str, ...] = ()
        self.leftovers: tuple[Path, ...] = ()
        self.verdicts: dict[SavedCallPlace, SavedCallOutcome] = {}
        self.last: dict[SavedCallPlace, LastRun] = {}
        self.changed: Signal[[]] = Signal()
        """The files were read: what they hold, and how it went, may be another."""
        self.judged: Signal[[SavedEntry]] = Signal()
        """How this call went is known; nothing else has changed."""

    async def use(self, folder: Path) -> None:
        """Take the calls of another folder from now on."""
        self.folder = folder
        await self.load()

    async def load(self) -> None:
        """Read all files anew; one that is wrong leaves the others."""
        # Held from the start: under qasync a task may go on while no loop runs.
        loop = asyncio.get_running_loop()
        if self._runs is not None:
            try:
                self.last = await self._runs.last_runs() | self.last
            except DesktopError as error:
                logger.warning("how saved calls went before is not known: %s", error)
        self.entries, self.problems, self.leftovers = await loop.run_in_executor(
            None, _read, self.folder
        )
        self.changed.send()

    async def add(self, call: SavedCall) -> Path:
        """Write a new file for `call`; returns it. Raises `CallFileError`."""
        from desktop.features.saved_calls.saved_call_files import add_call

        file = await asyncio.to_thread(add_call, self.folder, call)
        await self.load()
        return file.path

    async def replace(self, entry: SavedEntry, call: SavedCall) -> None:
        """Put `call` in place of `entry`. Raises `CallFileError`."""
        from desktop.features.saved_calls.saved_call_files import replace_call

        await self._change(entry, lambda now: replace_call(now.file, now.index, call))
        await self.load()

    async def remove(self, entry: SavedEntry) -> None:
        """Take it out of its file, which goes with its last call. Raises `CallFileError`."""
        from desktop.features.saved_calls.saved_call_files import remove_call

        await self._change(entry, lambda now: remove_call(now.file, now.index))
        self.verdicts.pop(entry.place, None)
        self.last.pop(entry.place, None)
        await self.load()

    async def tell(self, entry: SavedEntry, verdict: SavedCallOutcome) -> None:
        """Remember how a call went. Never raises for the disk."""
        run = LastRun(verdict.outcome, datetime.now(UTC), verdict.result.execution_time)
        self.verdicts[entry.place], self.last[entry.place] = verdict, run
        self.judged.send(entry)
        if self._runs is not None:
            try:
                await self._runs.keep_last_run(entry.place, run)
            except DesktopError as error:
                logger.warning("how %r went is not kept: %s", entry.call.name, error)

    async def accept(self, entry: SavedEntry) -> None:
        """Make the last result of a call its snapshot. Raises `CallFileError`."""
        from desktop.features.saved_calls.saved_call_runner import accepted
        from desktop.features.saved_calls.snapshots import write_snapshot

        verdict = self.verdicts.get(entry.place)
        if verdict is None or verdict.snapshot is None:
            return
        await asyncio.to_thread(write_snapshot, verdict.snapshot)
        await self.tell(entry, accepted(verdict))

    async def remove_leftovers(self, wanted: Collection[Path]) -> None:
        """Delete these snapshots, as far as no call uses them. Raises `CallFileError`."""
        from desktop.features.saved_calls.leftover_snapshots import remove_leftovers

        try:
            await asyncio.to_thread(remove_leftovers, self.folder, wanted)
        finally:
            await self.load()

    async def _change(self, entry: SavedEntry, change: Callable[[SavedEntry], object]) -> None:
        """Change the entry in its file as it is now, while no other run of the app does.

        Raises:
            CallFileError: that cannot be, or somebody has edited the call meanwhile.
        """
        from desktop.features.saved_calls.saved_call_files import alone_in

        def apply() -> None:
            with alone_in(entry.file.path.parent):
                change(_current(entry))

        await asyncio.to_thread(apply)


def _current(entry: SavedEntry) -> SavedEntry:
    from desktop.features.saved_calls.saved_call_files import CallFileError, SavedEntry, read_calls

    file = read_calls(entry.file.path)
    for index, call in enumerate(file.calls):
        if call == entry.call:
            return SavedEntry(file, index)
    raise CallFileError(
        translatable("{file} has changed meanwhile; nothing was written.", file=file.path),
        remedy=translatable("Look at it again first."),
    )


def _read(folder: Path) -> tuple[tuple[SavedEntry, ...], tuple[str, ...], tuple[Path, ...]]:
    """The calls, the problems and the snapshots that are left over."""
    from desktop.features.saved_calls.leftover_snapshots import find_leftovers
    from desktop.features.saved_calls.saved_call_files import (
        CallFileError,
        find_files,
        list_entries,
        read_calls,
    )  # pydantic: late

    entries: list[SavedEntry] = []
    problems: list[str] = []
    try:
        paths = find_files(folder) if folder.exists() else []
    except (CallFileError, OSError) as error:
        return (), (str(error),), ()
    for path in paths:
        try:
            file = read_calls(path)
        except CallFileError as error:
            problems.append(str(error))
        else:
            entries += list_entries(file)
    return tuple(entries), tuple(problems), tuple(find_leftovers(folder))
