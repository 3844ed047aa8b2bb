"""`ToolExecutor`: the one way to run a tool, for person, agent and terminal alike.

Find, read the arguments, validate, have it approved, wait for a turn, call with a limit, check what
came back, wrap. Every failure is a `ToolResult`, because a model must be able to read it; only the
caller's own cancellation passes through. Never tries twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from desktop.errors import ServerError, ToolNotFoundError
from desktop.signals import Signal
from desktop.tool_types import ErrorCode, ToolResult, failed
from desktop.tools.output import check_output
from desktop.tools.parsing import parse_arguments
from desktop.tools.refusal import CallRejectedError, denied, misfit
from desktop.tools.rules import RuleBook
from desktop.tools.sizes import off_loop_if_large
from desktop.tools.steps import CallProgressReporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.tool_types import (
        Approver,
        CallStep,
        JsonObject,
        Progress,
        ToolCall,
        ValidationIssue,
    )
    from desktop.tools.adapter import Tool
    from desktop.tools.registry import ToolSource

AT_ONCE: Final = 8
"""Calls that one server is given at a time; further ones wait, first come first served."""

logger = logging.getLogger(__name__)


class ToolExecutor:
    """Runs calls against the tools of one registry, or of a view of one."""

    def __init__(
        self,
        registry: ToolSource,
        *,
        approver: Approver | None = None,
        rules: RuleBook | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        """Args: approver: asked before each call; without one nobody is. rules: beyond schemas."""
        self._registry = registry
        self._approver = approver
        self._rules = rules if rules is not None else RuleBook()
        self._gates: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(at_once)
        )
        self.started: Signal[[ToolCall]] = Signal()
        self.finished: Signal[[ToolCall, ToolResult]] = Signal()
        self.stepped: Signal[[CallStep]] = Signal()

    def check(self, key: str, arguments: JsonObject) -> list[ValidationIssue]:
        """What is wrong by the tool's own schema, and by the rules; empty for an unknown tool."""
        from desktop.tools.validation import validate  # jsonschema: not before it is needed

        tool = self._registry.get(key)
        if tool is None:
            return []
        return self._ruled(tool, arguments, validate(tool.definition.input_schema, arguments))

    async def run(
        self, call: ToolCall, on_progress: Callable[[Progress], None] | None = None
    ) -> ToolResult:
        """Run one call. Cancelling the awaiting task cancels it at the server and raises on."""
        steps = CallProgressReporter(call, self.stepped)
        self.started.send(call)
        steps.tell("started")
        try:
            result = await self._attempt(steps, on_progress)
        except asyncio.CancelledError:
            self._finish(steps, failed("CancelledError", "Cancelled.", ErrorCode.CANCELLED))
            raise
        except Exception as error:
            logger.exception("call of %s failed", call.key)
            result = failed(type(error).__name__, str(error), ErrorCode.INTERNAL)
        return self._finish(steps, result)

    async def _attempt(
        self, steps: CallProgressReporter, on_progress: Callable[[Progress], None] | None
    ) -> ToolResult:
        try:
            tool = self._registry.find(steps.call.key)
            steps.tell("found", tool.definition.key)
            self._parse(steps)
            await self._validate(steps, tool)
            await self._approve(steps, tool)
            return await self._take_turn(steps, tool, on_progress)
        except ToolNotFoundError as error:
            return failed("ToolNotFoundError", str(error), ErrorCode.NOT_FOUND)
        except CallRejectedError as refusal:
            steps.tell(refusal.step, str(refusal), refusal.issues)
            return refusal.result
        except ServerError as error:
            return failed("ServerError", str(error), ErrorCode.UNREACHABLE)

    def _parse(self, steps: CallProgressReporter) -> None:
        call = steps.call
        arguments = parse_arguments(call.arguments if call.text is None else call.text)
        if call.text is not None:
            steps.call = replace(call, arguments=arguments)
            steps.tell("parsed")

    async def _validate(self, steps: CallProgressReporter, tool: Tool) -> None:
        from desktop.tools.validation import validate

        arguments = steps.call.arguments
        found = await off_loop_if_large(validate, tool.definition.input_schema, arguments)
        issues = tuple(self._ruled(tool, arguments, found))
        if _errors(issues):
            raise misfit(tool.definition.key, issues)
        steps.tell("validated", issues=issues)

    def _ruled(
        self, tool: Tool, arguments: JsonObject, found: list[ValidationIssue]
    ) -> list[ValidationIssue]:
        """Rules are asked only of arguments that fit the schema: they may rely on it."""
        if _errors(found):
            return found
        return [*found, *self._rules.check(tool.definition.key, arguments)]

    async def _approve(self, steps: CallProgressReporter, tool: Tool) -> None:
        if self._approver is None:
            return
        call = steps.call
        steps.tell("asked")
        decision = await self._approver.approve(
            tool.definition, call.arguments, call_id=call.call_id, origin=call.origin
        )
        if not decision.allowed:
            raise denied(tool.definition.key, decision.reason)
        is_changed = decision.arguments != call.arguments
        if is_changed:
            steps.call = replace(call, arguments=parse_arguments(decision.arguments))
        steps.tell("approved", decision.reason)
        if is_changed:
            await self._validate(steps, tool)

    async def _take_turn(
        self,
        steps: CallProgressReporter,
        tool: Tool,
        on_progress: Callable[[Progress], None] | None,
    ) -> ToolResult:
        gate = self._gates[tool.definition.server]
        if gate.locked():
            steps.tell("waiting")
        async with gate:
            result = await self._send(steps, tool, on_progress)
        steps.tell("answered")
        issues = await check_output(tool.definition.output_schema, result)
        if issues is None:
            return result
        steps.tell("checked", issues=issues)
        return replace(result, output_issues=issues)

    async def _send(
        self,
        steps: CallProgressReporter,
        tool: Tool,
        on_progress: Callable[[Progress], None] | None,
    ) -> ToolResult:
        call = steps.call
        steps.tell("sent")
        began = time.monotonic()
        result = await tool.execute(
            call.arguments,
            call_id=call.call_id,
            timeout=call.timeout,
            on_progress=partial(_tell_progress, steps, on_progress),
        )
        return replace(result, execution_time=time.monotonic() - began)

    def _finish(self, steps: CallProgressReporter, result: ToolResult) -> ToolResult:
        self.finished.send(steps.call, result)
        steps.tell("finished", result=result)
        return result


def _tell_progress(
    steps: CallProgressReporter, told: Callable[[Progress], None] | None, progress: Progress
) -> None:
    steps.tell_progress(progress)
    if told is not None:
        told(progress)


def _errors(issues: list[ValidationIssue] | tuple[ValidationIssue, ...]) -> bool:
    return any(issue.severity == "error" for issue in issues)
