from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from desktop.history.records import DONE, LastRun, Summary
from desktop.values.tool_types import Content, ErrorCode
from tests.history.calls import ended, store_at

if TYPE_CHECKING:
    from pathlib import Path


def test_the_weight_of_a_waiting_call_grows_with_what_came_back() -> None:
    small = ended(output="x")
    large = ended(output="x" * 5000, content=(Content("image", data=bytes(7000)),))
    assert large.weight - small.weight == 4999 + 7000


NOW = datetime(2026, 1, 31, 12, 30, tzinfo=UTC)


async def test_the_last_run_of_a_call_replaces_the_one_before(tmp_path: Path) -> None:
    place = ("/calls/one.json", "one")
    async with store_at(tmp_path / "history.db") as store:
        await store.keep_last_run(place, LastRun("failed", NOW, 1.0))
        await store.keep_last_run(place, LastRun("passed", NOW + timedelta(hours=1), 2.0))

        assert await store.last_runs() == {place: LastRun("passed", NOW + timedelta(hours=1), 2.0)}


async def test_calls_of_one_name_in_two_files_are_told_apart(tmp_path: Path) -> None:
    async with store_at(tmp_path / "history.db") as store:
        await store.keep_last_run(("/a.json", "one"), LastRun("passed", NOW, 1.0))
        await store.keep_last_run(("/b.json", "one"), LastRun("timeout", NOW, 1.0))

        runs = await store.last_runs()

    assert {place[0]: run.outcome for place, run in runs.items()} == {
        "/a.json": "passed",
        "/b.json": "timeout",
    }


@pytest.mark.parametrize(("outcome", "is_done"), [(DONE, True), (ErrorCode.TIMEOUT.value, False)])
def test_a_call_is_done_or_has_the_code_of_its_error(outcome: str, is_done: bool) -> None:
    now = datetime.now(UTC)
    assert Summary(1, "a:b", now, 0.1, "person", outcome, "{}").is_done is is_done
