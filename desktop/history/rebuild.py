"""Makes a new history file of one that is damaged or of an older version.

Reads what can be read, the latest calls first, until the limits are reached. The old file keeps its
content under another name; it goes only where it was sound and everything in it was taken over.
Works in the thread of the history, on files that nobody else of the app changes meanwhile.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from desktop.base.file_lock import FileLock, locked
from desktop.base.translatable import translatable
from desktop.history.database import (
    BUSY_LIMIT,
    SIDES,
    HistoryDatabase,
    StrangeFileError,
    place_of,
)
from desktop.history.records import LastRun
from desktop.history.serialization import COLUMNS, CallRow, searched_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from desktop.history.database import FilePlace
    from desktop.history.serialization import HistoryLimits

_LOCK_LIMIT = 60.0
"""Seconds that another process may take to do the same."""
_BATCH = 500
"""Calls that are written at a time."""


class _Taken(NamedTuple):
    calls: int
    unread: int
    """Calls of which something could not be read; at least so many."""
    left: int
    """Calls that can be read and did not fit the limits."""


def replace_file(
    path: Path, place: FilePlace | None, error: StrangeFileError, limits: HistoryLimits
) -> str:
    """Put the file aside, with a new one in its place; returns the sentence to tell a person.

    Empty where there is nothing to tell: an older file was taken over whole, or another process has
    done all this meanwhile.

    Args:
        path: where the history is.
        place: which file was there when it turned out to be strange.
        error: what it is.
        limits: how much is taken over.

    Raises:
        OSError, sqlite3.Error: it cannot be done; the file is as it was.
        TimeoutError: another process took too long.
    """
    with locked(FileLock(path.with_name(f"{path.name}.lock")), _LOCK_LIMIT):
        if place_of(path) != place:
            return ""
        if error.kind in ("older", "damaged"):
            return _rebuild(path, error, limits)
        kept = _put_aside(path, error.kind)
        return translatable(
            "{path} {why}. It was put aside as {name}; a new one was begun.",
            path=path,
            why=str(error),
            name=kept.name,
        )


def _rebuild(path: Path, error: StrangeFileError, limits: HistoryLimits) -> str:
    new = path.with_name(f"{path.name}.new")
    _remove(new)
    try:
        with ExitStack() as opened:  # until the new one is there nobody can add to the old one
            taken = _take_over(path, new, limits, opened)
            if os.name == "nt":  # which renames no open file
                opened.close()
            kept = _put_aside(path, error.kind)
            new.replace(path)
    finally:
        _remove(new)
    if error.kind == "older" and not (taken.unread or taken.left):
        _remove(kept)
        return ""
    return _sentence(path, str(error), kept, taken)


def _sentence(path: Path, why: str, kept: Path, taken: _Taken) -> str:
    return translatable(
        "{path} {why}. {taken} calls were taken over into a new file, {unread} could not be read,"
        " {left} older ones did not fit. The old file was kept as {name}.",
        path=path,
        why=why,
        taken=f"{taken.calls:,}",
        unread=f"{taken.unread:,}",
        left=f"{taken.left:,}",
        name=kept.name,
    )


def _put_aside(path: Path, kind: str) -> Path:
    """Give the file and what SQLite keeps beside it another name; returns the new one."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        target = path.with_name(f"{path.name}.{kind}-{stamp}{f'-{number}' if number else ''}")
        if not target.exists():
            break
        number += 1
    for side in SIDES:
        source = path.with_name(path.name + side)
        if source.exists():
            source.rename(target.with_name(target.name + side))
    return target


def _remove(path: Path) -> None:
    for side in SIDES:
        path.with_name(path.name + side).unlink(missing_ok=True)


def _take_over(path: Path, new: Path, limits: HistoryLimits, opened: ExitStack) -> _Taken:
    with closing(HistoryDatabase(new, limits)) as target:
        target.write_unsafely()
        old = _open_old(path, new)
        opened.callback(old.close)
        source = _Source(old, limits)
        taken = _copy_calls(source, target, limits)
        for place, run in source.last_runs():
            target.keep_last_run(place, run)
        target.pack()
    return taken


def _copy_calls(source: _Source, target: HistoryDatabase, limits: HistoryLimits) -> _Taken:
    calls = size = left = 0
    batch: list[tuple[int, CallRow]] = []
    for number in source.numbers():
        if calls >= limits.calls or size >= limits.total:
            left = source.count_below(number + 1)
            break
        if (row := source.row(number)) is None:
            continue
        batch.append((number, row))
        calls, size = calls + 1, size + row.size
        if len(batch) == _BATCH:
            target.add_older(batch)
            batch = []
    target.add_older(batch)
    return _Taken(calls, source.unread(calls + left), left)


