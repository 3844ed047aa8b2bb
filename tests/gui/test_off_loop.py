from __future__ import annotations

import asyncio
import gc
import threading
from typing import TYPE_CHECKING

import pytest

from desktop.gui.off_loop import off_loop
from desktop.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """As in a program without the window, where nothing else collects."""
    was_on = gc.isenabled()
    gc.enable()
    yield
    if not was_on:
        gc.disable()


async def test_the_collector_rests_while_another_thread_works() -> None:
    def work() -> tuple[bool, int]:
        return gc.isenabled(), threading.get_ident()

    was_on, thread = await off_loop(work)
    assert not was_on
    assert thread != threading.get_ident()
    assert gc.isenabled()


async def test_it_rests_until_the_last_one_is_done() -> None:
    first, second = threading.Event(), threading.Event()

    def work(gate: threading.Event) -> None:
        gate.wait(5)

    tasks = [spawn(off_loop(work, gate), "work") for gate in (first, second)]
    await asyncio.sleep(0)
    first.set()
    await tasks[0]
    assert not gc.isenabled()
    second.set()
    await tasks[1]
    assert gc.isenabled()


async def test_a_failure_comes_out_and_the_collector_goes_on() -> None:
    def work() -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        await off_loop(work)
    assert gc.isenabled()
