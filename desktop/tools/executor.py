"""`ToolExecutor`: the one way to run a tool, for person, agent and terminal alike.

Finds the tool, parses the arguments, validates them, has the call approved, waits for a turn, calls
with a time limit, checks the output against the tool's `outputSchema` and wraps all of it in a
`ToolResult`. Every failure is a result, because a model must be able to read it, and so is a call
that is cancelled by its id; only the caller's own cancellation is raised. Never tries a call twice.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.errors import ServerError, ToolNotFoundError
from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.tools.validation.rules import Rules
from desktop.values.json_schema import why_not_json
from desktop.values.tool_types import (
    NOT_FINITE,
    CallStep,
    ErrorCode,
    ToolResult,
    ValidationIssue,
    failed,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable

    from desktop.tools.adapters import Tool
    from desktop.tools.registry import ToolSource
    from desktop.tools.result_spill import ResultSpill
    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import (
        Approver,
        JsonObject,
        JsonPath,
        Progress,
        Step,
        ToolCall,
    )

# Checks a tool's structured output against its `outputSchema`, and large values in a thread.
#
# A large value would block the loop while it is checked, arguments as much as output. Changes no
# result: what does not fit is only told.


LARGE: Final = 1_000
"""Values in a value from which it is checked in a thread: below, that takes some milliseconds."""

_OF_ARGUMENTS: Final = frozenset({"deprecated", "readOnly"})
"""Codes of issues that only concern whoever fills a value in: a tool may return read-only ones."""


async def check_output(
    schema: JsonObject | None, result: ToolResult
) -> tuple[ValidationIssue, ...] | None:
    """Check a result's structured content against the tool's `outputSchema`.

    Source: MCP specification, server/tools, "Output Schema". The result itself is not changed.

    Returns:
        All issues; None if there is nothing to check: no schema, or a result that is an error.
    """
    if schema is None or result.error is not None:
        return None
    # A null as structured content looks like none at all, so a schema that allows null allows none.
    if result.structured is None and "null" not in _types(schema):
        words = translatable(
            "has no structured content, although the tool declares an output schema"
        )
        return (ValidationIssue((), "rule", words, code="missingOutput"),)
    from desktop.tools.validation import find_misfits  # jsonschema: not before it is needed

    issues = await run_off_loop_if_large(partial(find_misfits, schema), result.structured)
    return tuple(issue for issue in issues if issue.code not in _OF_ARGUMENTS)


async def make_finite(result: ToolResult) -> tuple[ToolResult, tuple[ValidationIssue, ...]]:
    """The result with null where it had NaN or Infinity, and one warning of how many there were.

    JSON has neither, though many libraries write them: nobody else could read what is kept of it.
    """
    structured = result.structured
    if structured is None or not await run_off_loop_if_large(_has_odd_numbers, structured):
        return result, ()
    odd: list[JsonPath] = []
    finite = await run_off_loop_if_large(partial(_without_odd_numbers, (), odd), structured)
    words = translatable(
        "NaN and Infinity are not JSON: null stands in their place ({count})",
        count=f"{len(odd):,}",
    )
    issue = ValidationIssue(odd[0], "type", words, "warning", NOT_FINITE)
    return replace(result, structured=finite), (issue,)


def _has_odd_numbers(value: Any) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, float):
            if not math.isfinite(item):
                return True
        elif isinstance(item, dict):
            pending.extend(cast("dict[str, Any]", item).values())
        elif isinstance(item, list):
            pending.extend(cast("list[Any]", item))
    return False


def _without_odd_numbers(path: JsonPath, odd: list[JsonPath], value: Any) -> Any:
    """A copy with null in their place; tells of where each was."""
    if isinstance(value, float) and not math.isfinite(value):
        odd.append(path)
        return None
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return {key: _without_odd_numbers((*path, key), odd, each) for key, each in members}
    if isinstance(value, list):
        items = enumerate(cast("list[Any]", value))
        return [_without_odd_numbers((*path, number), odd, each) for number, each in items]
    return value


def _types(schema: object) -> list[Any]:
    kind: Any = cast("JsonObject", schema).get("type") if isinstance(schema, dict) else None
    return cast("list[Any]", kind) if isinstance(kind, list) else [kind]


async def run_off_loop_if_large(check: Callable[[Any], T], value: object) -> T:
    """Return `check(value)`, computed in a thread if the value is large."""
    if is_large(value):
        return await asyncio.to_thread(check, value)
    return check(value)


def is_large(value: object) -> bool:
    """Whether a JSON value holds more than `LARGE` values; looks at no more of them than that."""
    pending, visited = [value], 0
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(cast("dict[str, object]", item).values())
        elif isinstance(item, list):
            pending.extend(cast("list[object]", item))
        visited += 1
        if visited + len(pending) > LARGE:
            return True
    return False


T = TypeVar("T")
_MODELS: Final = frozenset({"agent", "client"})
"""Who a model writes the arguments for."""
_MAX_TEXT: Final = 100_000
"""Characters of an argument that may be JSON."""
MAX_CONCURRENT_CALLS: Final = 8
"""Calls that one server is given at a time; further ones wait, first come first served."""

logger = logging.getLogger(__name__)


class CheckedArguments(Struct, frozen=True, eq=False):
    """What `ToolExecutor.check` found about one value; spares `run` from looking a second time.

    True of the very objects it was made of: for another tool of that name, another value (even an
    equal one), or after a rule came or went, `run` validates as if nothing had been checked.
    """

    tool: Tool | None
    arguments: JsonObject
    issues: tuple[ValidationIssue, ...]
    """All errors and warnings by the tool's schema and the rules; none for an unknown tool."""
    rules_revision: object

    def covers(self, tool: Tool, arguments: JsonObject, rules: Rules) -> bool:
        """Whether nothing is left to be found out about these arguments."""
        is_same = self.tool is tool and self.arguments is arguments
        return is_same and self.rules_revision is rules.revision


