"""Reads the ledger of another run of the app. Its content is not trusted: it may be torn or edited.

What cannot be understood is left out, never guessed. Only reads.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from desktop.processes.identity import Identity, Place
from desktop.processes.ledger import SUFFIX, UNFINISHED, LedgerEntry

if TYPE_CHECKING:
    from pathlib import Path

READ_LIMIT = 1_000_000
"""Bytes of a ledger that are read: some thousand servers."""
OWNER_SHOWN = 100
"""Characters of a server's name that are kept."""
_NAME = re.compile(r"(\d{1,10})-([\w.]{1,40})")
_MARKER = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Leftover:
    """A ledger: where it was written, and what had not ended. Without a place it is torn."""

    place: Place | None
    entries: tuple[LedgerEntry, ...]


def app_of(path: Path) -> Identity | None:
    """The app process that a file name tells of; None if it is no ledger's name."""
    match = _NAME.fullmatch(path.stem)
    if match is None or path.suffix not in (SUFFIX, UNFINISHED):
        return None
    return Identity(int(match[1]), match[2])


def read(path: Path) -> Leftover:
    """Read a ledger.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        lines = file.read(READ_LIMIT).splitlines()
    place: Place | None = None
    entries: dict[str, LedgerEntry] = {}
    for fields in (_fields(line) for line in lines):
        place = place or _place(fields.get("place"))
        if (entry := _entry(fields.get("added"))) is not None:
            entries[entry.marker] = entry
        entries.pop(str(fields.get("removed", "")), None)
    return Leftover(place, tuple(entries.values()))


def _fields(line: bytes) -> dict[str, object]:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _place(value: object) -> Place | None:
    match value:
        case {"host": str(host), "boot": str(boot), "namespace": str(namespace)}:
            return Place(host, boot, namespace)
        case _:
            return None


def _entry(value: object) -> LedgerEntry | None:
    match value:
        case {
            "process": {"pid": int(pid), "start": str(start)},
            "owner": str(owner),
            "marker": str(marker),
            "group": int(group),
        } if pid > 1 and group in (0, pid) and _MARKER.fullmatch(marker):
            return LedgerEntry(Identity(pid, start), owner[:OWNER_SHOWN], marker, group)
        case _:
            return None
