"""`ToolExecutor`: the one way to run a tool, for person, agent and terminal alike.

Find, read the arguments, validate, have it approved, wait for a turn, call with a limit, check what
came back, wrap. Every failure is a `ToolResult`, because a model must be able to read it; only the
caller's own cancellation passes through. Never tries twice.

Keeps the check of a large value off the loop: it may take half a second. Checks nothing.

Holds what a tool gave back against its `outputSchema`: a finding is told, the result stays.

Source: MCP specification, server/tools, "Output Schema". Must not change the result.

Tells the steps of one call while it runs; keeps the call as it is by then. Decides nothing.

Why a call is not sent: raised by the steps before it, caught by the executor alone.

Is never raised out of `ToolExecutor.run`, which makes a result of it.

Reads the arguments of a call: an object, or the JSON text of one as a model wrote it.

Text that is no JSON object is refused with the place of the fault; it never becomes `{}`. Must not
judge the values: the validation does.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from desktop.errors import ServerError, ToolNotFoundError
from desktop.signals import Signal
from desktop.tool_types import CallStep, ErrorCode, ToolResult, ValidationIssue, failed
from desktop.tools.validation.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.tool_types import Approver, JsonObject, Progress, Step, ToolCall
    from desktop.tools.adapters import Tool
    from desktop.tools.registry import ToolSource

T = TypeVar("T")
LARGE: Final = 1_000
"""Values in a value from which it is checked in a thread: below, that takes some milliseconds."""


async def off_loop_if_large(check: Callable[[Any, Any], T], schema: object, value: object) -> T:
    """`check(schema, value)`, in a thread where the value is large."""
    if is_large(value):
        return await asyncio.to_thread(check, schema, value)
    return check(schema, value)


def is_large(value: object) -> bool:
    """Whether it holds more than `LARGE` values; looks at no more of them than that."""
    todo, seen = [value], 0
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            todo.extend(cast("dict[str, object]", here).values())
        elif isinstance(here, list):
            todo.extend(cast("list[object]", here))
        seen += 1
        if seen + len(todo) > LARGE:
            return True
    return False


_OF_ARGUMENTS: Final = frozenset({"deprecated", "readOnly"})
"""Words for who fills a value in: a tool may give back what is read-only."""


async def check_output(
    schema: JsonObject | None, result: ToolResult
) -> tuple[ValidationIssue, ...] | None:
    """All findings; None where there is nothing to check: no schema, or an error for a result.

    A tool with a schema has to give structured content. Its null cannot be told from none here, so
    none is accepted where the schema's own `type` has `null`.
    """
    if schema is None or result.error is not None:
        return None
    if result.structured is None and "null" not in _types(schema):
        words = "has no structured content, although the tool declares an output schema"
        return (ValidationIssue((), "rule", words, code="missingOutput"),)
    from desktop.tools.validation import find_misfits  # jsonschema: not before it is needed

    found = await off_loop_if_large(find_misfits, schema, result.structured)
    return tuple(issue for issue in found if issue.code not in _OF_ARGUMENTS)


def _types(schema: object) -> list[Any]:
    kind: Any = cast("JsonObject", schema).get("type") if isinstance(schema, dict) else None
    return cast("list[Any]", kind) if isinstance(kind, list) else [kind]


class CallProgressReporter:
    """Tells the steps of one call under way; costs nearly nothing while nobody listens."""

    __slots__ = ("_began", "_stepped", "call")

    def __init__(self, call: ToolCall, stepped: Signal[[CallStep]]) -> None:
        self.call = call
        self._stepped = stepped
        self._began = time.monotonic()

    def tell(
        self,
        step: Step,
        detail: str = "",
        issues: tuple[ValidationIssue, ...] = (),
        result: ToolResult | None = None,
    ) -> None:
        if self._stepped.is_heard:
            elapsed = time.monotonic() - self._began if step != "started" else 0.0
            self._stepped.send(CallStep(self.call, step, elapsed, detail, issues, result))

    def tell_progress(self, progress: Progress) -> None:
        if self._stepped.is_heard:
            total = f" of {progress.total:g}" if progress.total is not None else ""
            self.tell("progress", f"{progress.progress:g}{total}  {progress.message}".rstrip())


class CallRejectedError(Exception):
    """Nothing was sent, and the result says why."""

    def __init__(
        self, kind: str, message: str, code: ErrorCode, issues: tuple[ValidationIssue, ...] = ()
    ) -> None:
        """Args: kind: the `type` of the result's error. message: a sentence. issues: all found."""
        super().__init__(message)
        self.result: ToolResult = failed(kind, message, code)
        self.step: Step = "denied" if code == ErrorCode.DENIED else "refused"
        self.issues = issues


def misfit(key: str, issues: Iterable[ValidationIssue]) -> CallRejectedError:
    """The arguments do not fit the tool; names every error, for a model to correct all at once."""
    found = tuple(issues)
    lines = "\n".join(f"- {issue}" for issue in found if issue.severity == "error")
    message = f"The arguments do not fit {key}; nothing was sent:\n{lines}"
    return CallRejectedError("ValidationError", message, ErrorCode.INVALID_ARGUMENTS, found)


def denied(key: str, reason: str) -> CallRejectedError:
    """Whoever was asked said no."""
    why = f": {reason}" if reason else "."
    message = f"The call of {key} was not allowed; nothing was sent{why}"
    return CallRejectedError("DeniedError", message, ErrorCode.DENIED)


def parse_arguments(given: object) -> JsonObject:
    """The object; a mapping as it is, text as the JSON it holds (nothing at all is `{}`).

    Raises:
        RefusedError: it is no JSON, or no object.
    """
    value = _parsed(given) if isinstance(given, str) else given
    if isinstance(value, Mapping):
        return cast("JsonObject", value)
    from desktop.tools.validation.messages import noun_of

    raise _refused("type", "object", f"must be a JSON object, is {noun_of(value)}")


def _parsed(text: str) -> Any:
    if not text.strip():  # what several providers send for a tool without parameters
        return {}
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _refused("format", "json", f"is not JSON at {place}: {error.msg}") from error
    except RecursionError as error:
        raise _refused("format", "json", "is nested too deeply") from error
    except ValueError as error:
        raise _refused("format", "json", f"is not JSON: {error!s:.200}") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _refused(layer: Any, code: str, words: str) -> CallRejectedError:
    message = f"The arguments were not understood; nothing was sent: the text {words}."
    issue = ValidationIssue((), layer, words, code=code)
    return CallRejectedError("ParseError", message, ErrorCode.INVALID_ARGUMENTS, (issue,))


MAX_CONCURRENT_CALLS: Final = 8
"""Calls that one server is given at a time; further ones wait, first come first served."""

logger = logging.getLogger(__name__)


class ToolExecutor:
    """Runs calls against the tools of one registry, or of a view of one."""

    def __init__(
        self,
        registry: ToolSource,
        *,
        approver: Approver | None = None,
        rules: Rules | None = None,
        at_once: int = MAX_CONCURRENT_CALLS,
    ) -> None:
        """Args: approver: asked before each call; without one nobody is. rules: beyond schemas."""
        self._registry = registry
        self._approver = approver
        self._rules = rules if rules is not None else Rules()
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