class ToolExecutor:
    """Runs calls against the tools of one registry.

    `started` and `finished` frame each call, `stepped` has every step between them.
    """

    def __init__(
        self,
        registry: ToolSource,
        *,
        approver: Approver | None = None,
        rules: Rules | None = None,
        unlisted: Callable[[str], Tool | None] = lambda _: None,
        spill: ResultSpill | None = None,
        away: Callable[[str], Awaitable[str]] | None = None,
        at_once: int = MAX_CONCURRENT_CALLS,
        client: ActingClient | None = None,
    ) -> None:
        """Create an executor.

        Args:
            registry: the tools that can be called.
            approver: asked before each call; without one every valid call is sent.
            rules: what a person demands of arguments beyond the tools' schemas.
            unlisted: makes the tool of a key `server:tool` that the registry does not have, for
                calls that a person wants sent unchecked; None where that server cannot be called.
            spill: moves what is large of a result to the disk; without one all is in memory.
            away: waits for a server of this name that is being started, and says why no tool of
                it can be called; empty where it is there, or there is none.
            at_once: calls that one server is given at a time.
            client: another client, whose model gets the results.
        """
        self._registry = registry
        self._spill = spill
        self.client = client
        self._approver = approver
        self._rules = rules if rules is not None else Rules()
        self._unlisted = unlisted
        self._away = away
        self._gates: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(at_once)
        )
        self._running: dict[str, RunningCall] = {}
        self.started: Signal[[ToolCall]] = Signal()
        self.finished: Signal[[ToolCall, ToolResult]] = Signal()
        self.stepped: Signal[[CallStep]] = Signal()

    def check(self, key: str, arguments: JsonObject) -> CheckedArguments:
        """Validate arguments without a call; give what is returned to `run` to call with them."""
        tool = self._registry.get(key)
        issues: list[ValidationIssue] = []
        if tool is not None:
            issues = self._add_rule_issues(tool, arguments, tool.validate(arguments))
        return CheckedArguments(tool, arguments, tuple(issues), self._rules.revision)

    def find(self, name: str, *, validate: bool = True) -> Tool:
        """The tool that a call of this name runs.

        Args:
            name: a key `server:tool`, or a bare name that only one server has.
            validate: False also finds a tool that its server does not list, by its key.

        Raises:
            ToolNotFoundError: none or more than one; the message lists the nearest.
        """
        try:
            return self._registry.find(name)
        except ToolNotFoundError:
            if validate or (tool := self._unlisted(name)) is None:
                raise
            return tool

    async def run(
        self,
        call: ToolCall,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        checked: CheckedArguments | None = None,
    ) -> ToolResult:
        """Run one call. Cancelling the awaiting task cancels it at the server and raises on.

        Args:
            call: what to call; its arguments are validated, and sent only if nothing forbids them,
                unless a person wants them sent unchecked.
                Its `call_id`, by which it can be cancelled, is that of no other running call.
            on_progress: called at each sign of progress.
            checked: what `check` found about `call.arguments`, so that it is not looked for twice.
        """
        steps = CallProgressReporter(call, self.stepped)
        logger.info("call of %.200r by %s started (id %.60r)", call.key, call.origin, call.call_id)
        self.started.send(call)
        steps.send("started")
        running = self._running[call.call_id] = RunningCall()
        try:
            result = await self._attempt(steps, on_progress, checked)
        except asyncio.CancelledError:
            words = "Cancelled." if steps.is_sent else "Cancelled; nothing was sent."
            result = failed("CancelledError", words, ErrorCode.CANCELLED)
            if not running.was_cancelled_alone():
                self._finish(steps, result)
                raise
        except Exception as error:
            logger.exception("call of %s failed", call.key)
            result = failed(type(error).__name__, str(error), ErrorCode.INTERNAL)
        finally:
            running.end()
            self._running.pop(call.call_id, None)
        return self._finish(steps, result)

    def cancel(self, call_id: str) -> bool:
        """Cancel a call of this executor, at its server, too; its `run` returns a result then.

        Returns:
            Whether a call of this id was running.
        """
        if (running := self._running.get(call_id)) is None:
            return False
        running.cancel()
        return True

    async def _attempt(
        self,
        steps: CallProgressReporter,
        on_progress: Callable[[Progress], None] | None,
        checked: CheckedArguments | None,
    ) -> ToolResult:
        try:
            tool = await _find(self, self._away, steps.call)
            steps.send("found", tool.definition.key)
            self._parse(steps)
            await self._validate(steps, tool, checked)
            await self._approve(steps, tool)
            return await self._take_turn(steps, tool, on_progress)
        except ToolNotFoundError as error:
            return failed("ToolNotFoundError", str(error), ErrorCode.NOT_FOUND)
        except CallRejectedError as refusal:
            steps.send(refusal.step, str(refusal), refusal.issues)
            return refusal.result
        except ServerError as error:
            return failed("ServerError", str(error), ErrorCode.UNREACHABLE)

    def _parse(self, steps: CallProgressReporter) -> None:
        call = steps.call
        arguments = parse_arguments(call.arguments if call.text is None else call.text)
        if call.text is not None:
            steps.call = replace(call, arguments=arguments)
            steps.send("parsed")

    async def _validate(
        self, steps: CallProgressReporter, tool: Tool, checked: CheckedArguments | None = None
    ) -> None:
        arguments = steps.call.arguments
        is_known = checked is not None and checked.covers(tool, arguments, self._rules)
        if not _is_validated(steps.call):
            if why := await run_off_loop_if_large(why_not_json, arguments):
                raise reject_not_json(tool.definition.key, why)
            steps.is_unchecked = True
            steps.send("unchecked", issues=checked.issues if checked and is_known else ())
            return
        if checked is not None and is_known:
            issues = checked.issues
        else:
            schema_issues = await run_off_loop_if_large(tool.validate, arguments)
            issues = tuple(self._add_rule_issues(tool, arguments, schema_issues))
        if _has_errors(issues) and steps.call.origin in _MODELS:
            read = _read_texts(arguments, issues)
            found = self._add_rule_issues(tool, read, tool.validate(read))
            if not _has_errors(found):
                steps.call = replace(steps.call, arguments=read)
                issues = (*found, *_notes_of(arguments, read))
        if _has_errors(issues):
            raise reject_invalid(tool.definition.key, issues)
        steps.send("validated", issues=issues)

    def _add_rule_issues(
        self, tool: Tool, arguments: JsonObject, issues: list[ValidationIssue]
    ) -> list[ValidationIssue]:
        # Only for arguments that fit the schema: the rules rely on it.
        if _has_errors(issues):
            return issues
        return [*issues, *self._rules.check(tool.definition.key, arguments)]

    async def _approve(self, steps: CallProgressReporter, tool: Tool) -> None:
        if self._approver is None:
            return
        call = steps.call
        steps.send("asked")
        with steps.waiting_for_approval():
            decision = await self._approver.approve(
                tool.definition, call.arguments, call_id=call.call_id, origin=call.origin
            )
        if not decision.allowed:
            raise reject_denied(tool.definition.key, decision.reason)
        is_changed = decision.arguments != call.arguments
        if is_changed:
            arguments = parse_arguments(decision.arguments)
            steps.call = replace(call, arguments=arguments, is_corrected=True)
        steps.send("approved", decision.reason)
        if is_changed:
            await self._validate(steps, tool)

    async def _take_turn(
        self,
        steps: CallProgressReporter,
        tool: Tool,
        on_progress: Callable[[Progress], None] | None,
    ) -> ToolResult:
        gate = self._gates[tool.get_server_name()]
        if gate.locked():
            steps.send("waiting")
        async with gate:
            result = await self._send(steps, tool, on_progress)
        steps.send("answered")
        result, odd = await make_finite(result)
        issues = await check_output(tool.definition.output_schema, result)
        if self.client is not None:
            result, lost = self.client.seen(result)
            odd = (*odd, *lost)
        if issues is not None or odd:
            issues = (*odd, *(issues or ()))
            steps.send("checked", issues=issues)
            result = replace(result, output_issues=issues)
        return result if self._spill is None else await self._spill.spill(result)

    async def _send(
        self,
        steps: CallProgressReporter,
        tool: Tool,
        on_progress: Callable[[Progress], None] | None,
    ) -> ToolResult:
        call = steps.call
        steps.note_sent()
        steps.send("sent")
        result = await tool.execute(
            call.arguments,
            call_id=call.call_id,
            timeout=call.timeout,
            on_progress=partial(_report_progress, steps, on_progress),
        )
        return steps.completed(result)

    def _finish(self, steps: CallProgressReporter, result: ToolResult) -> ToolResult:
        call, outcome = steps.call, result.error.code if result.error is not None else "success"
        if not result.execution_time:
            result = steps.completed(result)
        words = "call of %.200r finished in %.3f s: %s (id %.60r)"
        logger.info(words, call.key, steps.elapsed, outcome, call.call_id)
        self.finished.send(steps.call, result)
        steps.send("finished", result=result)
        return result


