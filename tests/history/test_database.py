"""Searching, paging, deleting and the limits, on a real file.

Opening a file that is new, ours, older, newer, foreign or broken.
"""

from __future__ import annotations

import random
import sqlite3
import stat
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.history.database import (
    VERSION,
    HistoryDatabase,
    ReplacedFileError,
    StrangeFileError,
    open_file,
)
from desktop.history.records import DONE, FAILED, Kept, Query
from desktop.history.serialization import HistoryLimits, encode
from desktop.values.tool_types import Content, ErrorCode
from tests.history.calls import ended, failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from desktop.history.records import FinishedCall
    from desktop.values.tool_types import Origin


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "history.sqlite3"


def test_a_new_file_is_made_with_its_folder_for_its_owner_alone(path: Path) -> None:
    connection = open_file(path)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "truncate"
    assert connection.execute("PRAGMA user_version").fetchone()[0] == VERSION
    connection.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_opening_again_changes_nothing(path: Path) -> None:
    open_file(path).close()
    connection = open_file(path)
    assert connection.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
    connection.close()


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


def test_a_folder_in_place_of_the_file_is_no_damage(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        open_file(path)


LIMITS = HistoryLimits()


@pytest.fixture
def database(path: Path) -> Iterator[HistoryDatabase]:
    with closing(HistoryDatabase(path, LIMITS)) as made:
        yield made


def write(database: HistoryDatabase, *calls: FinishedCall) -> None:
    database.write(encode(call, LIMITS) for call in calls)


def found(database: HistoryDatabase, text: str = "", **query: str | float) -> list[str]:
    page = database.page(Query(text, **query), None, 100)  # pyright: ignore[reportArgumentType]
    assert page.total == len(page.calls)
    return [call.key for call in page.calls]


def test_calls_come_back_the_latest_first_page_by_page(database: HistoryDatabase) -> None:
    write(database, *(ended(f"s:tool{n}") for n in range(25)))
    seen: list[str] = []
    before = None
    while (page := database.page(Query(), before, 10)).calls:
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
    database: HistoryDatabase, text: str, keys: list[str]
) -> None:
    write(
        database,
        ended("s:alpha", {"share": "100%"}, output="none"),
        ended("s:beta", {"hay": "straw"}, output='a needle, say "hi"'),
        ended("s:gamma", output="世界你好"),
        failed("s:delta", "it broke"),
    )
    assert found(database, text) == keys


def test_failed_calls_and_those_of_one_tool_can_be_asked_for(
    database: HistoryDatabase,
) -> None:
    write(database, ended("s:a"), failed("s:a", "no", ErrorCode.TIMEOUT), failed("s:b", "no"))
    assert found(database, outcome=FAILED) == ["s:b", "s:a"]
    assert found(database, key="s:a") == ["s:a", "s:a"]
    assert found(database, "no", key="s:a", outcome=FAILED) == ["s:a"]


def test_calls_are_asked_for_by_who_made_them_where_when_and_how_they_ended(
    database: HistoryDatabase,
) -> None:
    def by(finished: FinishedCall, origin: Origin, at: float) -> FinishedCall:
        result = replace(finished.result, timestamp=datetime.fromtimestamp(at, UTC))
        return finished._replace(call=replace(finished.call, origin=origin), result=result)

    write(
        database,
        by(ended("one:a"), "person", 1_000.0),
        by(failed("one:b", "no", ErrorCode.TIMEOUT), "agent", 2_000.0),
        by(ended("onetwo:a:b"), "agent", 3_000.0),
    )
    assert found(database, since=1_500.0) == ["onetwo:a:b", "one:b"]
    assert found(database, origin="agent", server="one") == ["one:b"]
    assert found(database, server="onetwo") == ["onetwo:a:b"]
    assert found(database, outcome="timeout") == ["one:b"]
    assert found(database, outcome=DONE) == ["onetwo:a:b", "one:a"]
    assert database.servers() == ["one", "onetwo"]


def test_the_model_and_the_wait_for_an_approval_are_kept_apart_from_the_call(
    database: HistoryDatabase,
) -> None:
    finished = ended(approval_wait=7.5)
    call = replace(finished.call, origin="agent", model="a-model")
    write(database, finished._replace(call=call))
    (one,) = database.page(Query(), None, 9).calls
    assert (one.model, one.approval_wait, one.duration) == ("a-model", 7.5, 0.25)
    assert one.call_id == call.call_id
    record = database.get(one.id)
    assert record is not None
    assert record.result.approval_wait == 7.5


