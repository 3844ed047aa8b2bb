"""Opens, reads and writes the history file; an older one is migrated.

Lives in one thread and must not know the loop. A migration is one more script at the end; a
released script is never edited. A file that is damaged, foreign or of a newer version is put aside
under another name with its content, so that nothing is lost silently. Every method may raise
`sqlite3.Error`; then nothing of it was done.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop.history.records import DONE, FAILED, CallPage, LastRun
from desktop.history.serialization import decode, summary_of
from desktop.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from desktop.history.records import Query, Record, SavedCallPlace
    from desktop.history.serialization import CallRow, HistoryLimits

APPLICATION_ID = 0x4D435048
"""Says that a file is ours: "MCPH" (SQLite, PRAGMA application_id)."""
_SCRIPTS = (
    """
    CREATE TABLE calls(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        call_id TEXT NOT NULL, key TEXT NOT NULL, at REAL NOT NULL, duration REAL NOT NULL,
        origin TEXT NOT NULL, outcome TEXT NOT NULL, short TEXT NOT NULL, message TEXT NOT NULL,
        arguments BLOB NOT NULL, body BLOB NOT NULL, hidden TEXT NOT NULL, cut TEXT NOT NULL
    );
    CREATE INDEX calls_by_time ON calls(at);
    CREATE TABLE media(
        call INTEGER NOT NULL REFERENCES calls(id) ON DELETE CASCADE,
        position INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (call, position)
    );
    CREATE {search};
    CREATE TRIGGER calls_deleted AFTER DELETE ON calls
        BEGIN DELETE FROM search WHERE rowid = old.id; END;
    """,
    """
    CREATE TABLE last_runs(
        file TEXT NOT NULL, name TEXT NOT NULL, outcome TEXT NOT NULL, at REAL NOT NULL,
        seconds REAL NOT NULL, PRIMARY KEY (file, name)
    );
    """,
    """
    ALTER TABLE calls ADD COLUMN kind TEXT NOT NULL DEFAULT 'tool';
    """,
    """
    ALTER TABLE calls ADD COLUMN model TEXT NOT NULL DEFAULT '';
    ALTER TABLE calls ADD COLUMN approval_wait REAL NOT NULL DEFAULT 0;
    """,
)
VERSION = len(_SCRIPTS)
# Three letters at a time: any part of a word is found, in Chinese too.
_INDEXED = "VIRTUAL TABLE search USING fts5(key, arguments, output, tokenize='trigram')"
_PLAIN = "TABLE search(key TEXT, arguments TEXT, output TEXT)"

logger = logging.getLogger(__name__)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring the tables from `version` (0: an empty file) to `VERSION`, inside a transaction."""
    search = _INDEXED if _has_index(connection) else _PLAIN
    for script in _SCRIPTS[version:]:
        for statement in _statements(script.format(search=search)):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> list[str]:
    """Not `executescript`: that would end the transaction."""
    found, text = list[str](), ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found


def _has_index(connection: sqlite3.Connection) -> bool:
    """Whether this SQLite can index text (FTS5, and trigrams since 3.34)."""
    try:
        connection.execute(f"CREATE {_INDEXED.replace('TABLE search', 'TABLE temp.probe')}")
        connection.execute("DROP TABLE temp.probe")
    except sqlite3.OperationalError as error:
        logger.info("the history is searched without an index: %s", error)
        return False
    return True


BUSY_LIMIT = 5.0
"""Seconds that another process may keep the file to itself."""
_MAX_WAL_BYTES = 4_000_000
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SIDES = ("", "-wal", "-shm")