def _read_texts(arguments: JsonObject, issues: Iterable[ValidationIssue]) -> JsonObject:
    """The arguments with JSON read that a model wrote as text where something else is wanted.

    Servers of the official SDKs take it so. It is sent only if all of it fits then.
    """
    wrong = {issue.path for issue in issues}
    read: dict[str, Any] = {
        name: value
        for name, text in arguments.items()
        if (name,) in wrong and isinstance(text, str) and (value := _json_in(text)) is not None
    }
    return {**arguments, **read}


def _notes_of(arguments: JsonObject, read: JsonObject) -> Iterable[ValidationIssue]:
    words = translatable("was JSON in a text, and was read as such")
    for name in arguments:
        if read[name] is not arguments[name]:
            yield ValidationIssue((name,), "type", words, "warning", "jsonText")


def _json_in(text: str) -> Any:
    """The list, object, number or truth value that a text is; None where it is none."""
    if len(text) > _MAX_TEXT:
        return None
    try:
        value = json.loads(text, parse_constant=_reject_constant)
    except (ValueError, RecursionError, CallRejectedError):
        return None
    return None if isinstance(value, str) else value


def _is_validated(call: ToolCall) -> bool:
    """Only a person may have a call sent unchecked, never a model or an app."""
    return call.validate or call.origin in {"agent", "app"}


