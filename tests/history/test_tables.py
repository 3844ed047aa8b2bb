from __future__ import annotations

import sqlite3

import pytest

from desktop.history import tables
from desktop.history.tables import APPLICATION_ID, VERSION, migrate


@pytest.fixture
def connection() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


def names(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}


def test_an_empty_file_gets_all_tables_and_says_whose_it_is(connection: sqlite3.Connection) -> None:
    migrate(connection, 0)
    assert {"calls", "media", "search", "calls_by_time", "calls_deleted"} <= names(connection)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_an_older_file_only_gets_what_came_later(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(connection, 0)
    later = ("SELECT no_such_column FROM nowhere", "CREATE TABLE added(x);")
    monkeypatch.setattr(tables, "_SCRIPTS", later)
    migrate(connection, 1)
    assert "added" in names(connection)


def test_a_file_of_the_first_version_learns_how_saved_calls_went(
    connection: sqlite3.Connection,
) -> None:
    migrate(connection, 0)
    connection.execute("DROP TABLE last_runs")  # as the first version had it
    migrate(connection, 1)
    assert "last_runs" in names(connection)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