class StrangeFileError(Exception):
    """The file is there and can be read, and is no history of ours: `kind` is for its new name."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def open_file(path: Path) -> sqlite3.Connection:
    """A connection for this thread, to tables of the present version; made where there are none.

    Raises:
        StrangeFileError: it has to be put aside.
        sqlite3.Error, OSError: it cannot be opened.
    """
    make_private_folder(path.parent)
    os.close(open_private(path, os.O_RDWR | os.O_CREAT))  # SQLite gives its files that mode
    connection = sqlite3.connect(path, timeout=BUSY_LIMIT, isolation_level=None)
    try:
        connection.row_factory = sqlite3.Row
        _prepare(connection)
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_damaged(error):
            raise StrangeFileError("damaged", f"is damaged ({error})") from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGED


def is_sound(path: Path) -> bool:
    """Whether the file can be opened and read to its end; takes a second where it is large."""
    try:
        connection = open_file(path)
    except (StrangeFileError, sqlite3.DatabaseError):
        return False
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()


def put_aside(path: Path, kind: str) -> Path:
    """Give the file and what SQLite keeps beside it another name; returns the new one.

    Raises:
        OSError: it cannot be renamed.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        target = path.with_name(f"{path.name}.{kind}-{stamp}{f'-{number}' if number else ''}")
        if not target.exists():
            break
        number += 1
    for side in _SIDES:
        source = path.with_name(path.name + side)
        if source.exists():
            source.rename(target.with_name(target.name + side))
    return target


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in (
        "foreign_keys = ON",
        "secure_delete = ON",
        f"journal_size_limit = {_MAX_WAL_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    if not _number(connection, "PRAGMA schema_version"):  # later it could not be set any more
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("BEGIN IMMEDIATE")  # of several processes one makes the tables
    try:
        _bring_up_to_date(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    # Readers and a writer side by side; a process that is killed loses nothing that was written.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    version = _number(connection, "PRAGMA user_version")
    owner = _number(connection, "PRAGMA application_id")
    if owner != APPLICATION_ID and _number(connection, "SELECT count(*) FROM sqlite_master"):
        raise StrangeFileError("foreign", "is the database of another program")
    if version > VERSION:
        raise StrangeFileError("newer", f"is of a newer version ({version}, known is {VERSION})")
    if version < VERSION:
        migrate(connection, version)


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


_SELECT = """
    SELECT id, key, at, duration, origin, outcome, short, message, kind, call_id, model,
           approval_wait, EXISTS (SELECT 1 FROM media WHERE media.call = calls.id) AS has_media
    FROM calls"""
_INSERT = """
    INSERT INTO calls(call_id, key, at, duration, origin, outcome, short, message,
                      arguments, body, hidden, cut, kind, model, approval_wait)
    VALUES (:call_id, :key, :at, :duration, :origin, :outcome, :short, :message,
            :arguments, :body, :hidden, :cut, :kind, :model, :approval_wait)"""
_DELETE_OLDEST = "DELETE FROM calls WHERE id IN (SELECT id FROM calls ORDER BY id LIMIT ?)"
_DELETE_OLD_RUNS = """DELETE FROM last_runs WHERE rowid NOT IN
    (SELECT rowid FROM last_runs ORDER BY at DESC LIMIT ?)"""
_MAX_RUNS = 5_000
_COUNT = "SELECT count(*) FROM calls"
_MATCH = " AND id IN (SELECT rowid FROM search WHERE search MATCH ?)"
_LIKE = """ AND id IN (SELECT rowid FROM search
    WHERE key || char(10) || arguments || char(10) || output LIKE ? ESCAPE '\\')"""
_INDEXED_FROM = 3
"""Letters a word has at least to be found by the index."""
_MAX_WORDS = 12
_PART = 20
"""One in so many calls goes at a time when the file has become too large."""


class HistoryDatabase:
    """The calls in one file."""

    def __init__(self, connection: sqlite3.Connection, limits: HistoryLimits) -> None:
        """Own `connection` from here on; it is closed where this fails, too.

        Raises:
            StrangeFileError: a table is not there.
        """
        self._connection, self._limits = connection, limits
        try:
            self._is_indexed = self._finds_index()
            self._seen = self._one("PRAGMA data_version")
        except BaseException:
            connection.close()
            raise

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
        return CallPage(tuple(summary_of(row, has_media=row["has_media"]) for row in rows), total)

    def servers(self) -> list[str]:
        """The names of all servers that calls are kept of."""
        rows = self._connection.execute(
            "SELECT DISTINCT substr(key, 1, instr(key, ':') - 1) FROM calls"
        )
        return sorted((row[0] for row in rows), key=str.lower)

    def oldest(self) -> float | None:
        """When the oldest call started, in seconds since the epoch; None where there is none."""
        return self._connection.execute("SELECT min(at) FROM calls").fetchone()[0]

    def get(self, number: int) -> Record | None:
        """The whole of one call; None where it is gone."""
        found = self._connection.execute("SELECT * FROM calls WHERE id = ?", [number]).fetchone()
        if found is None:
            return None
        media = self._connection.execute("SELECT position, data FROM media WHERE call=?", [number])
        return decode(found, {row["position"]: row["data"] for row in media})

    def media(self, number: int, count: int) -> list[bytes]:
        """The first pictures and sounds of one call."""
        query = "SELECT data FROM media WHERE call = ? ORDER BY position LIMIT ?"
        return [row["data"] for row in self._connection.execute(query, [number, count])]

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
            self._connection.execute(_DELETE_OLD_RUNS, [_MAX_RUNS])

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

    def _finds_index(self) -> bool:
        query = "SELECT sql FROM sqlite_master WHERE name = 'search'"
        found = self._connection.execute(query).fetchone()
        if found is None:
            raise StrangeFileError("damaged", "lacks the table that is searched")
        return "fts5" in str(found[0])

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
        # No numbers: Python 3.12 takes `?1` for a name, and warns of it.
        where, values = " WHERE 1", list[Any]()
        for condition, value, is_set in (
            (" AND key = ? AND kind = 'tool'", query.key, query.key),
            (" AND at >= ?", query.since, query.since),
            (" AND origin = ?", query.origin, query.origin),
            (" AND substr(key, 1, instr(key, ':') - 1) = ?", query.server, query.server),
            (" AND outcome != ?", DONE, query.outcome == FAILED),
            (" AND outcome = ?", query.outcome, query.outcome not in ("", FAILED)),
        ):
            if is_set:
                where += condition
                values.append(value)
        for word in query.text.split()[:_MAX_WORDS]:
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
