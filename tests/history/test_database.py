"""Searching, paging, deleting and the limits, on a real file.

Opening a file that is new, ours, older, newer, foreign or broken.
"""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from desktop.history import database
from desktop.history.database import (
    APPLICATION_ID,
    VERSION,
    HistoryDatabase,
    StrangeFileError,
    is_damaged,
    is_sound,
    migrate,
    open_file,
    put_aside,
)
from desktop.history.records import DONE, FAILED, Query
from desktop.history.serialization import HistoryLimits, encode
from desktop.tool_types import Content, ErrorCode
from tests.history.calls import ended, failed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.history.records import FinishedCall
    from desktop.tool_types import Origin


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "history.sqlite3"


def test_a_new_file_is_made_with_its_folder_for_its_owner_alone(path: Path) -> None:
    connection = open_file(path)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA user_version").fetchone()[0] == VERSION
    connection.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_opening_again_changes_nothing(path: Path) -> None:
    open_file(path).close()
    connection = open_file(path)
    assert connection.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
    connection.close()
    assert is_sound(path)


def test_a_file_of_a_newer_version_is_not_touched(path: Path) -> None:
    connection = open_file(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StrangeFileError, match="newer version") as raised:
        open_file(path)
    assert raised.value.kind == "newer"


def test_the_database_of_another_program_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs(x)")
    connection.commit()
    connection.close()
    with pytest.raises(StrangeFileError, match="another program") as raised:
        open_file(path)
    assert raised.value.kind == "foreign"


@pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_file_is_told_from_one_that_cannot_be_opened(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StrangeFileError) as raised:
        open_file(path)
    assert raised.value.kind in {"damaged", "foreign"}
    assert not is_sound(path)


def test_a_folder_in_place_of_the_file_is_no_damage(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        open_file(path)


def test_what_is_put_aside_keeps_its_content_and_its_journal(path: Path) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.write_text(f"content {number}")
        path.with_name(path.name + "-wal").write_text(f"journal {number}")
        kept = put_aside(path, "damaged")
        assert not path.exists()
        assert kept.name.startswith("history.sqlite3.damaged-")
        assert kept.read_text() == f"content {number}"
        assert kept.with_name(kept.name + "-wal").read_text() == f"journal {number}"


def test_only_what_sqlite_says_of_the_file_itself_is_damage() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("SELECT * FROM nowhere")
    connection.close()
    assert not is_damaged(raised.value)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        yield made


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
    monkeypatch.setattr(database, "_SCRIPTS", later)
    migrate(connection, 1)
    assert "added" in names(connection)


def drop(connection: sqlite3.Connection, *columns: str) -> None:
    for column in columns:
        connection.execute(f"ALTER TABLE calls DROP COLUMN {column}")


def test_a_file_of_the_first_version_learns_how_saved_calls_went(
    connection: sqlite3.Connection,
) -> None:
    migrate(connection, 0)
    connection.execute("DROP TABLE last_runs")  # as the first version had it
    drop(connection, "kind", "model", "approval_wait")
    migrate(connection, 1)
    assert "last_runs" in names(connection)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_calls_of_the_second_version_are_calls_of_tools(connection: sqlite3.Connection) -> None:
    migrate(connection, 0)
    drop(connection, "kind", "model", "approval_wait")  # as the second version had it
    row = {**encode(ended("s:old"), HistoryLimits()).columns}
    for name in ("kind", "model", "approval_wait"):
        del row[name]
    names_of, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT INTO calls({names_of}) VALUES ({places})", row)
    migrate(connection, 2)
    connection.row_factory = sqlite3.Row
    (call,) = HistoryDatabase(connection, HistoryLimits()).page(Query(), None, 9).calls
    assert (call.key, call.kind) == ("s:old", "tool")
    assert (call.model, call.approval_wait) == ("", 0.0)


LIMITS = HistoryLimits()


@pytest.fixture(params=["indexed", "plain"])
def indexed_or_plain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HistoryDatabase]:
    """With the index of text, and as it is where SQLite has none."""
    connection = open_file(tmp_path / "history.sqlite3")
    if request.param == "plain":
        connection.executescript(
            "DROP TABLE search; CREATE TABLE search(key TEXT, arguments TEXT, output TEXT)"
        )
    made = HistoryDatabase(connection, LIMITS)
    yield made
    made.close()


