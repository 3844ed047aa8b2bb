"""Ends what earlier runs of the app left, when app and guardian were killed together.

A ledger is touched only if its app is surely gone: other host or PID namespace, leave it; other
boot, nothing of it runs. A process is ended only if it still is who the ledger says, or carries the
mark of it, or descends from it; never this process or one above it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from desktop.processes import tree
from desktop.processes.identity import is_running, this_place
from desktop.processes.leftover import app_of, read

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop.processes.identity import Place
    from desktop.processes.ledger import Entry

TERMINATE_FOR = 0.3
"""Seconds between SIGTERM and SIGKILL."""
KILL_FOR = 0.5
"""Seconds to wait for the kernel after a SIGKILL."""
ROUNDS = 3
"""Kills, if new ones appear meanwhile."""
LIMIT = 3.0
"""Seconds that a start waits for all of it."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """A process that an earlier run had left; `ended` is False if it cannot be ended."""

    owner: str
    pid: int
    name: str
    ended: bool


class Sweep:
    """Looks once, at the start. `swept` tells what was found; `problem` why nobody could look."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.swept: tuple[Swept, ...] = ()
        self.problem = ""

    async def run(self) -> tuple[Swept, ...]:
        """End what dead apps left; one look at a folder if there is nothing. Never raises for it.

        Logs nothing (see `log`): at the start of a terminal command there is no log yet.
        """
        try:
            paths = self._dead()
            if paths:
                await asyncio.wait_for(self._sweep(paths), LIMIT)
        except TimeoutError:
            self.problem = f"it took longer than {LIMIT:g} s"
        except OSError as error:
            self.problem = str(error)
        return self.swept

    def log(self) -> None:
        """Write down what was found."""
        for one in self.swept:
            if one.ended:
                words = "%s (%s, PID %d) was left by an earlier run and ended now"
                logger.info(words, one.owner, one.name, one.pid)
            else:
                words = "%s (%s, PID %d) was left by an earlier run and cannot be ended"
                logger.error(words, one.owner, one.name, one.pid)
        if self.problem:
            logger.warning("what earlier runs left was not swept: %s", self.problem)

    def _dead(self) -> list[Path]:
        """Ledgers of apps that do not run here."""
        try:
            names = os.listdir(self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return []
        paths = [self._folder / name for name in names]
        found = [(path, app_of(path)) for path in paths]
        return [path for path, app in found if app is not None and not is_running(app)]

    async def _sweep(self, paths: list[Path]) -> None:
        ours = [path for path in paths if self._is_ours(path)]
        entries = [entry for path in ours for entry in read(path).entries]
        found = _running(entries)
        names = {process: _name(process) for process in found}
        tree.send(found, signal.SIGTERM)
        await tree.gone(found, TERMINATE_FOR)
        for _ in range(ROUNDS):
            tree.kill(found)
            await tree.gone(found, KILL_FOR)
            found |= _running(entries)  # what they started meanwhile
            if not any(tree.is_alive(one) for one in found):
                break
        self.swept = tuple(
            Swept(owner, one.pid, names.get(one, ""), ended=not tree.is_alive(one))
            for one, owner in found.items()
        )
        if all(one.ended for one in self.swept):
            for path in ours:
                path.unlink(missing_ok=True)

    def _is_ours(self, path: Path) -> bool:
        """Whether what it tells of would run here; one of an earlier boot is removed."""
        try:
            place = read(path).place
            if place is not None and not _is_past(place):
                return place == this_place() or _is_same_boot(place)
            path.unlink(missing_ok=True)
        except OSError as error:
            self.problem = str(error)
        return False


def _is_same_boot(place: Place) -> bool:
    """The name of a host may change while it runs, its boot and namespace do not."""
    here = this_place()
    return bool(here.boot) and (place.boot, place.namespace) == (here.boot, here.namespace)


def _is_past(place: Place) -> bool:
    """Whether this host was started anew since."""
    here = this_place()
    return place.host == here.host and place.boot != here.boot


def _running(entries: Iterable[Entry]) -> dict[psutil.Process, str]:
    """What still runs of these, with the owner of each; never this process or one above it."""
    marked = tree.Marked()
    found: dict[psutil.Process, str] = {}
    for entry in entries:
        for root in (*_leader(entry), *marked.of(entry.marker)):
            for process in (root, *tree.descendants(root.pid)):
                found.setdefault(process, entry.owner)
    family = tree.own_line() if found else set[int]()  # a server may have started this process
    return {
        one: owner
        for one, owner in found.items()
        if one.pid not in family and tree.is_alive(one)  # what ended may wait to be reaped
    }


def _leader(entry: Entry) -> list[psutil.Process]:
    """The process itself with its group, if it still is the one that was started."""
    process = tree.find(entry.process.pid)
    if process is None or not is_running(entry.process):
        return []
    return [process, *(tree.in_group(entry.group) if entry.group else [])]


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""
