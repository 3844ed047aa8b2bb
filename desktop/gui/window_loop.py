"""The one event loop of the window: qasync's, with two things that asyncio's own loops do.

An asynchronous generator that nobody finished is closed by the loop, as qasync forgets to arrange;
else it dies with the garbage, and its clean-up with it. And closing takes the timers along: limits
that were not reached leave some running. Must not know what runs in it.
"""

from __future__ import annotations

import sys
from typing import Any, cast

from qasync import QEventLoop
from shiboken6 import delete, isValid


class WindowLoop(QEventLoop):
    """Made on an application, run once."""

    def run_forever(self) -> int:
        before = sys.get_asyncgen_hooks()
        own = cast("Any", self)  # both hooks are asyncio's BaseEventLoop's
        sys.set_asyncgen_hooks(own._asyncgen_firstiter_hook, own._asyncgen_finalizer_hook)
        try:
            return cast("int", super().run_forever())
        finally:
            sys.set_asyncgen_hooks(*before)

    def close(self) -> None:
        super().close()
        if isValid(self._timer):
            delete(self._timer)
