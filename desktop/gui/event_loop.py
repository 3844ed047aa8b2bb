"""The window's event loop: qasync's, with five things that asyncio's own loops do.

It closes asynchronous generators that were not finished, which qasync forgets and their clean-up
would be lost. It runs no callback while it is stopped: qasync's arrive with Qt's other events and
fail without a running loop. Closing it removes its timers, since timeouts that were not reached
leave some, and drops what a thread asked for meanwhile. What is done in a thread is done by
Python's own: qasync starts ten of Qt at the first use. Must not know what runs in it.
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


class WindowLoop(QEventLoop):
    """Made on an application, run until one thing is done, and seldom more than once."""

    def __init__(self, app: QCoreApplication) -> None:
        cast("Any", super()).__init__(app)  # qasync says no types
        self._rest = _Rest()
        self._timer.installEventFilter(self._rest)
        self._threads = _Threads()
        self._threads.asked.connect(self._call_for_thread)
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
        if executor is None and self._executor is None:
            from concurrent.futures import ThreadPoolExecutor  # not before the first frame

            self._executor = ThreadPoolExecutor(MAX_THREADS, "loop")
            cast("Any", self).set_default_executor(self._executor)  # closing waits for its threads
        run = cast("Any", super()).run_in_executor
        return cast("asyncio.Future[T]", run(executor, callback, *args))

    def run_until_complete(self, future: Awaitable[T]) -> T:
        """As asyncio's own: qasync's then asks Qt for its events, with no loop running any more."""
        own = cast("asyncio.AbstractEventLoop", self)
        task = asyncio.ensure_future(future, loop=own)  # noqa: TID251 - it is asyncio's own here
        task.add_done_callback(self._stop)
        try:
            self.run_forever()
        finally:
            task.remove_done_callback(self._stop)
        if not task.done():
            raise RuntimeError("the loop was stopped before its work was done")
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