def write(indexed_or_plain: HistoryDatabase, *calls: FinishedCall) -> None:
    indexed_or_plain.write(encode(call, LIMITS) for call in calls)


def found(indexed_or_plain: HistoryDatabase, text: str = "", **query: str | float) -> list[str]:
    page = indexed_or_plain.page(Query(text, **query), None, 100)  # pyright: ignore[reportArgumentType]
    assert page.total == len(page.calls)
    return [call.key for call in page.calls]


def test_calls_come_back_the_latest_first_page_by_page(indexed_or_plain: HistoryDatabase) -> None:
    write(indexed_or_plain, *(ended(f"s:tool{n}") for n in range(25)))
    seen: list[str] = []
    before = None
    while (page := indexed_or_plain.page(Query(), before, 10)).calls:
        assert page.total == 25
        seen += [call.key for call in page.calls]
        before = page.calls[-1].id
    assert seen == [f"s:tool{n}" for n in reversed(range(25))]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("alpha", ["s:alpha"]),
        ("LPH", ["s:alpha"]),
        ("needle", ["s:beta"]),
        ("straw eedl", ["s:beta"]),
        ("straw missing", []),
        ("be", ["s:beta"]),
        ("世界你", ["s:gamma"]),
        ("界", ["s:gamma"]),
        ("100%", ["s:alpha"]),
        ("%", ["s:alpha"]),
        ("_", []),
        ('say "hi', ["s:beta"]),
        ("NEAR(a b)", []),
        ("it broke", ["s:delta"]),
        ("", ["s:delta", "s:gamma", "s:beta", "s:alpha"]),
    ],
)
def test_a_call_is_found_by_any_part_of_its_name_arguments_and_output(
    indexed_or_plain: HistoryDatabase, text: str, keys: list[str]
) -> None:
    write(
        indexed_or_plain,
        ended("s:alpha", {"share": "100%"}, output="none"),
        ended("s:beta", {"hay": "straw"}, output='a needle, say "hi"'),
        ended("s:gamma", output="世界你好"),
        failed("s:delta", "it broke"),
    )
    assert found(indexed_or_plain, text) == keys


def test_failed_calls_and_those_of_one_tool_can_be_asked_for(
    indexed_or_plain: HistoryDatabase,
) -> None:
    write(
        indexed_or_plain, ended("s:a"), failed("s:a", "no", ErrorCode.TIMEOUT), failed("s:b", "no")
    )
    assert found(indexed_or_plain, outcome=FAILED) == ["s:b", "s:a"]
    assert found(indexed_or_plain, key="s:a") == ["s:a", "s:a"]
    assert found(indexed_or_plain, "no", key="s:a", outcome=FAILED) == ["s:a"]


def test_calls_are_asked_for_by_who_made_them_where_when_and_how_they_ended(
    indexed_or_plain: HistoryDatabase,
) -> None:
    def by(finished: FinishedCall, origin: Origin, at: float) -> FinishedCall:
        result = replace(finished.result, timestamp=datetime.fromtimestamp(at, UTC))
        return finished._replace(call=replace(finished.call, origin=origin), result=result)

    write(
        indexed_or_plain,
        by(ended("one:a"), "person", 1_000.0),
        by(failed("one:b", "no", ErrorCode.TIMEOUT), "agent", 2_000.0),
        by(ended("onetwo:a:b"), "agent", 3_000.0),
    )
    assert found(indexed_or_plain, since=1_500.0) == ["onetwo:a:b", "one:b"]
    assert found(indexed_or_plain, origin="agent", server="one") == ["one:b"]
    assert found(indexed_or_plain, server="onetwo") == ["onetwo:a:b"]
    assert found(indexed_or_plain, outcome="timeout") == ["one:b"]
    assert found(indexed_or_plain, outcome=DONE) == ["onetwo:a:b", "one:a"]
    assert indexed_or_plain.servers() == ["one", "onetwo"]


def test_the_model_and_the_wait_for_an_approval_are_kept_apart_from_the_call(
    indexed_or_plain: HistoryDatabase,
) -> None:
    finished = ended(approval_wait=7.5)
    call = replace(finished.call, origin="agent", model="a-model")
    write(indexed_or_plain, finished._replace(call=call))
    (one,) = indexed_or_plain.page(Query(), None, 9).calls
    assert (one.model, one.approval_wait, one.duration) == ("a-model", 7.5, 0.25)
    assert one.call_id == call.call_id
    record = indexed_or_plain.get(one.id)
    assert record is not None
    assert record.result.approval_wait == 7.5