def _report_progress(
    steps: CallProgressReporter,
    on_progress: Callable[[Progress], None] | None,
    progress: Progress,
) -> None:
    steps.send_progress(progress)
    if on_progress is not None:
        on_progress(progress)


def _has_errors(issues: list[ValidationIssue] | tuple[ValidationIssue, ...]) -> bool:
    return any(issue.severity == "error" for issue in issues)


async def _find(
    executor: ToolExecutor, away: Callable[[str], Awaitable[str]] | None, call: ToolCall
) -> Tool:
    """As `find`; raises `ServerError` where its server is away, after a wait."""
    try:
        return executor.find(call.key, validate=_is_validated(call))
    except ToolNotFoundError:
        server, colon, _ = call.key.partition(":")
        if away is None or not colon:
            raise
        if why := await away(server):
            raise ServerError(server, why) from None
        return executor.find(call.key, validate=_is_validated(call))


class RunningCall:
    """Cancels the task that runs one call as long as the call runs, and never the rest of the task.

    By hand, as `asyncio.timeout` does it: an `anyio.CancelScope` makes `run` half as long again.
    """

    __slots__ = ("_cancelling", "_is_asked", "_is_cancelled", "_is_over", "_task")

    def __init__(self) -> None:
        """Made in the task that runs the call, at its beginning."""
        self._task = cast("asyncio.Task[object]", asyncio.current_task())
        self._cancelling = self._task.cancelling()
        self._is_asked = self._is_cancelled = self._is_over = False

    def cancel(self) -> None:
        """Cancel the call in the next turn of the loop. Idempotent."""
        if not self._is_asked:
            self._is_asked = True
            # Not at once: asked by the task itself, behind its last wait, it would end the caller.
            self._task.get_loop().call_soon(self._cancel)

    def was_cancelled_alone(self) -> bool:
        """Whether the cancellation that has just arrived is this one, and nobody wants another."""
        if not self._is_cancelled:
            return False
        self._is_cancelled = False
        return self._task.uncancel() <= self._cancelling

    def end(self) -> None:
        """The call is over, with or without a word of the cancellation."""
        self._is_over = True
        self.was_cancelled_alone()

    def _cancel(self) -> None:
        if not self._is_over:
            self._is_cancelled = True
            self._task.cancel()


