"""The window's loop closes what was begun in it and not finished."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import partial
from hashlib import pbkdf2_hmac
from threading import Barrier, Event, Thread, current_thread, main_thread
from threading import enumerate as enumerate_threads
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from desktop.config import keyring_access
from desktop.gui.event_loop import MAX_THREADS, WindowLoop
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

T = TypeVar("T")


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


def test_no_more_threads_are_started_than_there_was_work_for(
    loop: asyncio.AbstractEventLoop,
) -> None:
    before = set(enumerate_threads())
    started: list[int] = []

    async def use() -> None:
        for _ in range(3):
            await asyncio.to_thread(int)
            started.append(len(set(enumerate_threads()) - before))

    loop.run_until_complete(use())
    # The second work may come before the first thread counts as free: it says its result earlier.
    assert started[0] == 1
    assert started[1] <= 2
    assert started[2] <= 3


def test_as_many_works_as_it_has_threads_run_at_once_and_no_more(
    loop: asyncio.AbstractEventLoop,
) -> None:
    together = Barrier(MAX_THREADS)

    def meet() -> str:
        together.wait(20)
        return current_thread().name

    async def use() -> list[str]:
        return await asyncio.gather(*(asyncio.to_thread(meet) for _ in range(3 * MAX_THREADS)))

    names = loop.run_until_complete(use())
    assert len(set(names)) == MAX_THREADS


class _HoldsOn(Executor):
    """Starts a thread for each work, which keeps the work until it is let go.

    A thread does so for some microseconds, and on a busy machine for milliseconds.
    """

    def __init__(self) -> None:
        self._let_go = Event()
        self._threads: list[Thread] = []

    def thread(self, target: Callable[[], None], **_: Any) -> Thread:
        """One that is not started, for what starts a thread of its own."""

        def run(kept: list[Callable[[], None]]) -> None:
            kept[0]()
            self._let_go.wait(20)
            kept.clear()

        self._threads.append(Thread(target=run, args=([target],)))
        return self._threads[-1]

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        outcome: Future[T] = Future()

        def work() -> None:
            try:
                outcome.set_result(fn(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 - as Python's own
                outcome.set_exception(error)

        self.thread(work).start()
        return outcome

    def let_go(self) -> None:
        self._let_go.set()
        for thread in self._threads:
            thread.join(20)


class _Card(QWidget):
    """In no cycle and without a parent, so it dies with its last reference."""

    def __init__(self, deaths: list[bool]) -> None:
        super().__init__()
        self._deaths = deaths

    def __del__(self) -> None:
        self._deaths.append(current_thread() is main_thread())

    def work(self) -> None:
        pass

    def fail(self) -> None:
        raise ValueError

    def give_itself(self) -> _Card:
        return self


@pytest.fixture
def executor() -> Iterator[_HoldsOn]:
    made = _HoldsOn()
    yield made
    made.let_go()


@pytest.mark.parametrize("work", [_Card.work, _Card.fail, _Card.give_itself])
@pytest.mark.parametrize("is_keyring", [False, True], ids=["pool", "keyring"])
def test_a_widget_ends_in_the_loops_thread_however_long_another_holds_on_to_work_with_it(
    loop: asyncio.AbstractEventLoop,
    executor: _HoldsOn,
    work: Callable[[_Card], object],
    is_keyring: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyring_access, "Thread", executor.thread)
    deaths: list[bool] = []

    async def use() -> None:
        card = _Card(deaths)
        with suppress(ValueError):
            if is_keyring:
                await keyring_access.call_keyring(partial(work, card))
            else:
                await loop.run_in_executor(executor, work, card)

    loop.run_until_complete(use())
    assert deaths == [True]
    executor.let_go()
    assert deaths == [True]


def test_a_widget_that_waits_no_more_for_a_thread_ends_in_the_loops(
    loop: asyncio.AbstractEventLoop, executor: _HoldsOn
) -> None:
    deaths: list[bool] = []
    begun, end = Event(), Event()

    def work(_: _Card) -> None:
        begun.set()
        end.wait(20)

    async def use() -> None:
        waited_for = loop.run_in_executor(executor, work, _Card(deaths))
        await asyncio.to_thread(begun.wait, 20)
        waited_for.cancel()
        end.set()
        while not deaths:  # noqa: ASYNC110 - a destroyed widget tells nobody
            await asyncio.sleep(0)

    loop.run_until_complete(asyncio.wait_for(use(), 20))
    assert deaths == [True]


def test_what_was_cancelled_before_a_thread_was_free_is_not_begun(
    loop: asyncio.AbstractEventLoop,
) -> None:
    done: list[str] = []
    end = Event()

    async def use() -> None:
        with ThreadPoolExecutor(1) as pool:
            first = loop.run_in_executor(pool, end.wait, 20)
            loop.run_in_executor(pool, done.append, "cancelled").cancel()
            last = loop.run_in_executor(pool, done.append, "last")
            end.set()
            await asyncio.gather(first, last)

    loop.run_until_complete(use())
    assert done == ["last"]


def test_what_a_pool_drops_as_it_is_shut_down_counts_as_cancelled(
    loop: asyncio.AbstractEventLoop,
) -> None:
    begun, end = Event(), Event()

    def work() -> bool:
        begun.set()
        return end.wait(20)

    async def use() -> None:
        pool = ThreadPoolExecutor(1)
        first, second = (loop.run_in_executor(pool, work) for _ in range(2))
        await asyncio.to_thread(begun.wait, 20)
        pool.shutdown(wait=False, cancel_futures=True)
        end.set()
        assert await first
        with pytest.raises(asyncio.CancelledError):
            await second

    loop.run_until_complete(asyncio.wait_for(use(), 20))


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
    assert await asyncio.wait_for(heard, LIMIT) == "its own"


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
    async with asyncio.timeout(LIMIT):
        await closed.wait()


async def test_the_tests_of_the_window_run_on_its_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), WindowLoop)
