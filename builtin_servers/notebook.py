"""Opens the file that the memory server keeps: one SQLite database, shared by several processes.

Every change is a transaction in write-ahead mode, so a crash loses at most what was not answered.
A file that is damaged is set aside under another name, never overwritten, and that is said.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

VERSION = 1
_LOCK_WAIT = 10.0
_PARTS = ("", "-wal", "-shm")

_TABLES = """
CREATE TABLE IF NOT EXISTS entity (name TEXT PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS observation (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    content TEXT NOT NULL,
    UNIQUE (entity, content)
);
CREATE TABLE IF NOT EXISTS relation (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    target TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    type TEXT NOT NULL,
    UNIQUE (source, target, type)
);
CREATE INDEX IF NOT EXISTS relation_target ON relation (target);
"""
_INDEX = """
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, entity UNINDEXED);
DELETE FROM words;
INSERT INTO words SELECT name || ' ' || type, name FROM entity;
INSERT INTO words SELECT content, entity FROM observation;
CREATE TRIGGER entity_words AFTER INSERT ON entity BEGIN
    INSERT INTO words VALUES (new.name || ' ' || new.type, new.name);
END;
CREATE TRIGGER observation_words AFTER INSERT ON observation BEGIN
    INSERT INTO words VALUES (new.content, new.entity);
END;
CREATE TRIGGER observation_unwords AFTER DELETE ON observation BEGIN
    DELETE FROM words WHERE entity = old.entity AND text = old.content;
END;
CREATE TRIGGER entity_unwords AFTER DELETE ON entity BEGIN
    DELETE FROM words WHERE entity = old.name;
END;
"""
_TRIGGERS = ("entity_words", "observation_words", "observation_unwords", "entity_unwords")


class Notebook:
    """The file at `path`; `set_aside` is where a damaged one went, if that happened just now."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.set_aside = ""
        self.has_index = False
        self._is_checked = False

    @contextmanager
    def open(self) -> Generator[sqlite3.Connection]:
        """A transaction: all of it is kept, or nothing. Raises `ToolError`."""
        try:
            if not self._is_checked:
                self._prepare()
                self._is_checked = True
            with closing(_connect(self.path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                with connection:
                    yield connection
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                self._is_checked = False  # the next call looks, and sets the file aside
            raise ToolError(f"The memory at {self.path} cannot be used: {error}") from error
        except OSError as error:
            raise ToolError(
                f"The memory at {self.path} cannot be used: {error.strerror}"
            ) from error

    def _prepare(self) -> None:
        folder = os.path.dirname(self.path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # One process at a time: two must not both set aside, the second a good new file.
        with _locked(f"{self.path}.lock"):
            try:
                self.has_index = _set_up(self.path)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self.set_aside = self._put_aside()
                self.has_index = _set_up(self.path)

    def _put_aside(self) -> str:
        kept = f"{self.path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        for part in _PARTS:
            with suppress(FileNotFoundError):
                os.rename(self.path + part, kept + part)
        return kept


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.create_function("fold", 1, _fold, deterministic=True)
    return connection


def _fold(text: object) -> str:
    return str(text).casefold()


def _set_up(path: str) -> bool:
    """Make or check the tables; whether there is a full-text index."""
    is_new = not os.path.exists(path)
    with closing(_connect(path)) as connection:
        if is_new:
            os.chmod(path, 0o600)
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"malformed: {found}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise ToolError(f"The memory at {path} was made by a newer version of mcp-desktop")
        if version < VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            # IMMEDIATE: a reader that becomes a writer is refused at once where another writes.
            script = f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
            connection.executescript(script)
        return _set_up_index(connection)


def _set_up_index(connection: sqlite3.Connection) -> bool:
    """Where this SQLite has no FTS5 the triggers go, for they would fail; they come back later."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5 (a)")
    except sqlite3.OperationalError:
        for trigger in _TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        return False
    sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
    if connection.execute(sql).fetchone()[0] != len(_TRIGGERS):
        connection.executescript(f"BEGIN IMMEDIATE; {_INDEX} COMMIT;")
    return True


def _is_damage(error: sqlite3.Error) -> bool:
    return "malformed" in str(error) or "not a database" in str(error)


@contextmanager
def _locked(path: str) -> Generator[None]:
    """Holds a lock that ends with the process. Without one (Windows) SQLite's own must do."""
    lock = _import_lock()
    with open(path, "w", encoding="ascii") as file:
        if lock is not None:
            lock(file.fileno())
        yield


def _import_lock() -> Callable[[int], None] | None:
    try:
        import fcntl
    except ImportError:
        return None
    return lambda fd: fcntl.flock(fd, fcntl.LOCK_EX)
