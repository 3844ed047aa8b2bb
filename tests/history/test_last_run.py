from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from desktop.history.last_run import LastRun
from tests.history.calls import store_at

if TYPE_CHECKING:
    from pathlib import Path

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
