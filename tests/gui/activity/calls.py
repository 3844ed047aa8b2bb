"""Calls made by hand: steps sent as the executor sends them."""

from __future__ import annotations

from typing import Any

from desktop.tools.call_log import CallLog, LoggedCall
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import CallStep, ErrorCode, ToolCall, ToolError, ToolResult


class Made:
    """Recent calls without a server."""

    def __init__(self) -> None:
        self.executor = ToolExecutor(ToolRegistry())
        self.recent = CallLog(self.executor)

    def start(self, key: str = "server:tool", **arguments: Any) -> ToolCall:
        call = ToolCall(key, arguments)
        self.executor.stepped.send(CallStep(call, "started", 0.0))
        return call

    def step(self, call: ToolCall, **fields: Any) -> None:
        self.executor.stepped.send(CallStep(call, **fields))

    def finish(self, call: ToolCall, result: ToolResult | None = None) -> LoggedCall:
        done = result or ToolResult(success=True, output="done")
        self.executor.stepped.send(CallStep(call, "finished", 0.25, result=done))
        return next(one for one in self.recent.calls.values() if one.call is call)

    def whole(self, code: ErrorCode | None = None, **arguments: Any) -> LoggedCall:
        error = ToolError("Error", "it failed", code) if code is not None else None
        return self.finish(self.start(**arguments), ToolResult(success=error is None, error=error))
