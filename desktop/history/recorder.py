"""`HistoryRecorder`: hands every call that an executor ended to the history.

Costs the loop next to nothing; must not touch the disk or change a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.history.finished import FinishedCall
from desktop.tool_types import EMPTY

if TYPE_CHECKING:
    from desktop.history.store import HistoryStore
    from desktop.tool_types import ToolCall, ToolResult
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry


class HistoryRecorder:
    """Records from its making until `close`; one for each executor, on one store."""

    def __init__(self, executor: ToolExecutor, registry: ToolRegistry, store: HistoryStore) -> None:
        """Args: registry: has the schemas that say what is secret in the arguments."""
        self._registry, self._store = registry, store
        self.close = executor.finished.connect(self._record)

    def _record(self, call: ToolCall, result: ToolResult) -> None:
        tool = self._registry.get(call.key)
        schema = tool.definition.input_schema if tool is not None else EMPTY
        self._store.add(FinishedCall(call, result, schema))
