from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from desktop.gui.results.structured import to_text
from desktop.gui.results.turns import in_turns, json_text
from desktop.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Iterator


async def test_the_loop_runs_between_the_steps() -> None:
    """The steps end only when the loop has done something else."""
    others = asyncio.Event()

    async def other() -> None:
        others.set()

    def steps() -> Iterator[int | None]:
        yield 1
        while not others.is_set():
            yield None
        yield 2

    task = spawn(other(), "other")
    assert await in_turns(steps()) == [1, 2]
    await task


async def test_the_work_stays_in_the_thread_of_the_loop() -> None:
    def steps() -> Iterator[int]:
        yield threading.get_ident()

    assert await in_turns(steps()) == [threading.get_ident()]


async def test_json_is_written_as_at_once() -> None:
    value: dict[str, object] = {"ü": [1, None, {"x": 1.5}], "empty": {}}
    assert await json_text(value) == to_text(value)


async def test_what_is_too_deep_is_nothing() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert await json_text(deep) == ""