def test_a_whole_call_comes_with_its_media(database: HistoryDatabase) -> None:
    image = Content("image", data=b"\0png", mime="image/png")
    write(database, ended(content=(Content("text", text="hi"), image)))
    record = database.get(1)
    assert record is not None
    assert record.result.content[1] == image
    assert database.get(99) is None


def test_what_is_deleted_is_gone_from_table_search_and_file(
    database: HistoryDatabase, path: Path
) -> None:
    write(
        database,
        ended("s:keep"),
        ended("s:drop", {"x": "unmistakable"}, output="trace" * 9999),
    )
    before = path.stat().st_size
    database.delete([2])
    assert found(database) == ["s:keep"]
    assert found(database, "unmistakable") == []
    assert path.stat().st_size < before - 40_000
    for file in path.parent.iterdir():
        assert b"unmistakable" not in file.read_bytes()


def test_calls_older_than_a_moment_are_deleted(database: HistoryDatabase) -> None:
    old, new = ended("s:old"), ended("s:new", execution_time=0.0)
    write(database, old._replace(result=old.result), new)
    at = database.page(Query(key="s:new"), None, 1).calls[0].at.timestamp()
    database.delete_before(at)
    assert found(database) == ["s:new"]
    database.delete_before(float("inf"))
    assert found(database) == []


def filled(path: Path, limits: HistoryLimits, calls: Iterable[FinishedCall]) -> HistoryDatabase:
    """Each call in a write of its own."""
    database = HistoryDatabase(path, limits)
    for call in calls:
        database.write([encode(call, limits)])
    return database


def test_the_oldest_calls_go_when_there_are_too_many(path: Path) -> None:
    limits = HistoryLimits(calls=10)
    with closing(filled(path, limits, (ended(f"s:{n}") for n in range(23)))) as database:
        assert found(database) == [f"s:{n}" for n in reversed(range(13, 23))]


def test_five_times_the_room_leaves_the_newest_calls_that_fit(path: Path) -> None:
    """What is kept hangs on what calls take, not on how the file looks within."""
    limits = HistoryLimits(total=2_000_000)
    texts = (random.Random(n).randbytes(8_000).hex() for n in range(500))
    calls = [ended(f"s:{n}", output=text) for n, text in enumerate(texts)]
    fit = 2_000_000 // encode(calls[0], limits).size
    with closing(filled(path, limits, calls)) as database:
        page = database.page(Query(), None, 1000)
        assert [call.key for call in page.calls] == [f"s:{n}" for n in reversed(range(500))][
            : page.total
        ]
        assert fit * 0.9 <= page.total <= fit
        assert database.kept().bytes <= 2_000_000
        database.check(is_due=True)
    assert path.stat().st_size < 2_400_000


def test_pictures_count_for_the_room_as_texts_do(path: Path) -> None:
    limits = HistoryLimits(total=2_000_000)
    image = Content("image", data=bytes(200_000))
    with closing(
        filled(path, limits, (ended(f"s:{n}", content=(image,)) for n in range(40)))
    ) as database:
        assert found(database) == [f"s:{n}" for n in reversed(range(31, 40))]
    assert path.stat().st_size < 3_000_000


def test_one_call_larger_than_everything_is_kept_alone(path: Path) -> None:
    limits = HistoryLimits(total=100_000)
    image = Content("image", data=bytes(500_000))
    with closing(HistoryDatabase(path, limits)) as database:
        rows = encode(ended("s:1"), limits), encode(ended("s:2", content=(image,)), limits)
        database.write(rows)
        assert found(database) == ["s:2"]


