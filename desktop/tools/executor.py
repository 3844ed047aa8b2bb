"""`ToolExecutor`: the one way to run a tool, for person, agent and terminal alike.

Find, validate, call with a limit, wrap. Every failure is a `ToolResult`, because a model must be
able to read it; only the caller's own cancellation passes through. Never tries twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from desktop.errors import ServerError, ToolNotFoundError
from desktop.signals import Signal
from desktop.tools.events import CallStep
from desktop.tools.result import ErrorCode, ToolError, ToolResult
from desktop.tools.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.tools.adapter import Tool
    from desktop.tools.call import Progress, ToolCall
    from desktop.tools.definition import JsonObject
    from desktop.tools.issue import ValidationIssue
    from desktop.tools.registry import ToolRegistry

logger = logging.getLogger(__name__)


class ToolExecutor:
    """Runs calls against the tools of one registry."""

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self.started: Signal[[ToolCall]] = Signal()
        self.finished: Signal[[ToolCall, ToolResult]] = Signal()
        self.stepped: Signal[[CallStep]] = Signal()

    def check(self, key: str, arguments: JsonObject) -> list[ValidationIssue]:
        """What is wrong with the arguments, by the tool's own schema; empty for an unknown tool."""
        tool = self._registry.get(key)
        return validate(tool.definition.input_schema, arguments) if tool is not None else []

    async def run(
        self, call: ToolCall, on_progress: Callable[[Progress], None] | None = None
    ) -> ToolResult:
        """Run one call. Cancelling the awaiting task cancels it at the server and raises on."""
        began = time.monotonic()
        self.started.send(call)
        self.stepped.send(CallStep(call, "started", 0.0))
        try:
            result = await self._attempt(call, on_progress)
        except asyncio.CancelledError:
            self._finish(call, _failed("CancelledError", "Cancelled.", ErrorCode.CANCELLED), began)
            raise
        return self._finish(call, result, began)

    async def _attempt(
        self, call: ToolCall, on_progress: Callable[[Progress], None] | None
    ) -> ToolResult:
        try:
            tool = self._registry.find(call.key)
        except ToolNotFoundError as error:
            return _failed("ToolNotFoundError", str(error), ErrorCode.NOT_FOUND)
        try:
            refused = _refusal(tool, call.arguments)
            return refused or await tool.execute(
                call.arguments,
                call_id=call.call_id,
                timeout=call.timeout,
                on_progress=on_progress,
            )
        except ServerError as error:
            return _failed("ServerError", str(error), ErrorCode.UNREACHABLE)
        except Exception as error:
            logger.exception("call of %s failed", call.key)
            return _failed(type(error).__name__, str(error), ErrorCode.INTERNAL)

    def _finish(self, call: ToolCall, result: ToolResult, began: float) -> ToolResult:
        took = time.monotonic() - began
        result = replace(result, execution_time=took, timestamp=datetime.now(UTC))
        self.finished.send(call, result)
        self.stepped.send(CallStep(call, "finished", took, result=result))
        return result


def _refusal(tool: Tool, arguments: JsonObject) -> ToolResult | None:
    issues = validate(tool.definition.input_schema, arguments)
    errors = [str(issue) for issue in issues if issue.severity == "error"]
    if not errors:
        return None
    lines = "\n".join(f"- {error}" for error in errors)
    message = f"The arguments do not fit {tool.definition.key}; nothing was sent:\n{lines}"
    return _failed("ValidationError", message, ErrorCode.INVALID_ARGUMENTS)


def _failed(kind: str, message: str, code: ErrorCode) -> ToolResult:
    return ToolResult(success=False, error=ToolError(kind, message, code))
