"""A registry and a runner as the page's ports want them, small and in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from PySide6.QtCore import Qt

from desktop.base.signals import Signal
from desktop.tools.executor import CheckedArguments
from desktop.tools.validation import validate
from desktop.values.tool_types import ErrorCode, ToolDefinition, ToolResult, failed
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

    from desktop.values.tool_types import JsonObject, Progress, ToolCall, ValidationIssue

TEXT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}
NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}


def tool(key: str, schema: JsonObject = NO_ARGUMENTS, **rest: Any) -> ToolDefinition:
    server, _, name = key.partition(":")
    return ToolDefinition(server, name, input_schema=schema, **rest)


@dataclass(frozen=True)
class FakeTool:
    definition: ToolDefinition


class FakeRegistry:
    """Tools that a test replaces as it likes."""

    def __init__(self, *tools: ToolDefinition) -> None:
        self.changed: Signal[[]] = Signal()
        self._tools = tools

    def all(self) -> tuple[FakeTool, ...]:
        return tuple(FakeTool(tool) for tool in self._tools)

    def replace(self, *tools: ToolDefinition) -> None:
        self._tools = tools
        self.changed.send()


class FakeRunner:
    """Answers at once, or when the test says so; checks by the schemas of the tools it is given."""

    def __init__(self, *tools: ToolDefinition) -> None:
        self.schemas = {tool.key: tool.input_schema for tool in tools}
        self.calls: list[ToolCall] = []
        self.cancelled: list[str] = []
        self.problems: list[ValidationIssue] = []
        self.result = ToolResult(success=True, output="done")
        self.started = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.progress: list[Progress] = []
        self._running: dict[str, anyio.CancelScope] = {}

    def check(self, key: str, arguments: JsonObject) -> CheckedArguments:
        issues = (*validate(self.schemas.get(key, {}), arguments), *self.problems)
        return CheckedArguments(None, arguments, issues, 0)

    async def run(
        self,
        call: ToolCall,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        checked: CheckedArguments | None = None,
    ) -> ToolResult:
        self.calls.append(call)
        self.started.set()
        for each in self.progress:
            if on_progress is not None:
                on_progress(each)
        result = failed("CancelledError", "Cancelled.", ErrorCode.CANCELLED)
        try:
            with anyio.CancelScope() as self._running[call.call_id]:
                await asyncio.wait_for(self.may_end.wait(), LIMIT)
                result = self.result
        finally:
            del self._running[call.call_id]
            if result is not self.result:
                self.cancelled.append(call.key)
        return result

    def cancel(self, call_id: str) -> bool:
        if call_id not in self._running:
            return False
        self._running[call_id].cancel()
        return True


async def after(signal: SignalInstance, act: Callable[[], object]) -> None:
    """Do `act` and wait until `signal` was sent."""
    sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def note(*_: object) -> None:
        sent.set_result(None)

    signal.connect(note, Qt.ConnectionType.SingleShotConnection)
    act()
    await asyncio.wait_for(sent, LIMIT)
