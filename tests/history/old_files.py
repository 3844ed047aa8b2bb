"""Files as earlier versions wrote them: the released scripts of 1 to 4, and their columns."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from desktop.history.database import APPLICATION_ID
from desktop.history.serialization import HistoryLimits, encode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop.history.records import FinishedCall

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
    CREATE VIRTUAL TABLE search USING fts5(key, arguments, output, tokenize='trigram');
    CREATE TRIGGER calls_deleted AFTER DELETE ON calls
        BEGIN DELETE FROM search WHERE rowid = old.id; END;
    """,
    """
    CREATE TABLE last_runs(
        file TEXT NOT NULL, name TEXT NOT NULL, outcome TEXT NOT NULL, at REAL NOT NULL,
        seconds REAL NOT NULL, PRIMARY KEY (file, name)
    );
    """,
    "ALTER TABLE calls ADD COLUMN kind TEXT NOT NULL DEFAULT 'tool';",
    """
    ALTER TABLE calls ADD COLUMN model TEXT NOT NULL DEFAULT '';
    ALTER TABLE calls ADD COLUMN approval_wait REAL NOT NULL DEFAULT 0;
    """,
)
_LATER = {"kind": 3, "model": 4, "approval_wait": 4}
"""Columns and the version they came with."""


def make_old_file(path: Path, calls: Iterable[FinishedCall], version: int = 4) -> None:
    """A history of `version` (1 to 4) with these calls, in its journal as a kill leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        for script in _SCRIPTS[:version]:
            connection.executescript(script)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        with connection:
            for call in calls:
                _add(connection, call, version)
            if version > 1:
                run = ("a.yaml", "first", "passed", 1_790_000_000.0, 0.5)
                connection.execute("INSERT INTO last_runs VALUES (?, ?, ?, ?, ?)", run)


def _add(connection: sqlite3.Connection, call: FinishedCall, version: int) -> None:
    row = encode(call, HistoryLimits())
    columns: dict[str, Any] = row.summary | row.contents
    columns = {name: value for name, value in columns.items() if _LATER.get(name, 0) <= version}
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    added = connection.execute(
        f"INSERT INTO calls({names}) VALUES ({marks})", list(columns.values())
    ).lastrowid
    texts = [row.summary["key"], row.contents["arguments"].decode(), call.result.output]
    connection.execute(
        "INSERT INTO search(rowid, key, arguments, output) VALUES (?, ?, ?, ?)", [added, *texts]
    )
    connection.executemany(
        "INSERT INTO media VALUES (?, ?, ?)", [[added, n, data] for n, data in row.media.items()]
    )
