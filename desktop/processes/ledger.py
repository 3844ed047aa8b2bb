"""The ledger: a file that lists this run's server processes, so that the next start can end them.

Each app process has a file of its own, to which every start and every end appends a line: a start
before there is a process, so that none is missing, whenever the app is killed. Nothing
is synced to disk: a crash of the machine that loses lines ends the processes, too. A ledger that is
read here was written by another run; its content is not trusted and may be torn or edited. What
cannot be understood is left out, never guessed. Must not end anything: `orphan_cleanup` does.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import asdict

from desktop.base.atomic_file import replace_file
from desktop.base.damaged_files import sealed, take_seal
from desktop.base.later_patterns import compile_later
from desktop.base.private_files import make_private_folder, open_private, opener
from desktop.base.translatable import translatable
from desktop.processes import guardian_protocol, process_tree
from desktop.processes.identity import Identity, PidScope, current_scope, identify, parse_identity

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.damaged_files import JsonObject
    from desktop.processes.tracker import CloseOutcome, McpProcessTracker, TrackedProcess

SUFFIX = ".jsonl"
UNFINISHED = ".new"
"""Suffix while a ledger is being written; such a file stays if the app is killed meanwhile."""
COMPACT_AFTER = 200
"""Lines after which the file is rewritten if most of them are about processes that have ended."""
MAX_LEDGER_BYTES = 1_000_000
"""Bytes of a ledger that are read: enough for some thousand servers."""
MAX_OWNER_LENGTH = 100
"""Characters of a server's name that are kept."""

_MARKER = compile_later(r"[0-9a-f]{32}")

logger = logging.getLogger(__name__)


class LedgerEntry(Struct, frozen=True):
    """A process to end if this app cannot. `group` is its own process group, or 0.

    `process` is None while it is being started: it and its descendants carry `marker`.
    """

    process: Identity | None
    owner: str
    marker: str
    group: int

    def to_line(self) -> str:
        # Not `asdict`, which copies each value and takes ten times as long.
        at = self.process
        process = {"pid": at.pid, "start": at.start} if at is not None else None
        entry = {"owner": self.owner, "marker": self.marker, "group": self.group}
        return _line({"added": {"process": process, **entry}})


# --- writing ----------------------------------------------------------------------------------


class Ledger:
    """Records what a tracker reports. `problem` is empty, or why the file cannot be written."""

    def __init__(self, folder: Path, tracker: McpProcessTracker) -> None:
        """Creates nothing yet: the file is created with the first server."""
        self.problem = ""
        self._folder = folder
        self._entries: dict[str, LedgerEntry] = {}
        self._lines = 0
        self._own = identify(os.getpid())
        self._disconnects = (
            tracker.starting.connect(self._on_starting),
            tracker.not_started.connect(self.remove),
            tracker.added.connect(self._on_added),
            tracker.removed.connect(self._on_removed),
        )

    @property
    def path(self) -> Path | None:
        """The file of this app process."""
        own = self._own
        return self._folder / f"{own}{SUFFIX}" if own is not None else None

    def add(self, pid: int, owner: str, marker: str, *, is_tagged: bool = False) -> None:
        """Record a process that was just started; its environment contains `marker`.

        It is given the tag, unless a keeper did that.
        """
        process = identify(pid)
        if process is not None:
            if not is_tagged:
                guardian_protocol.set_tag(pid, marker)
            self._note(LedgerEntry(process, owner, marker, process_tree.led_group(pid)))

    def remove(self, marker: str) -> None:
        """Record that a process has ended, with everything it had started."""
        if self._entries.pop(marker, None) is not None:
            self._append(_line({"removed": marker}))

    def close(self) -> None:
        """Delete the file, unless something in it may still run.

        What was being started and cancelled does not: the tracker has waited for that.
        """
        for disconnect in self._disconnects:
            disconnect()
        is_left = any(entry.process is not None for entry in self._entries.values())
        if self.path is None or not self._lines or is_left:
            return
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            logger.info("the ledger %s stays behind: %s", self.path, error)

    def _on_starting(self, owner: str, marker: str) -> None:
        self._note(LedgerEntry(None, owner, marker, 0))

    def _note(self, entry: LedgerEntry) -> None:
        self._entries[entry.marker] = entry
        self._append(entry.to_line())

    def _on_added(self, tracked: TrackedProcess) -> None:
        process = tracked.process
        is_tagged = process.keeper_pid is not None
        self.add(process.pid, tracked.owner, tracked.marker, is_tagged=is_tagged)

    def _on_removed(self, tracked: TrackedProcess, outcome: CloseOutcome) -> None:
        if outcome != "left":  # the next start has to try again to end it
            self.remove(tracked.marker)

    def _append(self, line: str) -> None:
        try:
            self._write(line)
            self.problem = ""
        except OSError as error:
            self._lines = 0  # so that the next line rewrites the whole file
            if not self.problem:
                logger.warning("the ledger of processes is off: %s", error)
            self.problem = str(error)

    def _write(self, line: str) -> None:
        if self._lines and self._lines <= COMPACT_AFTER + 4 * len(self._entries):
            self._lines += 1
            with contextlib.suppress(FileNotFoundError):  # somebody cleaned up the folder
                _write_text(self._required_path(), line, os.O_APPEND)
                return
        self._rewrite()

    def _rewrite(self) -> None:
        """Write everything under another name, then rename: a complete ledger exists throughout."""
        path = self._required_path()
        # The key is part of the file format; scopes were called places once.
        head = _line({"place": asdict(current_scope())})
        lines = [head, *(entry.to_line() for entry in self._entries.values())]
        make_private_folder(self._folder)
        new = path.with_suffix(UNFINISHED)
        _write_text(new, "\n".join(lines), os.O_CREAT | os.O_TRUNC)
        replace_file(new, path)
        self._lines = len(lines)

    def _required_path(self) -> Path:
        if self.path is None:
            raise OSError("this system does not tell who this process is")
        return self.path


