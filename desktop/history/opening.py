"""Opens the history file, and puts one aside that is damaged, foreign or of a newer version.

What is put aside keeps its content under another name: nothing is lost silently.
"""

from __future__ import annotations

import os
import sqlite3
import time
from typing import TYPE_CHECKING

from desktop.history.tables import APPLICATION_ID, VERSION, migrate

if TYPE_CHECKING:
    from pathlib import Path

BUSY_LIMIT = 5.0
"""Seconds that another process may keep the file to itself."""
_WAL_KEPT = 4_000_000
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
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # readable by its owner alone
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
    for pragma in ("foreign_keys = ON", "secure_delete = ON", f"journal_size_limit = {_WAL_KEPT}"):
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
