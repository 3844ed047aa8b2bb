"""Which server processes this run of the app started, on disk: for the next start, should we die.

One file an app process, a line for each start and each end, appended. Nothing is synced: what a
crash of the machine loses, it also ends. Only writes; `sweep` reads what dead apps left.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from desktop.processes import tag
from desktop.processes.identity import Identity, identify, this_place

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.processes.tracker import Closing, McpProcessTracker, TrackedProcess

SUFFIX = ".jsonl"
UNFINISHED = ".new"
"""Suffix of a ledger that is being written; one that stays is of a run that was killed in it."""
COMPACT_AFTER = 200
"""Lines after which the file is written anew, if most of them are about what ended."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A process to end if this app cannot."""

    process: Identity
    owner: str
    marker: str
    group: int

    def to_line(self) -> str:
        return json.dumps({"added": asdict(self)})


class Ledger:
    """Writes down what a tracker tells. `problem` is empty, or why nothing can be written."""

    def __init__(self, folder: Path, tracker: McpProcessTracker) -> None:
        """Creates nothing: the file comes with the first server."""
        self.problem = ""
        self._folder = folder
        self._entries: dict[str, LedgerEntry] = {}
        self._lines = 0
        self._own = identify(os.getpid())
        self._disconnects = (
            tracker.added.connect(self._tracked_added),
            tracker.removed.connect(self._tracked_removed),
        )

    @property
    def path(self) -> Path | None:
        """The file of this app process."""
        own = self._own
        return self._folder / f"{own.pid}-{own.start}{SUFFIX}" if own is not None else None

    def add(self, pid: int, owner: str, marker: str) -> None:
        """Write down a process that was just started; `marker` is what its environment carries."""
        process = identify(pid)
        if process is not None:
            tag.put(pid, marker)
            self._entries[marker] = LedgerEntry(process, owner, marker, _group(pid))
            self._append(self._entries[marker].to_line())

    def remove(self, marker: str) -> None:
        """Write down that it ended, with everything it had started."""
        if self._entries.pop(marker, None) is not None:
            self._append(json.dumps({"removed": marker}))

    def close(self) -> None:
        """Remove the file, unless something in it may still run."""
        for disconnect in self._disconnects:
            disconnect()
        if self.path is None or not self._lines or self._entries:
            return
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            logger.info("the ledger %s stays behind: %s", self.path, error)

    def _tracked_added(self, tracked: TrackedProcess) -> None:
        self.add(tracked.process.pid, tracked.owner, tracked.marker)

    def _tracked_removed(self, tracked: TrackedProcess, end: Closing) -> None:
        if end != "left":  # what could not be ended is for the next start to try
            self.remove(tracked.marker)

    def _append(self, line: str) -> None:
        try:
            self._write(line)
            self.problem = ""
        except OSError as error:
            self._lines = 0  # the next line tries again, with the whole of it
            if not self.problem:
                logger.warning("the ledger of processes is off: %s", error)
            self.problem = str(error)

    def _write(self, line: str) -> None:
        if self._lines and self._lines <= COMPACT_AFTER + 4 * len(self._entries):
            self._lines += 1
            with contextlib.suppress(FileNotFoundError):  # somebody cleaned up the folder
                _write(self._place(), line, os.O_APPEND)
                return
        self._write_anew()

    def _write_anew(self) -> None:
        """The whole of it under another name first: at any moment there is a whole ledger."""
        path = self._place()
        head = json.dumps({"place": asdict(this_place())})
        lines = [head, *(entry.to_line() for entry in self._entries.values())]
        self._folder.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(UNFINISHED)
        _write(new, "\n".join(lines), os.O_CREAT | os.O_TRUNC)
        os.replace(new, path)
        self._lines = len(lines)

    def _place(self) -> Path:
        if self.path is None:
            raise OSError("this system does not tell who this process is")
        return self.path


def _write(path: Path, text: str, flags: int) -> None:
    """In one piece: a process that is killed has written the line or has not.

    Raises:
        OSError: not all of it could be written.
    """
    line = text.encode() + b"\n"
    file = os.open(path, os.O_WRONLY | flags, 0o600)
    try:
        if os.write(file, line) != len(line):
            raise OSError("the disk is full")
    finally:
        os.close(file)


def _group(pid: int) -> int:
    """The process group that this process leads, or 0."""
    try:
        return pid if os.getpgid(pid) == pid else 0
    except (AttributeError, OSError):
        return 0
