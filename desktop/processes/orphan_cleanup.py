"""Ends what earlier runs of the app left behind because app and guardian were killed together.

A ledger is used only if its app has certainly ended: one of another host or PID namespace is left
alone; of one from before a reboot nothing can still run. A process is ended only if it is exactly
the one in the ledger, carries its marker or tag or the identity of that app (as guardian and keeper
do), or descends from it; never this process or one of its ancestors.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from typing import TYPE_CHECKING

import psutil
from msgspec import Struct

from desktop.base.damaged_files import logged_damages, set_aside
from desktop.base.translatable import translatable
from desktop.processes import process_tree
from desktop.processes.identity import current_scope, is_running
from desktop.processes.ledger import UNFINISHED, parse_ledger_name, read_ledger

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from desktop.processes.identity import Identity, PidScope
    from desktop.processes.ledger import LedgerEntry, StaleLedger

TERMINATE_GRACE = 0.3
"""Seconds between SIGTERM and SIGKILL."""
MAX_KILL_WAIT = 0.5
"""Seconds to wait for the kernel after a SIGKILL."""
MAX_KILL_ROUNDS = 3
"""Rounds of killing if new processes appear meanwhile."""
MAX_CLEANUP_SECONDS = 3.0
"""Seconds that the start of the app waits for the whole cleanup."""

logger = logging.getLogger(__name__)


class CleanedProcess(Struct, frozen=True):
    """A process that an earlier run had left; `ended` is False if it cannot be ended."""

    owner: str
    pid: int
    name: str
    ended: bool


class OrphanCleanup:
    """Runs once, at the start. `cleaned` is what was found, `problem` why it did not complete."""

    def __init__(self, folder: Path, damages: Damages | None = None) -> None:
        """Reads nothing yet; `folder` contains the ledgers, a damaged one is said to `damages`."""
        self._folder = folder
        self._damages = damages or logged_damages()
        self.cleaned: tuple[CleanedProcess, ...] = ()
        self.problem = ""

    async def run(self) -> tuple[CleanedProcess, ...]:
        """End what dead apps left; if there are no ledgers, this only lists a folder.

        Failures go to `problem`, never to the caller. Logs nothing (see `log`), because a terminal
        command has not set up its log yet.
        """
        try:
            paths = self._find_dead_ledgers()
            if paths:
                await asyncio.wait_for(self._clean(paths), MAX_CLEANUP_SECONDS)
        except TimeoutError:
            self.problem = f"it took longer than {MAX_CLEANUP_SECONDS:g} s"
        except OSError as error:
            self.problem = str(error)
        return self.cleaned

    def log(self) -> None:
        """Write the result to the log."""
        for process in self.cleaned:
            if process.ended:
                words = "%s (%s, PID %d) was left by an earlier run and ended now"
                logger.info(words, process.owner, process.name, process.pid)
            else:
                words = "%s (%s, PID %d) was left by an earlier run and cannot be ended"
                logger.error(words, process.owner, process.name, process.pid)
        if self.problem:
            logger.warning("what earlier runs left was not swept: %s", self.problem)

    def _find_dead_ledgers(self) -> list[Path]:
        """Ledgers whose app does not run on this machine."""
        try:
            names = os.listdir(self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return []
        paths = [self._folder / name for name in names]
        apps = [(path, parse_ledger_name(path)) for path in paths]
        return [path for path, app in apps if app is not None and not is_running(app)]

    async def _clean(self, paths: list[Path]) -> None:
        ours = {path: ledger for path in paths if (ledger := self._read(path)) is not None}
        entries = [entry for ledger in ours.values() for entry in ledger.entries]
        apps = {app for path in ours if (app := parse_ledger_name(path)) is not None}
        orphans = _find_orphans(entries, apps)
        names = {process: _read_name(process) for process in orphans}
        guards = {process for process in orphans if process_tree.is_guard(process.pid)}
        try:
            process_tree.send(orphans, signal.SIGTERM)
            await process_tree.wait_gone(orphans, TERMINATE_GRACE)
            for _ in range(MAX_KILL_ROUNDS):
                process_tree.kill(orphans)
                await process_tree.wait_gone(orphans, MAX_KILL_WAIT)
                orphans |= _find_orphans(entries, apps)  # what they started meanwhile
                if not any(process_tree.is_alive(process) for process in orphans):
                    break
        finally:  # even where the time is up
            process_tree.kill(orphans)
        self.cleaned = tuple(
            CleanedProcess(
                owner,
                process.pid,
                names.get(process, ""),
                ended=not process_tree.is_alive(process),
            )
            for process, owner in orphans.items()
            if process not in guards
        )
        if all(process.ended for process in self.cleaned):
            for path in ours:
                path.unlink(missing_ok=True)

    def _read(self, path: Path) -> StaleLedger | None:
        """A ledger whose processes would run here; one from before a reboot is deleted."""
        try:
            ledger = read_ledger(path)
            # An unfinished one is there only beside the finished one, which says the same.
            is_unfinished = ledger.scope is None and path.suffix == UNFINISHED
            if is_unfinished or _is_from_before(path, ledger.scope):
                path.unlink()
                return None
            scope = ledger.scope
            is_ours = scope is not None and (scope == current_scope() or _is_same_boot(scope))
            if ledger.damage and (is_ours or scope is None):
                lost = translatable("Servers that it listed may still run.")
                self._damages.note(path, ledger.damage, lost)
            if scope is None and set_aside(path) is not None:  # nothing of it can be used
                path.unlink()
        except FileNotFoundError:  # another start of the app has swept it meanwhile
            return None
        except OSError as error:
            self.problem = str(error)
            return None
        return ledger if is_ours else None


def _is_same_boot(scope: PidScope) -> bool:
    """Compares without the host's name, which may change while the host runs."""
    here = current_scope()
    return bool(here.boot) and (scope.boot, scope.namespace) == (here.boot, here.namespace)


def _is_from_before(path: Path, scope: PidScope | None) -> bool:
    """Whether nothing of a ledger can still run: this host was started since it was written."""
    return path.stat().st_mtime < psutil.boot_time() if scope is None else _is_past_boot(scope)


def _is_past_boot(scope: PidScope) -> bool:
    """Whether this host was rebooted since."""
    here = current_scope()
    return scope.host == here.host and scope.boot != here.boot


def _find_orphans(
    entries: Iterable[LedgerEntry], apps: Collection[Identity]
) -> dict[psutil.Process, str]:
    """What still runs of these entries and of these apps, with the owner of each."""
    scan = process_tree.MarkerScan()
    orphans: dict[psutil.Process, str] = {}
    for entry in entries:
        for root in (*_find_root(entry), *scan.find(entry.marker)):
            for process in (root, *process_tree.descendants(root.pid)):
                orphans.setdefault(process, entry.owner)
    for root, owner in process_tree.find_of_apps(apps):
        for process in (root, *process_tree.descendants(root.pid)):
            orphans.setdefault(process, owner)
    # A server that was left behind may be what started this process.
    ancestry = process_tree.own_ancestry() if orphans else set[int]()
    return {
        process: owner
        for process, owner in orphans.items()
        if process.pid not in ancestry and process_tree.is_alive(process)
    }


def _find_root(entry: LedgerEntry) -> list[psutil.Process]:
    """The process with its group, if it is still exactly the one that was started."""
    if entry.process is None or not is_running(entry.process):
        return []
    process = process_tree.find(entry.process.pid)
    if process is None:
        return []
    return [process, *(process_tree.group_members(entry.group) if entry.group else [])]


def _read_name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""
