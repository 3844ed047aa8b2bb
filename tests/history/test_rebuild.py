"""Files of earlier versions, of other machines and with every kind of damage, by the store.

A damage loses nothing in silence: each call is there as it was, or something is said and the old
bytes are still on the disk.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from desktop.history.database import HistoryDatabase
from desktop.history.records import LastRun, Query
from desktop.history.serialization import HistoryLimits, encode
from desktop.values.tool_types import Content
from tests.history.calls import ended, keep, store_at
from tests.history.old_files import make_old_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.history.records import Record
    from desktop.history.store import HistoryStore
    from tests.conftest import ExpectedLogs

PAGE = 4096


def set_aside(folder: Path) -> list[Path]:
    """The files that were put aside; beside each may be what SQLite kept of it."""
    return [path for path in folder.iterdir() if re.search(r"\.[a-z]+-\d+-\d+$", path.name)]


async def records(store: HistoryStore) -> dict[int, Record]:
    """All calls as a person would see them: page by page, each opened."""
    found: dict[int, Record] = {}
    before: int | None = None
    while (page := await store.page(Query(), before)).calls:
        before = page.calls[-1].id
        for call in page.calls:
            if (record := await store.get(call.id)) is not None:
                found[call.id] = record
    return found


@pytest.mark.parametrize("version", [1, 2, 3, 4])
async def test_a_file_of_an_earlier_version_is_taken_over_whole(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "history.sqlite3"
    image = Content("image", data=b"\0png", mime="image/png")
    calls = [
        ended("s:first", {"x": "Straße"}, output="a needle"),
        ended("s:second", content=(Content("text", text="hi"), image)),
    ]
    make_old_file(path, calls, version)
    async with store_at(path) as store:
        found = await records(store)
        assert {number: record.result for number, record in found.items()} == {
            1: calls[0].result,
            2: calls[1].result,
        }
        assert found[2].summary.has_media
        assert [call.key for call in (await store.page(Query("NEEDLE straße"))).calls] == [
            "s:first"
        ]
        runs = await store.last_runs()
        assert list(runs) == ([("a.yaml", "first")] if version > 1 else [])
        assert all(isinstance(run, LastRun) for run in runs.values())
        await keep(store, ended("s:third"))
        assert sorted(await records(store)) == [1, 2, 3]
        assert (store.notice, store.problem) == ("", "")
    assert set_aside(tmp_path) == []


async def test_of_a_file_larger_than_the_limits_the_newest_calls_are_taken_and_it_is_kept(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("12 calls were taken over into a new file, 0 could not be read, 28 older")
    path = tmp_path / "history.sqlite3"
    make_old_file(path, (ended(f"s:{n}") for n in range(40)))
    async with store_at(path, HistoryLimits(calls=12)) as store:
        assert sorted(await records(store)) == list(range(29, 41))
        await keep(store, ended("s:new"))
        assert (await store.page()).total == 12
        assert "28 older ones did not fit" in store.notice
    (kept,) = set_aside(tmp_path)
    assert kept.stat().st_size > 10_000


async def test_two_that_open_an_older_file_at_once_take_it_over_once(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    make_old_file(path, (ended(f"s:{n}") for n in range(40)))
    async with store_at(path) as one, store_at(path) as other:
        one.add(ended("s:one"))
        other.add(ended("s:other"))
        while one.is_writing or other.is_writing:
            await one.page(count=1)
            await other.page(count=1)
        assert len(await records(one)) == 42
        assert (one.notice, other.notice, one.lost, other.lost) == ("", "", 0, 0)


def flip(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    for place in range(start, min(start + chance.choice((1, 30, 300)), len(content))):
        content[place] ^= chance.randrange(1, 256)


def zero(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    end = min(start + chance.choice((10, 5_000, 100_000)), len(content))
    content[start:end] = bytes(end - start)


def cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(1, len(content)) :]


def swap(content: bytearray, chance: random.Random) -> None:
    one, other = chance.sample(range(len(content) // PAGE), 2)
    first = content[one * PAGE : (one + 1) * PAGE]
    content[one * PAGE : (one + 1) * PAGE] = content[other * PAGE : (other + 1) * PAGE]
    content[other * PAGE : (other + 1) * PAGE] = first


def garble_the_start(content: bytearray, chance: random.Random) -> None:
    for place in chance.sample(range(100, PAGE), 30):
        content[place] ^= chance.randrange(1, 256)


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    zero,
    cut,
    swap,
    garble_the_start,
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[int, Record]]:
    """A history of 60 calls, small and large, with pictures; its bytes, and what it gives back."""
    path = tmp_path_factory.mktemp("sound") / "h"
    database = HistoryDatabase(path, HistoryLimits())
    chance = random.Random(0)
    for n in range(60):
        text = chance.randbytes(chance.choice((20, 200, 3_000, 20_000))).hex()
        image = Content("image", data=chance.randbytes(6_000), mime="image/png")
        content = (Content("text", text=text), image)[: 1 + (n % 5 == 0)]
        database.write(
            [encode(ended(f"s:{n}", {"n": n}, output=text, content=content), HistoryLimits())]
        )
    found = {n: record for n in range(1, 61) if (record := database.get(n)) is not None}
    database.close()
    assert len(found) == 60
    return path.read_bytes(), found


@pytest.mark.parametrize("seed", range(200))
async def test_no_damage_loses_a_call_in_silence(
    tmp_path: Path,
    seed: int,
    sound: tuple[bytes, dict[int, Record]],
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.allow("history")
    content, before = bytearray(sound[0]), sound[1]
    DAMAGES[seed % len(DAMAGES)](content, random.Random(seed))
    path = tmp_path / "history.sqlite3"
    path.write_bytes(content)
    async with store_at(path) as store:
        await keep(store, ended("s:new"))
        await store.check()
        after = await records(store)
        new = [number for number, record in after.items() if record.summary.key == "s:new"]
        for number in new:
            del after[number]
        assert (store.problem, store.lost) == ("", 0)
        assert after.items() <= before.items()
        if after != before or not new:
            assert "The old file was kept as" in store.notice or "put aside as" in store.notice
            assert any(file.stat().st_size >= len(content) for file in set_aside(tmp_path))


async def test_most_of_a_file_is_taken_over_whatever_page_is_lost(
    tmp_path: Path, sound: tuple[bytes, dict[int, Record]], expected_logs: ExpectedLogs
) -> None:
    """One page of zeros in the place of each of some: the rest is there afterwards."""
    expected_logs.allow("history")
    content = sound[0]
    taken: list[int] = []
    for page in range(0, len(content) // PAGE, 7):
        folder = tmp_path / str(page)
        folder.mkdir()
        (folder / "h").write_bytes(
            content[: page * PAGE] + bytes(PAGE) + content[(page + 1) * PAGE :]
        )
        async with store_at(folder / "h") as store:
            await store.check()
            taken.append(len(await records(store)))
            assert taken[-1] == 60 or store.notice
    assert sorted(taken)[len(taken) // 10] >= 55
