"""Reads and writes the open history file. Lives in one thread; must not know the loop.

Every method may raise `sqlite3.Error`; then nothing of it was done.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop.history.encoding import decode, summary_of
from desktop.history.last_run import LastRun
from desktop.history.record import DONE, CallPage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Generator, Iterable, Sequence

    from desktop.history.bounds import HistoryLimits
    from desktop.history.encoding import CallRow
    from desktop.history.last_run import SavedCallPlace
    from desktop.history.record import Query, Record

_SELECT = "SELECT id, key, at, duration, origin, outcome, short, message FROM calls"
_INSERT = """
    INSERT INTO calls(call_id, key, at, duration, origin, outcome, short, message,
                      arguments, body, hidden, cut)
    VALUES (:call_id, :key, :at, :duration, :origin, :outcome, :short, :message,
            :arguments, :body, :hidden, :cut)"""
_DELETE_OLDEST = "DELETE FROM calls WHERE id IN (SELECT id FROM calls ORDER BY id LIMIT ?)"
_DELETE_OLD_RUNS = """DELETE FROM last_runs WHERE rowid NOT IN
    (SELECT rowid FROM last_runs ORDER BY at DESC LIMIT ?)"""
_MOST_RUNS = 5_000
_COUNT = "SELECT count(*) FROM calls"
_MATCH = " AND id IN (SELECT rowid FROM search WHERE search MATCH ?)"
_LIKE = """ AND id IN (SELECT rowid FROM search
    WHERE key || char(10) || arguments || char(10) || output LIKE ? ESCAPE '\\')"""
_INDEXED_FROM = 3
"""Letters a word has at least to be found by the index."""
_MOST_WORDS = 12
_PART = 20
"""One in so many calls goes at a time when the file has become too large."""


class HistoryDatabase:
    """The calls in one file."""

    def __init__(self, connection: sqlite3.Connection, limits: HistoryLimits) -> None:
        self._connection, self._limits = connection, limits
        query = "SELECT sql FROM sqlite_master WHERE name = 'search'"
        self._is_indexed = "fts5" in str(self._one(query))
        self._seen = self._one("PRAGMA data_version")

    def close(self) -> None:
        self._connection.close()

    def write(self, rows: Iterable[CallRow]) -> None:
        """Add calls, all or none, and remove the oldest ones that are too many."""
        with self._transaction():
            for row in rows:
                self._add(row)
            self._remove_surplus()

    def page(self, query: Query, before: int | None, count: int) -> CallPage:
        """`count` calls at most, older than the call `before`."""
        where, values = self._where(query)
        total = self._one(_COUNT + where, values)
        if before is not None:
            where += " AND id < ?"
            values = [*values, before]
        rows = self._connection.execute(
            f"{_SELECT}{where} ORDER BY id DESC LIMIT ?", [*values, count]
        )
        return CallPage(tuple(map(summary_of, rows)), total)

    def get(self, number: int) -> Record | None:
        """The whole of one call; None where it is gone."""
        found = self._connection.execute("SELECT * FROM calls WHERE id = ?", [number]).fetchone()
        if found is None:
            return None
        media = self._connection.execute("SELECT position, data FROM media WHERE call=?", [number])
        return decode(found, {row["position"]: row["data"] for row in media})

    def delete(self, numbers: Sequence[int]) -> None:
        """Remove these calls for good."""
        with self._transaction():
            self._connection.executemany("DELETE FROM calls WHERE id = ?", [[n] for n in numbers])
        self._give_back()

    def delete_before(self, at: float) -> None:
        """Remove the calls that started before `at`, in seconds since the epoch."""
        with self._transaction():
            self._connection.execute("DELETE FROM calls WHERE at < ?", [at])
        self._give_back()

    def keep_last_run(self, place: SavedCallPlace, run: LastRun) -> None:
        """Remember how a saved call went, in place of what was known; the oldest make room."""
        with self._transaction():
            values = (*place, run.outcome, run.at.timestamp(), run.seconds)
            self._connection.execute(
                "INSERT OR REPLACE INTO last_runs VALUES (?, ?, ?, ?, ?)", values
            )
            self._connection.execute(_DELETE_OLD_RUNS, [_MOST_RUNS])

    def last_runs(self) -> dict[SavedCallPlace, LastRun]:
        """How the saved calls went last, all that are known."""
        rows = self._connection.execute("SELECT * FROM last_runs").fetchall()
        return {
            (row["file"], row["name"]): LastRun(
                row["outcome"], datetime.fromtimestamp(row["at"], UTC), row["seconds"]
            )
            for row in rows
        }

    def has_changed(self) -> bool:
        """Whether another process has written since this was asked last."""
        now = self._one("PRAGMA data_version")
        was, self._seen = self._seen, now
        return was != now

    def _add(self, row: CallRow) -> None:
        added = self._connection.execute(_INSERT, row.columns).lastrowid
        self._connection.execute(
            "INSERT INTO search(rowid, key, arguments, output) VALUES (?, ?, ?, ?)",
            [added, *row.searched],
        )
        self._connection.executemany(
            "INSERT INTO media(call, position, data) VALUES (?, ?, ?)",
            [[added, position, data] for position, data in row.media.items()],
        )

    def _remove_surplus(self) -> None:
        surplus = self._one(_COUNT) - self._limits.calls
        if surplus > 0:
            self._remove_oldest(surplus)
        while self._used() > self._limits.total:
            left = self._one(_COUNT)
            if left <= 1:
                return
            self._remove_oldest(min(left - 1, left // _PART + 1))

    def _remove_oldest(self, count: int) -> None:
        self._connection.execute(_DELETE_OLDEST, [count])

    def _used(self) -> int:
        pages = self._one("PRAGMA page_count") - self._one("PRAGMA freelist_count")
        return pages * self._one("PRAGMA page_size")

    def _give_back(self) -> None:
        """The room to the disk, and nothing of what was removed left in index and journal."""
        if self._is_indexed:
            self._connection.execute("INSERT INTO search(search) VALUES ('optimize')")
        # Not `execute`: it takes one step, and each step frees one page.
        self._connection.executescript("PRAGMA incremental_vacuum")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _where(self, query: Query) -> tuple[str, list[Any]]:
        where = " WHERE (?1 = '' OR key = ?1) AND (NOT ?2 OR outcome != ?3)"
        values: list[Any] = [query.key, query.failed_only, DONE]
        for word in query.text.split()[:_MOST_WORDS]:
            condition, value = self._finds(word)
            where += condition
            values.append(value)
        return where, values

    def _finds(self, word: str) -> tuple[str, str]:
        if self._is_indexed and len(word) >= _INDEXED_FROM:
            return _MATCH, '"' + word.replace('"', '""') + '"'
        escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return _LIKE, f"%{escaped}%"

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self._connection.execute(query, values).fetchone()[0]

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
