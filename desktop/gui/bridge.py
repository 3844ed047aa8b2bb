"""The only way from the core to a widget: core signals, and tasks that a widget owns.

Both end with the widget, because Python may still hold its wrapper after `deleteLater()`, and a
call into that raises. A click or a timer may come while the loop does not run: the task then starts
when the loop runs again, and none starts once it is closed. No other module may connect a widget to
a core signal or start a task for it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, runtime_checkable
from weakref import ref

from desktop.base.errors import DesktopError
from desktop.gui.translations import named, spoken

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from PySide6.QtCore import QObject

    from desktop.base.signals import Signal

P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W")
logger = logging.getLogger(__name__)


@runtime_checkable
class ShowsErrors(Protocol):
    """A widget that can tell the person of a failure without stopping them; the window is one."""

    def show_error(self, message: str) -> None: ...


def connect(widget: QObject, signal: Signal[P], slot: Callable[P, object]) -> None:
    """Call `slot` at each send of `signal` for as long as `widget` lives.

    A bound method is held weakly, so the connection keeps no widget alive.
    """
    disconnect = signal.connect(_weak(slot))
    widget.destroyed.connect(lambda: disconnect())


def if_alive(widget: W, act: Callable[Concatenate[W, P], object]) -> Callable[P, None]:
    """A slot that calls `act` with `widget`, and does nothing once that is gone.

    For what a dialog changes in its parent. A slot that held the parent would end with the dialog,
    and might be the last to hold it: the parent would be destroyed in the middle of the dialog's
    own end, and destroy the dialog a second time. `act` must not hold the parent either.
    """
    there = ref(widget)

    def slot(*args: P.args, **kwargs: P.kwargs) -> None:
        if (found := there()) is not None:
            act(found, *args, **kwargs)

    return slot


def run(widget: QObject, coroutine: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T] | None:
    """Start a task that `widget` owns: cancelled when it is destroyed, a failure logged and shown.

    Shown by the nearest ancestor (or `widget` itself) that has `show_error(message)`. None where no
    loop is left to run it.
    """
    from desktop.base.tasks import spawn  # asyncio: not before the first paint

    loop = _loop()
    if loop is None:
        logger.debug("not begun, as the loop is closed: %s", name)
        coroutine.close()
        return None
    task = spawn(coroutine, name, loop=loop, expected=DesktopError)
    is_alive = True

    def end() -> None:
        nonlocal is_alive
        is_alive = False
        if not loop.is_closed():
            task.cancel()

    def show(done: asyncio.Task[T]) -> None:
        if is_alive and not done.cancelled() and (error := done.exception()) is not None:
            show_error(widget, error, name)

    connection = widget.destroyed.connect(end)
    task.add_done_callback(show)
    task.add_done_callback(lambda _: is_alive and widget.destroyed.disconnect(connection))
    return task


def release_on_destroy(widget: QObject) -> None:
    """Drop all that the wrapper of `widget` holds, as soon as the widget is destroyed.

    For what shows large values: wrappers and slots hold each other, and the value would wait with
    them until somebody looks for garbage.
    """
    alive = ref(widget)

    def drop() -> None:
        if (wrapper := alive()) is not None:
            vars(wrapper).clear()

    widget.destroyed.connect(drop)


def show_error(widget: QObject, error: BaseException, doing: str) -> None:
    """Tell the person of `error` where the widget stands; a message of ours needs no addition."""
    ours = isinstance(error, DesktopError)
    message = spoken(str(error)) if ours else named(doing, _error_text(error))
    reader: QObject | None = widget
    while reader is not None and not isinstance(reader, ShowsErrors):
        reader = reader.parent()
    if reader is None:
        logger.debug("nothing around %r shows errors: %s", widget, message)
    else:
        reader.show_error(message)


def _loop() -> asyncio.AbstractEventLoop | None:
    """The one that runs or will run again."""
    import asyncio

    try:
        loop = asyncio.get_event_loop()
    except RuntimeError:
        return None
    return None if loop.is_closed() else loop


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _weak(slot: Callable[P, object]) -> Callable[P, object]:
    owner, function = getattr(slot, "__self__", None), getattr(slot, "__func__", None)
    return slot if owner is None or function is None else if_alive(owner, function)