def _open_old(path: Path, new: Path) -> sqlite3.Connection:
    """The file to be read, as well as can be."""
    connection = sqlite3.connect(path, timeout=BUSY_LIMIT, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")  # nobody adds to it while it is copied
        connection.execute("SELECT id FROM calls LIMIT 1").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        connection.close()
        if isinstance(error, sqlite3.OperationalError) and _is_busy(error):
            raise
        return _open_mended(path, new)
    return connection


def _open_mended(path: Path, new: Path) -> sqlite3.Connection:
    """A copy with the list of tables of a new file: it is the same in each of this version."""
    mended = new.with_name(f"{new.name}.mended")
    shutil.copyfile(path, mended)
    try:
        _mend_first_page(mended, new)
        connection = sqlite3.connect(mended, isolation_level=None)
    finally:
        if os.name == "posix":  # it stays there for as long as it is open
            mended.unlink(missing_ok=True)
    return connection


def _is_busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _mend_first_page(mended: Path, new: Path) -> None:
    size = 4096
    with new.open("rb") as fresh, mended.open("r+b") as file:
        page = bytearray(fresh.read(size))
        pages = file.seek(0, os.SEEK_END) // size
        page[28:32] = pages.to_bytes(4, "big")  # how many pages there are
        page[32:40] = bytes(8)  # no list of free pages: nothing is written to this file
        file.seek(0)
        file.write(page)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


class _Source:
    """The calls of an old file, of any version; what cannot be read is passed over."""

    def __init__(self, connection: sqlite3.Connection, limits: HistoryLimits) -> None:
        self._connection, self._limits = connection, limits
        connection.row_factory = sqlite3.Row
        connection.text_factory = _text
        self._failed = 0
        self._is_old = not self._first("SELECT 1 FROM sqlite_master WHERE name = 'contents'")
        if not self._is_old:
            self._reader = HistoryDatabase.over(connection, limits)

    def numbers(self) -> Iterator[int]:
        """The ids of the calls, the latest first; where a page is broken, on below it."""
        below, gap = 1 << 62, 1
        while below > 1:
            query = "SELECT id FROM calls NOT INDEXED WHERE id < ? ORDER BY id DESC LIMIT ?"
            try:
                found = self._connection.execute(query, [below, _BATCH]).fetchall()
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                self._failed += 1
                highest = self._highest()
                below, gap = min(below, highest + 1) - gap, gap * 2
                continue
            gap = 1
            numbers = [row[0] for row in found if row[0] < below]
            if not numbers:
                return
            yield from numbers
            below = numbers[-1]

    def _highest(self) -> int:
        row = self._first("SELECT seq FROM sqlite_sequence WHERE name = 'calls'")
        is_known = row is not None and isinstance(row[0], int) and row[0] > 0
        return cast("int", row[0]) if is_known and row is not None else 1 << 24

    def row(self, number: int) -> CallRow | None:
        try:
            row = self._old_row(number) if self._is_old else self._reader.row(number)
        except (StrangeFileError, sqlite3.DatabaseError, ValueError, TypeError, LookupError):
            row = None
        if row is None:
            self._failed += 1
        return row

    def unread(self, known: int) -> int:
        """How many calls are missing beside the `known` ones."""
        by_index = "SELECT count(*) FROM calls INDEXED BY calls_by_time"
        totals = self._first(by_index if self._is_old else "SELECT calls FROM totals")
        said = totals[0] if totals is not None and isinstance(totals[0], int) else 0
        is_likely = known <= said <= self._highest()
        return max(self._failed, said - known) if is_likely else self._failed

    def count_below(self, number: int) -> int:
        row = self._first(f"SELECT count(*) FROM calls WHERE id < {number}")
        return cast("int", row[0]) if row is not None else 0

    def last_runs(self) -> Iterator[tuple[tuple[str, str], LastRun]]:
        from datetime import UTC, datetime

        with suppress(sqlite3.DatabaseError, UnicodeDecodeError, TypeError, ValueError):
            for row in self._connection.execute("SELECT * FROM last_runs"):
                at = datetime.fromtimestamp(row["at"], UTC)
                run = LastRun(row["outcome"], at, row["seconds"])
                yield (row["file"], row["name"]), run

    def _first(self, query: str) -> sqlite3.Row | None:
        try:
            return cast("sqlite3.Row | None", self._connection.execute(query).fetchone())
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return None

    def _old_row(self, number: int) -> CallRow | None:
        """A call of the versions 1 to 4; it has no checksum, but has to be what is written."""
        found = self._connection.execute("SELECT * FROM calls WHERE id = ?", [number]).fetchone()
        if found is None:
            return None
        row: dict[str, Any] = dict(found)
        contents = {name: row[name] for name in ("arguments", "body", "hidden", "cut")}
        body: Mapping[str, Any] = json.loads(contents["body"])
        arguments: bytes = contents["arguments"]
        for text in (contents["hidden"], contents["cut"], arguments):
            json.loads(text)
        text = searched_text(row["key"], arguments.decode(), str(body["output"]), self._limits)
        summary = {each.name: each.of(row) for each in COLUMNS}
        return CallRow(summary, contents, text, self._old_media(number))

    def _old_media(self, number: int) -> dict[int, bytes]:
        query = "SELECT position, data FROM media WHERE call = ?"
        return {row["position"]: row["data"] for row in self._connection.execute(query, [number])}
