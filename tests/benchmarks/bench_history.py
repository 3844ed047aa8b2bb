"""The history at 200,000 calls against 10,000: first page, search, adding and deleting a call.

CPU of this process, the thread of the history included. The last lines are what is kept of calls
of 20 kB once five times the limit was written: the number, against what fits.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.history.records import Query
from desktop.history.serialization import HistoryLimits
from desktop.history.store import HistoryStore
from tests.benchmarks.harness import Row, compare
from tests.history.calls import ended, keep

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

RUNS = 7
FEW, MANY = 10_000, 200_000
LIMITS = HistoryLimits(calls=1_000_000, total=20_000_000_000)
RESULT = "a row of a table that a server gave back; " * 7
SMALL_LIMIT, LONG = 20_000_000, 20_000


async def _fill(path: Path, count: int) -> None:
    store = HistoryStore(path, LIMITS, delay=0.0)
    for start in range(0, count, 1_000):
        numbers = range(start, min(start + 1_000, count))
        await keep(store, *(ended(arguments={"number": n}, output=RESULT) for n in numbers))
    await store.close()


async def _search(store: HistoryStore) -> None:
    if (await store.page(Query(text="not in any call"))).total:
        raise RuntimeError("found what is not there")


async def _add(store: HistoryStore) -> None:
    await keep(store, ended(output=RESULT))


async def _delete(store: HistoryStore) -> None:
    page = await store.page(count=1)
    await store.delete([page.calls[0].id])


def _used(path: Path, act: Callable[[HistoryStore], Awaitable[object]]) -> float:
    async def run() -> float:
        store = HistoryStore(path, LIMITS, delay=0.0)
        await store.page(count=1)  # opened
        began = time.process_time()
        await act(store)
        used = time.process_time() - began
        await store.close()
        return used

    return asyncio.run(run())


async def _kept(path: Path) -> tuple[int, int]:
    """Calls that are left of five times the limit, and those that would fit."""
    store = HistoryStore(path, HistoryLimits(total=SMALL_LIMIT), delay=0.0)
    for _ in range(SMALL_LIMIT * 5 // LONG // 200):
        await keep(store, *(ended(output="x" * LONG) for _ in range(200)))
    kept = await store.kept()
    await store.close()
    return kept.calls, SMALL_LIMIT * kept.calls // kept.bytes


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        few, many = Path(name, "few.sqlite3"), Path(name, "many.sqlite3")
        asyncio.run(_fill(few, FEW))
        asyncio.run(_fill(many, MANY))
        acts: tuple[tuple[str, Callable[[HistoryStore], Awaitable[object]], str], ...] = (
            ("first page", lambda store: store.page(), "<= 3 x"),
            ("search of what is not there", _search, "<= 30 x"),
            ("add a call", _add, "<= 2 x"),
            ("delete a call", _delete, "<= 2 x"),
        )
        rows = [
            compare(RUNS, partial(_used, many, act), partial(_used, few, act)).row(
                f"history of {MANY // 1000}k calls, against {FEW // 1000}k: {what}", goal
            )
            for what, act, goal in acts
        ]
        kept, fit = asyncio.run(_kept(Path(name, "full.sqlite3")))
    what = "calls of 20 kB kept of 5 x the limit, against what fits"
    return [*rows, Row(what, kept, fit, "", ">= 0.9 x")]