class CallProgressReporter:
    """Sends the steps of one running call; costs nearly nothing while nobody listens.

    `call` is the call as it is by now: with its arguments parsed, and corrected by the approver;
    `is_unchecked` once it is to be sent without a validation; `approval_wait` in seconds.
    """

    __slots__ = ("_began", "_sent_at", "_stepped", "approval_wait", "call", "is_unchecked")

    def __init__(self, call: ToolCall, stepped: Signal[[CallStep]]) -> None:
        self.call = call
        self.is_unchecked = False
        self.approval_wait = 0.0
        self._stepped = stepped
        self._began = time.monotonic()
        self._sent_at: float | None = None

    @property
    def is_sent(self) -> bool:
        return self._sent_at is not None

    @property
    def since_sent(self) -> float:
        """Seconds since the call was sent; 0 before."""
        return 0.0 if self._sent_at is None else time.monotonic() - self._sent_at

    def completed(self, result: ToolResult) -> ToolResult:
        return result.completed(self.since_sent, self.approval_wait, is_unchecked=self.is_unchecked)

    def note_sent(self) -> None:
        self._sent_at = time.monotonic()

    @contextmanager
    def waiting_for_approval(self) -> Generator[None]:
        """Counts the time within, however it ends, apart from that of the call."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.approval_wait += time.monotonic() - began

    @property
    def elapsed(self) -> float:
        """Seconds since the call started."""
        return time.monotonic() - self._began

    def send(
        self,
        step: Step,
        detail: str = "",
        issues: tuple[ValidationIssue, ...] = (),
        result: ToolResult | None = None,
    ) -> None:
        if self._stepped.is_heard:
            elapsed = self.elapsed if step != "started" else 0.0
            self._stepped.send(CallStep(self.call, step, elapsed, detail, issues, result))

    def send_progress(self, progress: Progress) -> None:
        if self._stepped.is_heard:
            total = f" of {progress.total:g}" if progress.total is not None else ""
            self.send("progress", f"{progress.progress:g}{total}  {progress.message}".rstrip())


class CallRejectedError(Exception):
    """A call is not sent, and `result` says why; never leaves `ToolExecutor.run`."""

    def __init__(
        self, kind: str, message: str, code: ErrorCode, issues: tuple[ValidationIssue, ...] = ()
    ) -> None:
        """Args: kind: the `type` of the result's error. message: a sentence. issues: all found."""
        super().__init__(message)
        self.result: ToolResult = failed(kind, message, code)
        self.step: Step = "denied" if code == ErrorCode.DENIED else "refused"
        self.issues = issues


