"""Another thread for what waits on a disk or a decoder, with the garbage collector at rest.

Python collects in whatever thread makes an object too many. In another thread that may destroy
widgets there, and Qt crashes ("Timers cannot be stopped from another thread"). Must not import Qt.
"""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class _Collector:
    """Rests while anyone wants it to; only the loop's thread asks."""

    def __init__(self) -> None:
        self._resting = 0
        self._was_on = False

    def rest(self) -> None:
        if not self._resting:
            self._was_on = gc.isenabled()
            gc.disable()
        self._resting += 1

    def go_on(self) -> None:
        self._resting -= 1
        if not self._resting and self._was_on:
            gc.enable()


_collector = _Collector()


async def off_loop(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `function` returns, called in another thread; short or waiting work, few objects."""
    _collector.rest()
    try:
        return await asyncio.to_thread(function, *args, **kwargs)
    finally:
        _collector.go_on()
