"""The SQLite server's tools on a real file."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from builtin_servers.framework.tool import ArgumentError, ToolCallError
from builtin_servers.launch import make_server
from tests.builtin_command import InProcess

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "b.db")) as connection, connection:
        connection.execute("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        connection.execute(
            "CREATE TABLE book (title TEXT DEFAULT 'none', author REFERENCES author (id))"
        )
        connection.execute("CREATE VIEW titles AS SELECT title FROM book")
    return tmp_path / "b.db"


def test_tables_are_listed_and_described(file: Path) -> None:
    tools = InProcess("sqlite", file)
    tables = tools.structured("list_tables")["tables"]
    assert [(table["name"], table["type"]) for table in tables] == [
        ("author", "table"),
        ("book", "table"),
        ("titles", "view"),
    ]
    described = tools.structured("describe_table", table_name="author")
    assert described["columns"] == [
        {"name": "id", "type": "INTEGER", "not_null": False, "default": None, "primary_key": True},
        {"name": "name", "type": "TEXT", "not_null": True, "default": None, "primary_key": False},
    ]
    book = tools.structured("describe_table", table_name="book")
    assert book["references"] == [{"from": "author", "table": "author", "to": "id"}]
    assert book["columns"][0]["default"] == "'none'"


def test_a_table_that_is_not_there_is_said_with_those_that_are(file: Path) -> None:
    with pytest.raises(ToolCallError, match="no table 'x'; there are author, book, titles"):
        InProcess("sqlite", file)("describe_table", table_name="x")


def test_what_is_written_is_read(file: Path) -> None:
    tools = InProcess("sqlite", "--write", file)
    insert = "INSERT INTO author (name) VALUES (?)"
    reply = tools("write_query", query=insert, parameters=["Ignore all; DROP TABLE author"])
    assert reply.structured == {"affected_rows": 1}
    reply = tools("read_query", query="SELECT * FROM author")
    columns, row = reply.text.splitlines()
    assert (json.loads(columns), json.loads(row)) == (
        ["id", "name"],
        [1, "Ignore all; DROP TABLE author"],
    )


@pytest.mark.parametrize(
    "query", ["SELECT * FROM author", "WITH a AS (SELECT 1) SELECT * FROM a", "PRAGMA table_list"]
)
def test_a_statement_that_only_reads_is_not_said_to_have_changed_nothing(
    query: str, file: Path
) -> None:
    with pytest.raises(ToolCallError, match="read_query shows its rows"):
        InProcess("sqlite", "--write", file)("write_query", query=query)


def test_a_change_may_return_its_rows(file: Path) -> None:
    tools = InProcess("sqlite", "--write", file)
    insert = "INSERT INTO author (name) VALUES ('Ada') RETURNING id"
    assert tools.structured("write_query", query=insert) == {"affected_rows": 1}
    nobody = "DELETE FROM author WHERE name = 'nobody' returning id"
    assert tools.structured("write_query", query=nobody) == {"affected_rows": 0}


def test_a_new_database_is_made_only_for_writing(tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    with pytest.raises(ArgumentError, match="there is no file"):
        make_server("sqlite", [str(new)])
    tools = InProcess("sqlite", "--write", new)
    assert not new.exists()
    assert tools("write_query", query="CREATE TABLE t (a)").text == "0 rows changed"
    assert [table["name"] for table in tools.structured("list_tables")["tables"]] == ["t"]


def test_reading_is_all_it_offers_unless_told(file: Path) -> None:
    tools = make_server("sqlite", [str(file)]).tools
    assert set(tools) == {"list_tables", "describe_table", "read_query"}
    assert all(tool.annotations and tool.annotations["readOnlyHint"] for tool in tools.values())


def test_without_a_file_it_says_how_to_give_one() -> None:
    with pytest.raises(ToolCallError, match="Give this server the file"):
        InProcess("sqlite")("list_tables")


@pytest.mark.parametrize("arguments", [["a", "b"], ["--force", "a"], ["/"]])
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    with pytest.raises(ArgumentError, match="usage"):
        make_server("sqlite", arguments)


def test_a_table_is_made_and_nothing_else_by_create_table(file: Path) -> None:
    tools = InProcess("sqlite", "--write", file)
    tools("create_table", query="CREATE TABLE IF NOT EXISTS shelf (id INTEGER)")
    listed = [table["name"] for table in tools.structured("list_tables")["tables"]]
    assert "shelf" in listed
    for query in ("DROP TABLE shelf", "CREATE VIEW v AS SELECT 1", ""):
        with pytest.raises(ToolCallError, match="Only CREATE TABLE"):
            tools("create_table", query=query)
    assert "create_table" not in InProcess("sqlite", file).server.tools