def at(finished: FinishedCall, seconds: float) -> FinishedCall:
    """The call, with that time of its end."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return finished._replace(result=replace(finished.result, timestamp=moment))


def test_calls_go_when_they_are_older_than_the_days_they_are_kept(path: Path) -> None:
    limits, now = HistoryLimits(days=30), time.time()
    ages = [40, 31, 29, 20, *([0] * 20)]
    calls = (at(ended(f"s:{age}"), now - age * 86_400) for age in ages)
    with closing(filled(path, limits, calls)) as database:
        assert found(database) == ["s:0"] * 20 + ["s:20", "s:29"]


def test_a_clock_that_jumps_years_ahead_takes_no_call_along(path: Path) -> None:
    limits, now = HistoryLimits(days=30), time.time()
    usual = [at(ended(f"s:{n}"), now) for n in range(50)]
    jumped = [at(ended(f"s:jumped {n}"), now + 10 * 365 * 86_400) for n in range(3)]
    with closing(filled(path, limits, [*usual, *jumped])) as database:
        assert len(found(database)) == 53


def test_a_limit_that_was_lowered_takes_calls_in_portions(path: Path) -> None:
    with closing(HistoryDatabase(path, LIMITS)) as database:
        write(database, *(ended(f"s:{n}") for n in range(1_500)))
        database.limits = HistoryLimits(calls=100)
        write(database, ended("s:new"))
        assert database.kept().calls == 1_001
        while database.trim():
            pass
        assert found(database) == ["s:new", *(f"s:{n}" for n in reversed(range(1_401, 1_500)))]
        assert database.kept().calls == 100


def test_what_is_kept_is_told_with_its_oldest_call(database: HistoryDatabase) -> None:
    assert database.kept() == Kept(0, 0, None)
    write(database, at(ended("s:a"), 1_000_000_000.25), ended("s:b"), ended("s:c"))
    kept = database.kept()
    assert kept.calls == 3
    assert kept.since == datetime.fromtimestamp(1_000_000_000, UTC)
    assert (database.oldest(2), database.oldest(3)) == (3, None)


def test_rows_of_a_write_that_fails_are_not_there(database: HistoryDatabase) -> None:
    good, bad = encode(ended("s:good"), LIMITS), encode(ended("s:bad"), LIMITS)
    bad.summary["key"] = None
    with pytest.raises(Exception, match="NOT NULL"):
        database.write([good, bad])
    assert found(database) == []
    database.write([good])
    assert found(database) == ["s:good"]


def test_a_row_that_the_disk_has_changed_is_recognised_where_it_is_read(
    database: HistoryDatabase, path: Path
) -> None:
    image = Content("image", data=b"picture" * 100)
    write(database, ended("s:a", {"x": "argument"}, output="an output", content=(image,)))
    reads: dict[bytes, Callable[[HistoryDatabase], object]] = {
        b"s:a": lambda opened: opened.page(Query(), None, 9),
        b"argument": lambda opened: opened.get(1),
        b"picture": lambda opened: opened.media(1, 1),
    }
    content = path.read_bytes()
    for word, read in reads.items():
        path.write_bytes(content.replace(word, word[::-1]))
        with (
            closing(HistoryDatabase(path, LIMITS)) as opened,
            pytest.raises(StrangeFileError, match="the disk has changed"),
        ):
            read(opened)


def test_a_call_that_vanished_is_noticed_by_a_check(database: HistoryDatabase, path: Path) -> None:
    write(database, ended("s:a"), ended("s:b"))
    database.check(is_due=True)
    with closing(open_file(path)) as other:
        other.execute("DROP TRIGGER call_deleted")
        other.execute("DELETE FROM calls WHERE id = 1")
    database.check()  # it was looked at a moment ago
    with pytest.raises(StrangeFileError, match="lacks some calls"):
        database.check(is_due=True)


def test_a_file_that_was_removed_or_replaced_takes_nothing_more(
    database: HistoryDatabase, path: Path
) -> None:
    write(database, ended("s:a"))
    path.rename(path.with_name("moved"))
    for _ in ("gone", "another one"):
        with pytest.raises(ReplacedFileError):
            write(database, ended("s:lost"))
        with pytest.raises(ReplacedFileError):
            database.require_place()
        open_file(path).close()


def test_what_another_connection_writes_is_noticed_once(
    database: HistoryDatabase, path: Path
) -> None:
    with closing(HistoryDatabase(path, LIMITS)) as other:
        database.has_changed()
        assert not database.has_changed()
        write(other, ended("s:theirs"))
        assert database.has_changed()
        assert not database.has_changed()
        assert found(database) == ["s:theirs"]
