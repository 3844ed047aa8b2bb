"""What a statement may do, how long it may take, and how its values come back."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from builtin_servers import sqlite_database
from builtin_servers.framework.tool import CallContext, ToolCallError
from builtin_servers.sqlite_database import SqliteDatabase, format_rows, sqlite_uri
from tests.builtin_command import ignore

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a b#?.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO t (name) VALUES (?)", [("one",), ("two",), (None,)])
    return path


def read(file: Path, sql: str, parameters: Any = (), max_rows: int = 100) -> dict[str, Any]:
    return SqliteDatabase(str(file), may_write=False).read(
        CallContext({}, ignore), sql, parameters, max_rows
    )


def write(file: Path, sql: str, parameters: Any = ()) -> int:
    return SqliteDatabase(str(file), may_write=True).write(CallContext({}, ignore), sql, parameters)


def test_rows_are_objects(file: Path) -> None:
    assert read(file, "SELECT * FROM t WHERE id > ?", [1]) == {
        "columns": ["id", "name"],
        "rows": [{"id": 2, "name": "two"}, {"id": 3, "name": None}],
        "truncated": False,
    }
    assert read(file, "SELECT name FROM t WHERE id = :id", {"id": 1})["rows"] == [{"name": "one"}]


def test_functions_that_answer_tables_can_be_asked(file: Path) -> None:
    found = read(file, "SELECT value FROM json_each(?)", ["[1, 2]"])
    assert found["rows"] == [{"value": 1}, {"value": 2}]


def test_columns_of_one_name_are_all_there(file: Path) -> None:
    (row,) = read(file, "SELECT 1 AS a, 2 AS a, 3 AS a_2")["rows"]
    assert row == {"a": 1, "a_2": 2, "a_2_2": 3}


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("x'00ff'", "x'00ff'"),
        ("9e999", "inf"),
        ("-9e999", "-inf"),
        ("9223372036854775807", 9223372036854775807),
        ("1.5", 1.5),
        ("CAST(x'e9' AS TEXT)", "\ufffd"),
    ],
)
def test_any_value_becomes_json(file: Path, sql: str, value: object) -> None:
    assert read(file, f"SELECT {sql} AS v")["rows"] == [{"v": value}]


def test_long_values_and_answers_are_cut_and_say_so(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = read(file, "SELECT printf('%.*c', 50000, 'x') AS v, zeroblob(50000) AS b")["rows"]
    assert row["v"].endswith("… (50000 characters)")
    assert row["b"].endswith("… (50000 bytes)")
    assert read(file, "SELECT * FROM t", max_rows=2)["truncated"] is True
    assert format_rows(read(file, "SELECT id FROM t", max_rows=1)).endswith(
        "the first 1 rows are shown.]"
    )
    monkeypatch.setattr(sqlite_database, "MAX_ANSWER_CHARS", 20)
    assert len(read(file, "SELECT * FROM t")["rows"]) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM t",
        "INSERT INTO t (name) VALUES ('x')",
        "UPDATE t SET name = 'x' RETURNING *",
        "DROP TABLE t",
        "CREATE TABLE u (a)",
        "CREATE TEMP TABLE u (a)",
        "ATTACH DATABASE '/etc/passwd' AS x",
        "VACUUM INTO '{file}.copy'",
        "PRAGMA user_version = 5",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA writable_schema = 1",
        "PRAGMA temp_store_directory = '/tmp'",
        "SELECT load_extension('/tmp/x')",
        "BEGIN EXCLUSIVE",
        "UPDATE sqlite_master SET sql = ''",
        "WITH a AS (SELECT 1) DELETE FROM t",
        "REPLACE INTO t VALUES (1, 'x')",
        "EXPLAIN QUERY PLAN DELETE FROM t",
    ],
)
def test_reading_changes_nothing_whatever_is_asked(file: Path, sql: str) -> None:
    before = file.read_bytes()
    with pytest.raises(ToolCallError):
        read(file, sql.format(file=file))
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE '{file}.other' AS x",
        "VACUUM INTO '{file}.copy'",
        "PRAGMA journal_mode = OFF",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('/tmp/x')",
    ],
)
def test_writing_touches_no_other_file_and_no_setting(file: Path, sql: str) -> None:
    with pytest.raises(ToolCallError):
        write(file, sql.format(file=file))
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_more_than_one_statement_is_refused(file: Path) -> None:
    for sql in ("SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "SELECT 1;;DELETE FROM t"):
        with pytest.raises(ToolCallError, match="Only one statement at a time"):
            read(file, sql)
        with pytest.raises(ToolCallError, match="Only one statement at a time"):
            write(file, sql)
    assert len(read(file, "SELECT * FROM t;")["rows"]) == 3


def test_writing_is_whole_or_not_at_all(file: Path) -> None:
    assert write(file, "UPDATE t SET name = 'x'") == 3
    assert write(file, "CREATE TABLE u (a UNIQUE)") == 0
    with pytest.raises(ToolCallError, match="UNIQUE constraint failed"):
        write(file, "INSERT INTO u VALUES (1), (2), (1)")
    assert read(file, "SELECT count(*) AS n FROM u")["rows"] == [{"n": 0}]
    with pytest.raises(ToolCallError, match="only reads"):
        SqliteDatabase(str(file), may_write=False).write(CallContext({}, ignore), "DELETE FROM t")


def test_a_statement_that_never_ends_is_stopped(file: Path) -> None:
    slow = SqliteDatabase(str(file), may_write=False, max_seconds=0.2)
    with pytest.raises(ToolCallError, match=r"limit of 0\.2 s"):
        slow.read(CallContext({}, ignore), ENDLESS)


def test_a_cancelled_statement_is_stopped(file: Path) -> None:
    call = CallContext({}, ignore)
    timer = threading.Timer(0.2, call.cancel)
    timer.start()
    with pytest.raises(ToolCallError, match="Cancelled"):
        SqliteDatabase(str(file), may_write=False).read(call, ENDLESS)
    timer.join()


@pytest.mark.parametrize(
    ("sql", "parameters", "reason"),
    [
        ("SELEKT 1", (), "syntax error"),
        ("", (), "answers no rows"),
        ("SELECT * FROM none", (), "no such table: none"),
        ("SELECT ?", (), "bindings"),
        ("SELECT ?", [[1]], "A parameter is"),
        ("SELECT ?", "1", "a list for"),
        ("SELECT ?", [2**80], "too large"),
        ("SELECT zeroblob(1000000000)", (), "too big"),
        ("SELECT " + "(" * 5000, (), "SQLite"),
    ],
)
def test_what_is_wrong_is_told_in_sqlites_words(
    file: Path, sql: str, parameters: Any, reason: str
) -> None:
    with pytest.raises(ToolCallError, match=reason):
        read(file, sql, parameters)


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all " * 100)
    with pytest.raises(ToolCallError, match="not a database"):
        read(tmp_path / "text", "SELECT * FROM sqlite_schema")
    with pytest.raises(ToolCallError, match="no database"):
        read(tmp_path / "none", "SELECT 1")


@pytest.mark.parametrize(
    ("uri", "known"),
    [
        ("file:///C:/a%20b/x%26y%23.db", "file:///C:/a%20b/x%26y%23.db"),
        ("file://server/share/x.db", "file:////server/share/x.db"),
    ],
)
def test_sqlite_takes_the_address_of_each_file_of_windows(uri: str, known: str) -> None:
    assert sqlite_uri(uri) == known
    # SQLite reads no host: with one, it refuses the address before it looks for the file.
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        sqlite3.connect(f"{known}?mode=ro", uri=True)