def _line(event: JsonObject) -> str:
    return json.dumps(sealed(event))


def _write_text(path: Path, text: str, flags: int) -> None:
    """In a single call, so that a process killed meanwhile has written all of it or nothing.

    Raises:
        OSError: not everything could be written.
    """
    line = text.encode() + b"\n"
    file = open_private(path, os.O_WRONLY | flags)
    try:
        if os.write(file, line) != len(line):
            raise OSError("the disk is full")
    finally:
        os.close(file)


# --- reading ----------------------------------------------------------------------------------


class StaleLedger(Struct, frozen=True):
    """The content of a ledger: where its PIDs are valid, and what had not ended.

    Without a scope the file is torn; `damage` says what of it could not be read, as a clause.
    """

    scope: PidScope | None
    entries: tuple[LedgerEntry, ...]
    damage: str = ""


def parse_ledger_name(path: Path) -> Identity | None:
    """The app process whose ledger has this file name; None if it is not a ledger's name."""
    return parse_identity(path.stem) if path.suffix in (SUFFIX, UNFINISHED) else None


def read_ledger(path: Path) -> StaleLedger:
    """Read a ledger.

    Raises:
        OSError: it cannot be read, or is not a file.
    """
    with open(path, "rb", opener=opener) as file:
        content = file.read(MAX_LEDGER_BYTES + 1)
    events = [_parse_line(line) for line in content[:MAX_LEDGER_BYTES].splitlines()]
    scope: PidScope | None = None
    entries: dict[str, LedgerEntry] = {}
    for fields in filter(None, events):
        scope = scope or _parse_scope(fields.get("place"))
        if (entry := _parse_entry(fields.get("added"))) is not None:
            entries[entry.marker] = entry
        entries.pop(str(fields.get("removed", "")), None)
    damage = ""
    if len(content) > MAX_LEDGER_BYTES:
        most = f"{MAX_LEDGER_BYTES / 1e6:g}"
        damage = translatable("it is larger than {most} MB", most=most)
    elif unread := events.count(None):
        damage = translatable("{count} of its lines cannot be read", count=unread)
    elif scope is None:
        damage = translatable("its beginning is missing")
    return StaleLedger(scope, tuple(entries.values()), damage)


def _parse_line(line: bytes) -> dict[str, object] | None:
    """What a line says; None where it cannot be read."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return fields if fields and take_seal(fields) else None


def _parse_scope(value: object) -> PidScope | None:
    match value:
        case {"host": str(host), "boot": str(boot), "namespace": str(namespace)}:
            return PidScope(host, boot, namespace)
        case _:
            return None


def _parse_entry(value: object) -> LedgerEntry | None:
    match value:
        case {"process": None, "owner": str(owner), "marker": str(marker), "group": 0} if (
            _MARKER.fullmatch(marker)
        ):
            return LedgerEntry(None, owner[:MAX_OWNER_LENGTH], marker, 0)
        case {
            "process": {"pid": int(pid), "start": str(start)},
            "owner": str(owner),
            "marker": str(marker),
            "group": int(group),
        } if pid > 1 and group in (0, pid) and _MARKER.fullmatch(marker):
            return LedgerEntry(Identity(pid, start), owner[:MAX_OWNER_LENGTH], marker, group)
        case _:
            return None
