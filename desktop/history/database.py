"""Opens, reads and writes the history file.

Lives in one thread and must not know the loop. Each row has a checksum: what the disk changed is
recognised when it is read. A file that is damaged, foreign, older or of a newer version is not
touched: `StrangeFileError` says which, and `desktop.history.rebuild` makes a new one of it. Every
method may raise `sqlite3.Error` or `StrangeFileError`; then nothing of it was done.

The journal is a rollback journal and not a write-ahead log: the file is whole whenever nothing is
being written, a damaged log cannot take calls along, and it works on a network disk.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.base.private_files import make_private_folder, open_private
from desktop.history.records import DONE, FAILED, CallPage, Kept, LastRun
from desktop.history.serialization import COLUMNS, COUNTED, CallRow, decode, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from pathlib import Path

    from desktop.history.records import Query, Record, SavedCallPlace, Summary
    from desktop.history.serialization import HistoryLimits

APPLICATION_ID = 0x4D435048
"""Says that a file is ours: "MCPH" (SQLite, PRAGMA application_id)."""
VERSION = 5
"""Versions 1 to 4 had a full-text index in place of `searched`, and no checksums."""
MEDIA_BITS = 20
"""The id of a picture or sound is that of its call, times two to this, plus its position."""
_SQL = {str: "TEXT", float: "REAL", int: "INTEGER"}
_DECLARED = ", ".join(f"{each.name} {_SQL[each.type]} NOT NULL" for each in (*COLUMNS, *COUNTED))
_TABLES = f"""
    CREATE TABLE calls(
        id INTEGER PRIMARY KEY AUTOINCREMENT, {_DECLARED}, checksum INTEGER NOT NULL
    );
    CREATE TABLE contents(
        call INTEGER PRIMARY KEY, arguments BLOB NOT NULL, body BLOB NOT NULL, hidden TEXT NOT NULL,
        cut TEXT NOT NULL, checksum INTEGER NOT NULL
    );
    CREATE TABLE media(
        id INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL
    );
    CREATE TABLE searched(call INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE last_runs(
        file TEXT NOT NULL, name TEXT NOT NULL, outcome TEXT NOT NULL, at REAL NOT NULL,
        seconds REAL NOT NULL, PRIMARY KEY (file, name)
    );
    CREATE TABLE totals(calls INTEGER NOT NULL, bytes INTEGER NOT NULL, checked REAL NOT NULL);
    INSERT INTO totals VALUES (0, 0, 0);
    CREATE TRIGGER call_added AFTER INSERT ON calls BEGIN
        UPDATE totals SET calls = calls + 1, bytes = bytes + new.size;
    END;
    CREATE TRIGGER call_deleted AFTER DELETE ON calls BEGIN
        UPDATE totals SET calls = calls - 1, bytes = bytes - old.size;
        DELETE FROM contents WHERE call = old.id;
        DELETE FROM searched WHERE call = old.id;
        DELETE FROM media WHERE id >= old.id << {MEDIA_BITS} AND id < (old.id + 1) << {MEDIA_BITS};
    END;
"""

BUSY_LIMIT = 5.0
"""Seconds that another process may keep the file to itself."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
SIDES = ("", "-journal", "-wal", "-shm")
"""What ends the names of the files that SQLite keeps of one history; the last two of before."""


class StrangeFileError(Exception):
    """The file can be read and is no history of today: `kind` is for its new name."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class ReplacedFileError(Exception):
    """Another file, or none, is in the place of the one that was opened."""


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
        with recognising_damage(is_reading=True):
            _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def recognising_damage(*, is_reading: bool) -> Generator[None]:
    """Turn what damage looks like to SQLite and Python into `StrangeFileError`.

    A text that is no UTF-8, be it in a row or in SQLite's own message, is damage: all that was
    written is UTF-8. While the file is read, so is a value of another type than its column's.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_damaged(error):
            raise StrangeFileError("damaged", f"is damaged ({error})") from error
        raise
    except (TypeError, ValueError, LookupError) as error:
        if not (is_reading or isinstance(error, UnicodeDecodeError)):
            raise
        raise StrangeFileError("damaged", f"is damaged ({error})") from error


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # Python's own: a text of the file that is no UTF-8
        return "decode to UTF-8" in str(error)
    lacks = code == sqlite3.SQLITE_ERROR and str(error).startswith("no such ")
    return code & 0xFF in _DAMAGED or lacks


def checksum(*values: object) -> int:
    """A number that changes with any of these texts, numbers and bytes."""
    found = 0
    for value in values:
        part = value if isinstance(value, bytes) else repr(value).encode()
        found = zlib.crc32(part, found)
    return found


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA secure_delete = ON")  # what was deleted is not left in the file
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -256")  # KiB: the system has the file's pages, too
    if not _number(connection, "PRAGMA schema_version"):  # later it could not be set any more
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    is_known = _require_known(connection)
    connection.execute("PRAGMA journal_mode = TRUNCATE")
    if is_known:
        return
    connection.execute("BEGIN IMMEDIATE")  # of several processes one makes the tables
    try:
        if not _require_known(connection):
            for statement in _statements(_TABLES):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _require_known(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there and those of today; False where the file is empty."""
    version = _number(connection, "PRAGMA user_version")
    owner = _number(connection, "PRAGMA application_id")
    if owner != APPLICATION_ID:
        if _number(connection, "SELECT count(*) FROM sqlite_master"):
            raise StrangeFileError("foreign", "is the database of another program")
        return False
    if version > VERSION:
        raise StrangeFileError("newer", f"is of a newer version ({version}, known is {VERSION})")
    if version < VERSION:
        raise StrangeFileError("older", f"is of an older version ({version})")
    return True


def _statements(script: str) -> list[str]:
    """Not `executescript`: that would end the transaction."""
    found, text = list[str](), ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


_SUMMARY = tuple(each.name for each in (*COLUMNS, *COUNTED))
_CONTENTS = ("arguments", "body", "hidden", "cut")
_INSERT_CALL = (
    f"INSERT INTO calls(id, {', '.join(_SUMMARY)}, checksum) "
    f"VALUES (?, {', '.join('?' * len(_SUMMARY))}, ?)"
)
_INSERT_CONTENTS = f"INSERT INTO contents VALUES (?, {', '.join('?' * len(_CONTENTS))}, ?)"
_OLDEST = "SELECT id, at, size FROM calls ORDER BY id"
_DELETE_OLD_RUNS = """DELETE FROM last_runs WHERE rowid NOT IN
    (SELECT rowid FROM last_runs ORDER BY at DESC LIMIT ?)"""
_MAX_RUNS = 5_000
_MAX_WORDS = 12
_STEP = 500
"""Calls that one write removes at most, unless they are smaller than what it added."""
_STAYS = 20
"""The latest calls, which no clock can make too old: it may have jumped."""
_CHECK_AFTER = 24 * 3600.0
_VACUUM_PAGES = 2_000


class FilePlace(NamedTuple):
    """Which file has a name at the moment."""

    device: int
    number: int


def place_of(path: Path) -> FilePlace | None:
    """Which file is there; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return FilePlace(status.st_dev, status.st_ino)


class _Surplus(NamedTuple):
    """The oldest calls that are too many: how many, their bytes, and the id of the last of them."""

    calls: int = 0
    size: int = 0
    last: int = 0
    is_all: bool = True


class HistoryDatabase:
    """The calls in one file. `limits` may be replaced; the next write follows them."""

    def __init__(self, path: Path, limits: HistoryLimits) -> None:
        """Open the file.

        Raises:
            StrangeFileError: it has to be put aside.
            sqlite3.Error, OSError: it cannot be opened.
        """
        self.limits = limits
        self._path = path
        self._connection = open_file(path)
        try:
            self._place = place_of(self._path)
            self._seen = self._one("PRAGMA data_version")
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def over(cls, connection: sqlite3.Connection, limits: HistoryLimits) -> HistoryDatabase:
        """Reads the rows of a file that may be damaged; must not be used for more."""
        made = cls.__new__(cls)
        made.limits, made._connection = limits, connection
        return made

    def close(self) -> None:
        self._connection.close()

    def write_unsafely(self) -> None:
        """Do without a journal until it is closed: for a new file that takes over an old one."""
        self._connection.execute("PRAGMA journal_mode = MEMORY")

    def pack(self) -> None:
        """Write the pages in order: calls that were added the latest first fill them by half."""
        self._connection.execute("VACUUM")

    def add_older(self, rows: Iterable[tuple[int, CallRow]]) -> None:
        """Add calls with their ids, all or none."""
        with self._transaction():
            for number, row in rows:
                self._add(row, number)

    def require_place(self) -> None:
        """Raises `ReplacedFileError` where the file was removed, moved or replaced meanwhile."""
        if place_of(self._path) != self._place:
            raise ReplacedFileError

    def write(self, rows: Iterable[CallRow]) -> None:
        """Add calls, all or none, and remove the oldest ones that are too many."""
        with self._transaction():
            added = sum(self._add(row) for row in rows)
            self._remove_surplus(added)
        self._shrink(_VACUUM_PAGES)

    def _add(self, row: CallRow, number: int | None = None) -> int:
        """Insert one call; returns the bytes that it takes."""
        size = row.size
        values = [*(row.summary[each.name] for each in COLUMNS), len(row.media), size]
        sum_ = checksum(*values)
        added = self._connection.execute(_INSERT_CALL, [number, *values, sum_]).lastrowid or 0
        contents = [row.contents[name] for name in _CONTENTS]
        self._connection.execute(_INSERT_CONTENTS, [added, *contents, checksum(*contents)])
        self._connection.execute("INSERT INTO searched VALUES (?, ?)", [added, row.text])
        self._connection.executemany(
            "INSERT INTO media VALUES (?, ?, ?)",
            [
                [(added << MEDIA_BITS) + position, data, checksum(data)]
                for position, data in row.media.items()
            ],
        )
        return size

    def page(self, query: Query, before: int | None, count: int) -> CallPage:
        """`count` calls at most, older than the call `before`."""
        where, values = self._where(query)
        if values:
            numbers = self._all(f"SELECT id FROM calls{where} ORDER BY id DESC", values)
            found = [number for (number,) in numbers]
            total = len(found)
            below = (number for number in found if before is None or number < before)
            shown = [number for number, _ in zip(below, range(count), strict=False)]
            where, values = f" WHERE id IN ({', '.join('?' * len(shown))})", list(shown)
        else:
            total = self._one("SELECT calls FROM totals")
            if before is not None:
                where, values = " WHERE id < ?", [before]
        rows = self._all(f"SELECT * FROM calls{where} ORDER BY id DESC LIMIT ?", [*values, count])
        return CallPage(tuple(self._summary(row) for row in rows), total)

    def servers(self) -> list[str]:
        """The names of all servers that calls are kept of."""
        rows = self._all("SELECT DISTINCT substr(key, 1, instr(key, ':') - 1) FROM calls")
        return sorted((row[0] for row in rows), key=str.lower)

    def kept(self) -> Kept:
        """How much is kept, and since when."""
        calls, size = self._totals()
        oldest = self._connection.execute("SELECT at FROM calls ORDER BY id LIMIT 1").fetchone()
        since = datetime.fromtimestamp(oldest[0], UTC) if oldest else None
        return Kept(calls, size, since)

    def oldest(self, count: int) -> int | None:
        """The id of the call after the `count` oldest ones; None if there are no more of them."""
        rows = self._all("SELECT id FROM calls ORDER BY id LIMIT 1 OFFSET ?", [count])
        return rows[0][0] if rows else None

    def get(self, number: int) -> Record | None:
        """The whole of one call; None where it is gone."""
        found = self._all("SELECT * FROM calls WHERE id = ?", [number])
        if not found:
            return None
        self._summary(found[0])
        return decode(dict(found[0]) | self._contents(number), self._media(number))

    def row(self, number: int) -> CallRow | None:
        """One call as it is stored; None where it is gone."""
        found = self._all("SELECT * FROM calls WHERE id = ?", [number])
        if not found:
            return None
        self._summary(found[0])
        text = self._all("SELECT text FROM searched WHERE call = ?", [number])
        if not text:
            raise StrangeFileError("damaged", "lacks a part of a call")
        summary = {name: found[0][name] for name in _SUMMARY}
        return CallRow(summary, self._contents(number), text[0][0], self._media(number))

    def media(self, number: int, count: int) -> list[bytes]:
        """The first pictures and sounds of one call."""
        return list(self._media(number, count).values())

    def delete(self, numbers: Sequence[int]) -> None:
        """Remove these calls for good."""
        for start in range(0, len(numbers), _STEP):
            portion = numbers[start : start + _STEP]
            marks = ", ".join("?" * len(portion))
            self._delete(f"DELETE FROM calls WHERE id IN ({marks})", portion)
        self._shrink()

    def delete_before(self, at: float) -> None:
        """Remove the calls that started before `at`, in seconds since the epoch."""
        wanted = "SELECT id FROM calls WHERE at < ? ORDER BY id LIMIT ?"
        while self._all(wanted, [at, 1]):
            self._delete(f"DELETE FROM calls WHERE id IN ({wanted})", [at, _STEP])
        self._shrink()

    def trim(self) -> bool:
        """Remove some of what is over the limits; returns whether more of it is left."""
        with self._transaction():
            is_done = self._remove_surplus(0)
        self._shrink(_VACUUM_PAGES)
        return not is_done

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
        return {
            (row["file"], row["name"]): LastRun(
                row["outcome"], datetime.fromtimestamp(row["at"], UTC), row["seconds"]
            )
            for row in self._all("SELECT * FROM last_runs")
        }

    def has_changed(self) -> bool:
        """Whether another process has written since this was asked last."""
        now = self._one("PRAGMA data_version")
        was, self._seen = self._seen, now
        return was != now

    def check(self, *, is_due: bool = False) -> None:
        """Read the whole file and look whether it is sound; takes a second at 200 MB.

        Args: is_due: also where the last look was less than a day ago.

        Raises:
            StrangeFileError: it is damaged.
        """
        now = time.time()
        if not is_due and 0 <= now - self._one("SELECT checked FROM totals") < _CHECK_AFTER:
            return
        found = str(self._one("PRAGMA quick_check(1)"))
        if found != "ok":
            raise StrangeFileError("damaged", f"is damaged ({found})")
        counts = {self._one(f"SELECT count(*) FROM {table}") for table in ("calls", "contents")}
        counts |= {self._one("SELECT count(*) FROM searched"), self._totals()[0]}
        if len(counts) > 1:
            raise StrangeFileError("damaged", "lacks some calls")
        with self._transaction():
            self._connection.execute("UPDATE totals SET checked = ?", [now])

    def _summary(self, row: sqlite3.Row) -> Summary:
        if row["checksum"] != checksum(*(row[name] for name in _SUMMARY)):
            raise StrangeFileError("damaged", "has a call that the disk has changed")
        return summary_of(dict(row))

    def _contents(self, number: int) -> dict[str, Any]:
        rows = self._all("SELECT * FROM contents WHERE call = ?", [number])
        if not rows or rows[0]["checksum"] != checksum(*(rows[0][name] for name in _CONTENTS)):
            raise StrangeFileError("damaged", "has a result that the disk has changed")
        return {name: rows[0][name] for name in _CONTENTS}

    def _media(self, number: int, count: int = -1) -> dict[int, bytes]:
        first = number << MEDIA_BITS
        query = "SELECT * FROM media WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"
        rows = self._all(query, [first, first + (1 << MEDIA_BITS), count])
        if any(row["checksum"] != checksum(row["data"]) for row in rows):
            raise StrangeFileError("damaged", "has a picture that the disk has changed")
        kept = self._all("SELECT media FROM calls WHERE id = ?", [number])
        if kept and len(rows) < (kept[0][0] if count < 0 else min(count, kept[0][0])):
            raise StrangeFileError("damaged", "lacks a picture of a call")
        return {row["id"] - first: row["data"] for row in rows}

    def _totals(self) -> tuple[int, int]:
        row = self._connection.execute("SELECT calls, bytes FROM totals").fetchone()
        if row is None or not all(isinstance(value, int) for value in row):
            raise StrangeFileError("damaged", "lacks its totals")
        return row["calls"], row["bytes"]

    def surplus(self, limits: HistoryLimits) -> Kept:
        """How many calls, and bytes, would go if `limits` held now."""
        found = self._find_surplus(limits)
        return Kept(found.calls, found.size, None)

    def _remove_surplus(self, added: int) -> bool:
        """Remove the oldest calls beyond the limits, at most somewhat more than was `added` bytes.

        So that a limit that was lowered, or a file from elsewhere, costs no write a minute, and a
        person who sees calls go can still stop it. Returns whether all is within the limits.
        """
        found = self._find_surplus(
            self.limits, lambda count, size: count >= _STEP and size > 2 * added
        )
        if found.calls:
            self._connection.execute("DELETE FROM calls WHERE id <= ?", [found.last])
        return found.is_all

    def _find_surplus(
        self, limits: HistoryLimits, is_enough: Callable[[int, int], bool] = lambda _, __: False
    ) -> _Surplus:
        """The oldest calls beyond `limits`; `is_enough` of count and bytes ends the search."""
        calls, size = self._totals()
        too_old, found = self._oldest_time(limits.days), _Surplus()
        with closing(self._connection.execute(_OLDEST)) as oldest:
            for number, at, taken in oldest:
                is_over = calls > limits.calls or size > limits.total or at < too_old
                if not is_over or calls <= 1:
                    return found
                if is_enough(found.calls, found.size):
                    return found._replace(is_all=False)
                calls, size = calls - 1, size - taken
                found = _Surplus(found.calls + 1, found.size + taken, number)
        return found

    def _oldest_time(self, days: int) -> float:
        """When calls have to have started to be kept; the clock is not believed without calls."""
        if not days:
            return float("-inf")
        query = "SELECT at FROM calls ORDER BY id DESC LIMIT 1 OFFSET ?"
        row = self._connection.execute(query, [_STAYS - 1]).fetchone()
        if row is None:
            return float("-inf")
        return min(time.time(), row["at"]) - days * 24 * 3600

    def _delete(self, statement: str, values: Sequence[object]) -> None:
        try:
            with self._transaction():
                self._connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NO_ROOM:
                raise
            # A full disk has no room for a journal. Were this process killed in this moment, the
            # file would be damaged: that is recognised, and better than one that cannot be emptied.
            self._connection.execute("PRAGMA journal_mode = MEMORY")
            try:
                with self._transaction():
                    self._connection.execute(statement, values)
                self._shrink()
            finally:
                self._connection.execute("PRAGMA journal_mode = TRUNCATE")

    def _shrink(self, pages: int = 0) -> None:
        """Give room that nothing uses back to the disk, `pages` of it at most (0: all)."""
        free = self._one("PRAGMA freelist_count")
        if free and (not pages or free > self._one("PRAGMA page_count") // 10):
            # Not `execute`: it takes one step, and each step frees one page.
            self._connection.executescript(f"PRAGMA incremental_vacuum({pages})")

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
        words = query.text.lower().split()[:_MAX_WORDS]
        if words:
            found = " AND ".join(["instr(text, ?)"] * len(words))
            where += f" AND id IN (SELECT call FROM searched WHERE {found})"
        return where, [*values, *words]

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return self._connection.execute(query, values).fetchall()

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        row = self._connection.execute(query, values).fetchone()
        if row is None:
            raise StrangeFileError("damaged", "lacks a part of itself")
        return row[0]

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self.require_place()
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