def test_a_whole_call_comes_with_its_media(indexed_or_plain: HistoryDatabase) -> None:
    image = Content("image", data=b"\0png", mime="image/png")
    write(indexed_or_plain, ended(content=(Content("text", text="hi"), image)))
    record = indexed_or_plain.get(1)
    assert record is not None
    assert record.result.content[1] == image
    assert indexed_or_plain.get(99) is None


def test_what_is_deleted_is_gone_from_table_search_and_file(
    indexed_or_plain: HistoryDatabase, tmp_path: Path
) -> None:
    write(
        indexed_or_plain,
        ended("s:keep"),
        ended("s:drop", {"x": "unmistakable"}, output="trace" * 9999),
    )
    before = (tmp_path / "history.sqlite3-wal").stat().st_size
    indexed_or_plain.delete([2])
    assert found(indexed_or_plain) == ["s:keep"]
    assert found(indexed_or_plain, "unmistakable") == []
    assert before > 0
    for file in tmp_path.iterdir():
        assert b"unmistakable" not in file.read_bytes()


def test_calls_older_than_a_moment_are_deleted(indexed_or_plain: HistoryDatabase) -> None:
    old, new = ended("s:old"), ended("s:new", execution_time=0.0)
    write(indexed_or_plain, old._replace(result=old.result), new)
    at = indexed_or_plain.page(Query(key="s:new"), None, 1).calls[0].at.timestamp()
    indexed_or_plain.delete_before(at)
    assert found(indexed_or_plain) == ["s:new"]
    indexed_or_plain.delete_before(float("inf"))
    assert found(indexed_or_plain) == []


def test_the_oldest_calls_go_when_there_are_too_many(tmp_path: Path) -> None:
    limits = HistoryLimits(calls=10)
    database = HistoryDatabase(open_file(tmp_path / "h"), limits)
    for n in range(23):
        database.write([encode(ended(f"s:{n}"), limits)])
    assert found(database) == [f"s:{n}" for n in reversed(range(13, 23))]
    database.close()


def test_the_oldest_calls_go_when_the_file_is_too_large(tmp_path: Path) -> None:
    limits = HistoryLimits(total=2_000_000)
    database = HistoryDatabase(open_file(tmp_path / "h"), limits)
    for n in range(40):
        image = Content("image", data=bytes([n]) * 200_000)
        database.write([encode(ended(f"s:{n}", content=(image,)), limits)])
    keys = found(database)
    assert keys[0] == "s:39"
    assert 2 <= len(keys) <= 10
    database.close()
    assert (tmp_path / "h").stat().st_size < 3_000_000


def test_one_call_larger_than_everything_is_kept_alone(tmp_path: Path) -> None:
    limits = HistoryLimits(total=100_000)
    database = HistoryDatabase(open_file(tmp_path / "h"), limits)
    image = Content("image", data=bytes(500_000))
    database.write([encode(ended("s:1"), limits), encode(ended("s:2", content=(image,)), limits)])
    assert found(database) == ["s:2"]
    database.close()


def test_rows_of_a_write_that_fails_are_not_there(indexed_or_plain: HistoryDatabase) -> None:
    good, bad = encode(ended("s:good"), LIMITS), encode(ended("s:bad"), LIMITS)
    bad.columns["key"] = None
    with pytest.raises(Exception, match="NOT NULL"):
        indexed_or_plain.write([good, bad])
    assert found(indexed_or_plain) == []
    indexed_or_plain.write([good])
    assert found(indexed_or_plain) == ["s:good"]


def test_a_file_that_cannot_be_used_is_closed(tmp_path: Path) -> None:
    connection = open_file(tmp_path / "history.sqlite3")
    connection.executescript("DROP TABLE search")
    with pytest.raises(StrangeFileError, match="lacks the table"):
        HistoryDatabase(connection, LIMITS)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_what_another_connection_writes_is_noticed_once(
    indexed_or_plain: HistoryDatabase, tmp_path: Path
) -> None:
    other = HistoryDatabase(open_file(tmp_path / "history.sqlite3"), LIMITS)
    indexed_or_plain.has_changed()
    assert not indexed_or_plain.has_changed()
    write(other, ended("s:theirs"))
    assert indexed_or_plain.has_changed()
    assert not indexed_or_plain.has_changed()
    assert found(indexed_or_plain) == ["s:theirs"]
    other.close()