def reject_invalid(key: str, issues: Iterable[ValidationIssue]) -> CallRejectedError:
    """The arguments do not fit the tool; lists every error, for a model to correct all at once."""
    issues = tuple(issues)
    lines = "\n".join(f"- {issue}" for issue in issues if issue.severity == "error")
    message = f"The arguments do not fit {key}; nothing was sent:\n{lines}"
    return CallRejectedError("ValidationError", message, ErrorCode.INVALID_ARGUMENTS, issues)


def reject_denied(key: str, reason: str) -> CallRejectedError:
    """The approver said no."""
    why = f": {reason}" if reason else "."
    message = f"The call of {key} was not allowed; nothing was sent{why}"
    return CallRejectedError("DeniedError", message, ErrorCode.DENIED)


def reject_not_json(key: str, why: str) -> CallRejectedError:
    """The arguments hold what JSON cannot have: nothing that could be sent, checked or not."""
    message = f"The arguments of {key} cannot be written as JSON; nothing was sent: {why}."
    issue = ValidationIssue((), "format", "cannot be written as JSON", code="json")
    return CallRejectedError("ValidationError", message, ErrorCode.INVALID_ARGUMENTS, (issue,))


def parse_arguments(arguments: object) -> JsonObject:
    """Return a mapping as it is, and text as the JSON object in it (empty text is `{}`).

    Text that is not a JSON object is rejected with the position of the error and never becomes
    `{}`. The values are not judged: that is the validation's.

    Raises:
        CallRejectedError: it is not JSON, or not an object.
    """
    value = _parse_json(arguments) if isinstance(arguments, str) else arguments
    if isinstance(value, Mapping):
        return cast("JsonObject", value)
    from desktop.tools.validation.messages import noun_of

    raise _reject_unreadable("type", "object", f"must be a JSON object, is {noun_of(value)}")


def _parse_json(text: str) -> Any:
    if not text.strip():  # what several providers send for a tool without parameters
        return {}
    try:
        return json.loads(text, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _reject_unreadable(
            "format", "json", f"is not JSON at {place}: {error.msg}"
        ) from error
    except RecursionError as error:
        raise _reject_unreadable("format", "json", "is nested too deeply") from error
    except ValueError as error:
        raise _reject_unreadable("format", "json", f"is not JSON: {error!s:.200}") from error


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _reject_unreadable(layer: Any, code: str, words: str) -> CallRejectedError:
    message = f"The arguments were not understood; nothing was sent: the text {words}."
    issue = ValidationIssue((), layer, words, code=code)
    return CallRejectedError("ParseError", message, ErrorCode.INVALID_ARGUMENTS, (issue,))
