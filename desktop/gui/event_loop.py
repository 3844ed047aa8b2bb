"""The window's event loop: qasync's, with what it lacks of asyncio's own loops.

It closes asynchronous generators that were not finished, which qasync forgets and their clean-up
would be lost. It runs no callback while it is stopped: qasync's arrive with Qt's other events and
fail without a running loop. Closing it removes its timers, since timeouts that were not reached
leave some, and drops what a thread asked for meanwhile. What is done in a thread is done by
Python's own: qasync starts ten of Qt at the first use. Must not know what runs in it.

A thread must not have the last reference to a widget: it would be destroyed there, while the main
thread is in Qt. Python's threads keep their work for a moment after they told its result, for
milliseconds on a busy machine, so the loop takes out of it all that it holds. The rule for others:
give work to a thread by `asyncio.to_thread`, or by `run_in_executor` with a pool of your own.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, TypeVar, cast

from PySide6.QtCore import QEvent, QObject, Signal
from qasync import QEventLoop
from shiboken6 import delete, isValid

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Executor
    from contextvars import Context

    from PySide6.QtCore import QCoreApplication

T = TypeVar("T")

MAX_THREADS = 10
"""Of one loop; as many as qasync has. A thread is started when no other has nothing to do."""


class _Rest(QObject):
    """Holds back a loop's callbacks; their timers come again until they are let through."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.Timer


class _Threads(QObject):
    """Carries what threads ask for into the thread of the loop."""

    asked = Signal(object, object, object)
    done = Signal(object)


class _Work:
    """All that a thread holds of its work: what it calls, and the result. The loop empties it.

    The future of the executor gets no result. Its error would have a traceback, and that the frames
    of the coroutine that waits for it, with `self`.
    """

    def __init__(
        self, callback: Callable[..., Any], args: tuple[Any, ...], outcome: asyncio.Future[Any]
    ) -> None:
        self._callback, self._args, self._outcome = callback, args, outcome
        self._result: Any = None
        self._error: BaseException | None = None
        self._was_run = False

    def run(self) -> None:
        """Do the work, in the thread; it is left out if it was cancelled before one was free."""
        if self._outcome.cancelled():
            return
        try:
            self._result = self._callback(*self._args)
        except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
            self._error = error
        self._was_run = True

    def tell(self) -> None:
        """Set the outcome, in the thread of the loop, and keep nothing."""
        outcome, result, error, was_run = self._outcome, self._result, self._error, self._was_run
        vars(self).clear()
        if outcome.done() or outcome.get_loop().is_closed():
            return
        if error is not None:
            outcome.set_exception(error)
        elif was_run:
            outcome.set_result(result)
        else:
            outcome.cancel()  # its executor was shut down before a thread was free


class LoopEndedError(RuntimeError):
    """Qt ended the loop before the work was done; without its display it does so at once."""


class WindowLoop(QEventLoop):
    """Made on an application, run until one thing is done, and seldom more than once."""

    def __init__(self, app: QCoreApplication) -> None:
        cast("Any", super()).__init__(app)  # qasync says no types
        self._rest = _Rest()
        self._timer.installEventFilter(self._rest)
        self._threads = _Threads()
        self._threads.asked.connect(self._call_for_thread)
        self._threads.done.connect(_Work.tell)
        self._executor: Executor | None = None

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> None:
        """As qasync's, which calls a thread's callback on a closed loop, and loses its context."""
        self._threads.asked.emit(callback, args, context)

    def _call_for_thread(
        self, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> None:
        own = cast("asyncio.AbstractEventLoop", self)
        if not own.is_closed():
            own.call_soon(callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, callback: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """As asyncio's, but what the thread was given and made is dropped in the loop's thread."""
        outcome: asyncio.Future[T] = cast("asyncio.AbstractEventLoop", self).create_future()
        work, done = _Work(callback, args, outcome), self._threads.done
        (executor or self._own_executor()).submit(work.run).add_done_callback(
            lambda _: done.emit(work)
        )
        return outcome

    def _own_executor(self) -> Executor:
        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor  # not before the first frame

            self._executor = ThreadPoolExecutor(MAX_THREADS, "loop")
            cast("Any", self).set_default_executor(self._executor)  # closing waits for its threads
        return self._executor

    def run_until_complete(self, future: Awaitable[T]) -> T:
        """As asyncio's own: qasync's then asks Qt for its events, with no loop running any more.

        Raises:
            LoopEndedError: Qt ended it first.
        """
        own = cast("asyncio.AbstractEventLoop", self)
        task = asyncio.ensure_future(future, loop=own)  # noqa: TID251 - it is asyncio's own here
        task.add_done_callback(self._stop)
        try:
            self.run_forever()
        finally:
            task.remove_done_callback(self._stop)
        if not task.done():
            raise LoopEndedError("the loop was stopped before its work was done")
        return task.result()

    def _stop(self, _: asyncio.Future[Any]) -> None:
        self.stop()

    def run_forever(self) -> int:
        before = sys.get_asyncgen_hooks()
        own = cast("Any", self)  # both hooks are asyncio's BaseEventLoop's
        sys.set_asyncgen_hooks(own._asyncgen_firstiter_hook, own._asyncgen_finalizer_hook)
        self._timer.removeEventFilter(self._rest)
        try:
            return cast("int", super().run_forever())
        finally:
            self._timer.installEventFilter(self._rest)
            sys.set_asyncgen_hooks(*before)

    def close(self) -> None:
        super().close()
        if isValid(self._timer):
            delete(self._timer)
