"""The tables of the history file, and how an older file becomes a present one.

A change of the tables is one more script at the end; a released script is never edited.
"""

from __future__ import annotations

import logging
import sqlite3

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
