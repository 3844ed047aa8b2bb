"""The window's loop closes what was begun in it and not finished."""

from __future__ import annotations

import asyncio
import gc
from contextvars import ContextVar, copy_context
from hashlib import pbkdf2_hmac
from threading import Barrier, Event, Thread, current_thread
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop.gui.event_loop import MAX_THREADS, WindowLoop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """One of the test's own."""
    loop = cast("asyncio.AbstractEventLoop", WindowLoop(qapp))
    yield loop
    loop.close()


def test_nothing_of_it_runs_until_it_runs(loop: asyncio.AbstractEventLoop) -> None:
    heard: list[str] = []
    loop.call_soon(heard.append, "called")
    QApplication.processEvents()
    assert heard == []
    loop.run_until_complete(asyncio.sleep(0))
    assert heard == ["called"]


def test_it_asks_qt_for_no_event_when_its_work_is_done(loop: asyncio.AbstractEventLoop) -> None:
    runs: list[bool] = []
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: runs.append(asyncio.get_running_loop() is loop))
    timer.start()
    loop.run_until_complete(asyncio.sleep(0.01))
    timer.stop()
    assert runs
    assert all(runs)


def test_one_that_is_stopped_before_its_work_is_done_says_so(
    loop: asyncio.AbstractEventLoop,
) -> None:
    loop.call_soon(loop.stop)
    waiting = loop.create_task(asyncio.sleep(60))
    with pytest.raises(RuntimeError, match="stopped before"):
        loop.run_until_complete(waiting)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(waiting)


def test_what_a_thread_asks_for_while_it_closes_is_dropped(
    loop: asyncio.AbstractEventLoop,
) -> None:
    heard: list[str] = []
    thread = Thread(target=loop.call_soon_threadsafe, args=(heard.append, "late"))
    thread.start()
    thread.join()
    loop.close()
    QApplication.processEvents()  # what fails in here fails the test
    assert heard == []


def test_no_more_threads_are_started_than_have_work_at_once(
    loop: asyncio.AbstractEventLoop,
) -> None:
    async def use() -> set[str]:
        names = {await asyncio.to_thread(lambda: current_thread().name) for _ in range(5)}
        together = Barrier(MAX_THREADS)
        await asyncio.gather(*(asyncio.to_thread(together.wait, 20) for _ in range(MAX_THREADS)))
        return names

    assert loop.run_until_complete(use()) == {"loop_0"}


def test_closing_it_waits_for_what_a_thread_has_begun(loop: asyncio.AbstractEventLoop) -> None:
    begun = Event()
    ended: list[bytes] = []

    def work() -> None:
        begun.set()
        ended.append(pbkdf2_hmac("sha256", b"takes", b"a tenth of a second", 200_000))

    async def begin() -> None:
        loop.run_in_executor(None, work)

    loop.run_until_complete(begin())
    assert begun.wait(20)
    loop.close()
    assert len(ended) == 1


async def test_a_thread_is_heard_in_the_context_that_it_names() -> None:
    name: ContextVar[str] = ContextVar("name")
    context = copy_context()
    context.run(name.set, "its own")
    loop = asyncio.get_running_loop()
    heard: asyncio.Future[str] = loop.create_future()

    def tell() -> None:
        loop.call_soon_threadsafe(lambda: heard.set_result(name.get()), context=context)

    await asyncio.to_thread(tell)
    assert await asyncio.wait_for(heard, 5) == "its own"


async def test_a_generator_that_nobody_finishes_is_closed_by_the_loop() -> None:
    closed = asyncio.Event()

    async def numbers() -> AsyncGenerator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)  # what a generator that only dies cannot do
            closed.set()

    begun = numbers()
    assert await anext(begun) == 1
    del begun
    gc.collect()
    async with asyncio.timeout(5):
        await closed.wait()


async def test_the_tests_of_the_window_run_on_its_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), WindowLoop)
