"""One call at a time of one tool: started, cancelled, told about. Must not draw anything."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.tools.ports import ToolRunner
    from desktop.tool_types import Progress, ToolCall

End: TypeAlias = Literal["answered", "cancelled", "broken"]


class CallRun(QObject):
    """The running call; it ends with this object at the latest."""

    answered = Signal(object)
    """The `ToolResult`, that of a failed tool too."""
    ended = Signal(str)
    """How, an `End`; one that is broken is in the log and shown by the window."""

    def __init__(self, runner: ToolRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(self, call: ToolCall, on_progress: Callable[[Progress], None], name: str) -> None:
        """Send a call; there must be none running. `name` says what failed, if it breaks."""
        self._task = bridge.run(self, self._run(call, on_progress), name)

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self, call: ToolCall, on_progress: Callable[[Progress], None]) -> None:
        end: End = "broken"
        try:
            self.answered.emit(await self._runner.run(call, on_progress))
            end = "answered"
        except asyncio.CancelledError:
            end = "cancelled"
            raise
        finally:
            if isValid(self):
                self._task = None
                self.ended.emit(end)
