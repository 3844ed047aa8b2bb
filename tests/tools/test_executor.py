"""One way to run a tool: found, checked, run with a limit; every outcome is a told result.

What a tool gave back is held against its schema; nothing of it is lost, whatever the schema.

Large values are checked beside the loop, small ones at once.

Arguments are read as the JSON object they are, or refused with the place of the fault.

Steps are told to who listens, with the call as it is by then.

A refusal becomes a result that a model can correct its call by.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from desktop.servers.service import McpService
from desktop.signals import Signal
from desktop.tasks import spawn
from desktop.tool_types import (
    Decision,
    ErrorCode,
    Progress,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolResult,
    ValidationIssue,
    failed,
)
from desktop.tools.adapters import DefinedTool, wrap_unlisted_tool
from desktop.tools.executor import (
    CallProgressReporter,
    CallRejectedError,
    ToolExecutor,
    parse_arguments,
    reject_denied,
    reject_invalid,
)
from desktop.tools.loader import ToolsLoader
from desktop.tools.output_check import LARGE, check_output, is_large, run_off_loop_if_large
from desktop.tools.registry import ToolRegistry
from desktop.tools.validation.rules import Rules
from tests.live_servers import ending, error_of, stdio, surroundings, until, written

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.tool_types import CallStep, JsonObject, Origin
    from desktop.tools.adapters import Tool
    from tests.conftest import ExpectedLogs

CITY = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}


async def found(schema: Any, structured: Any) -> list[str]:
    issues = await check_output(schema, ToolResult(True, structured=structured))
    assert issues is not None
    return [str(issue) for issue in issues]


async def test_output_that_fits_has_no_findings() -> None:
    assert await found(CITY, {"n": 1.5, "more than declared": True}) == []


async def test_what_breaks_the_schema_is_named_with_its_place() -> None:
    assert await found(CITY, {"n": "x"}) == ["n: must be a number, is text"]
    assert await found(CITY, {}) == ["n: 'n' is required"]


async def test_structured_content_that_is_missing_is_a_finding() -> None:
    assert await found(CITY, None) == [
        "has no structured content, although the tool declares an output schema"
    ]
    assert await found({"type": ["object", "null"]}, None) == []


async def test_nothing_is_checked_without_a_schema_or_for_an_error() -> None:
    assert await check_output(None, ToolResult(True, structured={"n": "x"})) is None
    assert await check_output(CITY, failed("ToolError", "no", ErrorCode.TOOL_ERROR)) is None


async def test_what_only_concerns_whoever_fills_in_is_no_misfit_of_a_result() -> None:
    schema = {"type": "object", "properties": {"old": {"deprecated": True}}}
    assert await check_output(schema, ToolResult(True, structured={"old": 1})) == ()


async def test_a_large_output_is_checked_too() -> None:
    rows = {"rows": [{"n": n} for n in range(3_000)] + [{"n": "x"}]}
    assert await found({"properties": {"rows": {"items": CITY}}}, rows) == [
        "rows[3000].n: must be a number, is text"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        5,
        [],
        {"type": 7},
        {"$ref": "http://127.0.0.1:1/x"},
        {"$ref": "#/nowhere"},
        {"properties": {"n": {"pattern": "(?R)"}}},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_an_odd_schema_finds_no_error(schema: Any) -> None:
    issues = await check_output(schema, ToolResult(True, structured={"n": "x"}))
    assert issues is not None
    assert {issue.severity for issue in issues} <= {"warning"}


def _thread(_: object) -> threading.Thread:
    return threading.current_thread()


def test_the_number_of_values_counts_and_not_their_length() -> None:
    assert not is_large({"text": "x" * 5_000_000})
    assert not is_large([1] * (LARGE - 1))
    assert is_large([1] * LARGE)
    assert is_large({"rows": [{"a": n, "b": [n]} for n in range(LARGE)]})


async def test_only_a_large_value_goes_to_a_thread() -> None:
    here = threading.current_thread()
    assert await run_off_loop_if_large(_thread, {"a": 1}) is here
    assert await run_off_loop_if_large(_thread, list(range(LARGE))) is not here


def test_an_object_is_taken_as_it_is_and_text_is_read() -> None:
    given = {"a": 1}
    assert parse_arguments(given) is given
    assert parse_arguments('{"a": {"b": [1, null]}}') == {"a": {"b": [1, None]}}
    assert parse_arguments("") == {}


@pytest.mark.parametrize(
    ("given", "layer", "said"),
    [
        ('{\n "a": }', "format", "line 2, column 7"),
        ('{"a": Infinity}', "format", "Infinity"),
        (f'{{"a": {"9" * 5000}}}', "format", "is not JSON"),
        ("'a'", "format", "line 1, column 1"),
        ('"text"', "type", "is text"),
        (7, "type", "is a whole number"),
        (None, "type", "is null"),
    ],
)
def test_anything_else_is_refused_with_what_and_where(given: object, layer: str, said: str) -> None:
    with pytest.raises(CallRejectedError, match="nothing was sent") as caught:
        parse_arguments(given)
    assert said in str(caught.value)
    assert [issue.layer for issue in caught.value.issues] == [layer]
    error = caught.value.result.error
    assert error is not None
    assert error.code == ErrorCode.INVALID_ARGUMENTS


def test_steps_are_told_with_the_call_as_it_is_by_then() -> None:
    stepped: Signal[[CallStep]] = Signal()
    steps = CallProgressReporter(ToolCall("a:b"), stepped)
    steps.send("started")  # nobody listens yet
    told: list[CallStep] = []
    stepped.connect(told.append)
    steps.call = ToolCall("a:b", {"n": 1})
    steps.send("sent")
    steps.send_progress(Progress(2, None, "reading"))
    assert [(step.step, step.detail) for step in told] == [("sent", ""), ("progress", "2  reading")]
    assert told[0].call.arguments == {"n": 1}


def test_all_errors_are_named_and_warnings_only_kept() -> None:
    issues = [
        ValidationIssue(("a",), "type", "must be text"),
        ValidationIssue(("b",), "rule", "is not in the schema", "warning"),
        ValidationIssue((), "rule", "'c' is required"),
    ]
    refusal = reject_invalid("s:t", issues)
    assert str(refusal) == (
        "The arguments do not fit s:t; nothing was sent:\n- a: must be text\n- 'c' is required"
    )
    assert (refusal.step, len(refusal.issues)) == ("refused", 3)


def test_a_denial_says_so_with_and_without_a_reason() -> None:
    refusal = reject_denied("s:t", "It may change files.")
    assert str(refusal).endswith("nothing was sent: It may change files.")
    assert str(reject_denied("s:t", "")).endswith("nothing was sent.")
    error = refusal.result.error
    assert error is not None
    assert (refusal.step, error.code) == ("denied", ErrorCode.DENIED)


class Bench:
    """An executor over one real server, and what it told."""

    def __init__(self, service: McpService) -> None:
        self.service = service
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(self.registry)
        self.loader = ToolsLoader(service, self.registry)
        self.told: list[ToolCall | ToolResult] = []
        self.executor.started.connect(self.told.append)
        self.executor.finished.connect(lambda _, result: self.told.append(result))

    async def run(self, key: str, **arguments: object) -> ToolResult:
        """One call, which has to be told of with its result."""
        self.told.clear()
        call = ToolCall(key, arguments)
        result = await self.executor.run(call)
        assert self.told == [call, result]
        return result


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        yield Bench(service)


async def test_a_call_runs_and_its_time_is_taken(bench: Bench) -> None:
    result = await bench.run("plain:add", a=1, b=2)
    assert (result.success, result.output) == (True, "3")
    assert result.execution_time > 0
    assert result.timestamp.tzinfo is not None
    assert (await bench.run("add", a=1, b=2)).success


async def test_a_tool_that_is_not_there_is_answered_with_near_names(bench: Bench) -> None:
    code, message = error_of(await bench.run("plain:ad"))
    assert code == ErrorCode.NOT_FOUND
    assert "plain:add" in message


async def test_only_a_person_calls_a_tool_that_its_server_does_not_list(bench: Bench) -> None:
    asked: list[str] = []

    def find(key: str) -> Tool | None:
        asked.append(key)
        return wrap_unlisted_tool(bench.service, key)

    executor = ToolExecutor(ToolRegistry(), unlisted=find)
    arguments = {"message": "hi"}
    for call in (
        ToolCall("plain:echo", arguments),
        ToolCall("plain:echo", arguments, origin="agent", validate=False),
    ):
        assert error_of(await executor.run(call))[0] == ErrorCode.NOT_FOUND
    assert asked == []
    result = await executor.run(ToolCall("plain:echo", arguments, validate=False))
    assert (result.output, result.is_unchecked, asked) == ("hi", True, ["plain:echo"])
    for key in ("echo", "plain:", "other:echo"):
        assert error_of(await executor.run(ToolCall(key, validate=False)))[0] == ErrorCode.NOT_FOUND


async def test_wrong_arguments_are_not_sent(bench: Bench) -> None:
    code, message = error_of(await bench.run("plain:crash", code="not a number"))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "nothing was sent" in message
    assert "code" in message
    assert bench.service.connection("plain").is_connected
    code, message = error_of(await bench.run("plain:add", a=1))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert "b" in message


async def test_checking_tells_what_is_wrong_and_sends_nothing(bench: Bench) -> None:
    assert bench.executor.check("plain:add", {"a": 1, "b": 2}).issues == ()
    issues = bench.executor.check("plain:add", {"a": "1", "b": 2}).issues
    assert [issue.path for issue in issues] == [("a",)]
    assert bench.executor.check("plain:nothing", {}).issues == ()
    assert bench.told == []


async def test_a_failing_tool_is_a_result(bench: Bench) -> None:
    result = await bench.run("plain:fail", message="no")
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "no")


async def test_a_server_that_was_removed_meanwhile_is_unreachable(bench: Bench) -> None:
    bench.loader.close()
    await bench.service.remove_server("plain")
    code, message = error_of(await bench.run("plain:add", a=1, b=2))
    assert code == ErrorCode.UNREACHABLE
    assert "No server is named 'plain'" in message


async def test_a_call_over_its_limit_is_a_result(bench: Bench) -> None:
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 2}, timeout=0.1)
    assert error_of(await bench.executor.run(call))[0] == ErrorCode.TIMEOUT


async def test_progress_is_passed_on(bench: Bench) -> None:
    told: list[Progress] = []
    call = ToolCall("plain:slow", {"seconds": 0.02, "steps": 2})
    assert (await bench.executor.run(call, told.append)).success
    assert [one.progress for one in told] == [1, 2]


async def test_a_cancellation_passes_through_is_told_and_reaches_the_server(bench: Bench) -> None:
    began = asyncio.Event()
    call = ToolCall("plain:slow", {"seconds": 60, "steps": 600})
    running = spawn(bench.executor.run(call, lambda _: began.set()), "run")
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    _, result = bench.told
    assert isinstance(result, ToolResult)
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled.")
    assert result.execution_time > 0
    await written(bench.service.connection("plain"), "cancelled ")


async def test_a_call_is_cancelled_by_its_id_and_the_others_go_on(bench: Bench) -> None:
    began = asyncio.Event()
    slow = ToolCall("plain:slow", {"seconds": 60, "steps": 600}, call_id="slow")
    running = spawn(bench.executor.run(slow, lambda _: began.set()), "slow")
    await began.wait()
    quick = ToolCall("plain:slow", {"seconds": 0.02, "steps": 2})
    other = spawn(bench.executor.run(quick), "other")
    assert not bench.executor.cancel("another")
    assert bench.executor.cancel("slow")
    assert error_of(await running) == (ErrorCode.CANCELLED, "Cancelled.")
    assert (await other).success
    await written(bench.service.connection("plain"), "cancelled ")
    assert not bench.executor.cancel("slow")


async def test_a_call_that_waits_its_turn_is_cancelled_by_its_id() -> None:
    alone = Alone(tool := Own(), at_once=1)
    tool.holds = True
    waits = asyncio.Event()
    alone.executor.stepped.connect(lambda step: waits.set() if step.step == "waiting" else None)
    first = spawn(alone.executor.run(ToolCall("own:tool", {"n": 1})), "first")
    second = spawn(alone.executor.run(ToolCall("own:tool", {"n": 2}, "two")), "second")
    await waits.wait()
    assert alone.executor.cancel("two")
    result = await second
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled; nothing was sent.")
    assert result.execution_time == 0
    tool.holds = False
    tool.waiting[0].set()
    assert (await first).success
    assert [given["n"] for given in tool.given] == [1]
    ends = [step.result for step in alone.steps if step.step == "finished"]
    assert [end is not None and end.success for end in ends] == [False, True]


async def test_a_call_cancelled_at_its_very_end_does_not_cancel_who_made_it() -> None:
    alone = Alone(Own())
    alone.executor.stepped.connect(
        lambda step: alone.executor.cancel("one") if step.step == "answered" else None
    )
    task = asyncio.current_task()
    assert task is not None
    assert (await alone.executor.run(ToolCall("own:tool", call_id="one"))).success
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert task.cancelling() == 0


async def test_a_call_is_cancelled_once_however_often_it_is_asked_for() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)

    async def call_and_go_on() -> str:
        result = await alone.executor.run(ToolCall("own:tool", call_id="one"))
        await asyncio.sleep(0)
        return error_of(result)[0]

    running = spawn(call_and_go_on(), "one")
    await held.wait()
    assert alone.executor.cancel("one")
    assert alone.executor.cancel("one")
    assert await running == ErrorCode.CANCELLED


async def test_a_cancelled_call_takes_back_no_wish_but_its_own() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    begun = asyncio.Event()

    async def clean_up_with_a_call() -> int:
        begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            await alone.executor.run(ToolCall("own:tool", call_id="one"))
        task = asyncio.current_task()
        return task.cancelling() if task is not None else -1

    running = spawn(clean_up_with_a_call(), "clean up")
    await begun.wait()
    running.cancel()
    await held.wait()
    alone.executor.cancel("one")
    assert await running == 1


async def test_whoever_cancels_the_caller_too_is_not_held_up_by_a_result() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    running = spawn(alone.executor.run(ToolCall("own:tool", call_id="one")), "one")
    await held.wait()
    alone.executor.cancel("one")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert alone.told[-1] == "finished"


class Broken(DefinedTool):
    """A tool with a fault of its own, or with a schema that is none."""

    def __init__(self, schema: JsonObject) -> None:
        self.definition = ToolDefinition("own", "broken", input_schema=schema)

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        raise LookupError(f"lost {arguments}")


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": 7},
        {"$ref": "#/nowhere"},
        {"properties": []},
        {"pattern": "("},
        {"$ref": "http://127.0.0.1:1/x"},
        {"allOf": [{"$ref": "#"}]},
    ],
)
async def test_a_fault_in_a_tool_is_a_result_and_is_logged(
    bench: Bench, schema: JsonObject, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("call of own:broken failed")
    bench.registry.set_server("own", [Broken(schema)])
    code, _ = error_of(await bench.run("own:broken"))
    assert code in (ErrorCode.INTERNAL, ErrorCode.INVALID_ARGUMENTS)


class Own(DefinedTool):
    """A tool that lives here: says what it was given, or waits until it is let go."""

    def __init__(self, *, output_schema: JsonObject | None = None, **answer: object) -> None:
        schema = {"properties": {"n": {"type": "integer"}}}
        self.definition = ToolDefinition(
            "own", "tool", input_schema=schema, output_schema=output_schema
        )
        self.given: list[JsonObject] = []
        self.waiting: list[asyncio.Event] = []
        self.holds = False
        self.held: Signal[[]] = Signal()
        self._answer = answer

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        self.given.append(arguments)
        if self.holds:
            self.waiting.append(asyncio.Event())
            self.held.send()
            await self.waiting[-1].wait()
        if on_progress is not None:
            on_progress(Progress(1, 2, "half"))
        return ToolResult(**{"success": True, **self._answer})  # type: ignore[arg-type]  # as asked


class Asked:
    """An approver that answers what it was made with, and remembers what it was asked."""

    def __init__(
        self, reason: str = "", *, allowed: bool = True, instead: JsonObject | None = None
    ) -> None:
        self.questions: list[tuple[str, JsonObject, str, Origin]] = []
        self._allowed, self._reason, self._instead = allowed, reason, instead

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        self.questions.append((definition.key, arguments, call_id, origin))
        given = arguments if self._instead is None else self._instead
        return Decision(self._allowed, given, self._reason)


class Alone:
    """An executor over one tool of its own, and every step it told."""

    def __init__(self, tool: Own, **parts: object) -> None:
        registry = ToolRegistry()
        registry.set_server("own", [tool])
        self.executor = ToolExecutor(registry, **parts)  # type: ignore[arg-type]  # as asked
        self.steps: list[CallStep] = []
        self.executor.stepped.connect(self.steps.append)

    @property
    def told(self) -> list[str]:
        return [step.step for step in self.steps]

    def step(self, name: str) -> CallStep:
        return next(step for step in self.steps if step.step == name)


async def test_every_step_of_a_call_is_told_in_order(bench: Bench) -> None:
    steps: list[CallStep] = []
    bench.executor.stepped.connect(steps.append)
    result = await bench.run("structured")
    assert [step.step for step in steps] == [
        "started", "found", "validated", "sent", "answered", "checked", "finished",
    ]  # fmt: skip
    assert (steps[0].elapsed, steps[-1].result) == (0.0, result)
    assert {step.call.key for step in steps} == {"structured"}
    assert steps[1].detail == "plain:structured"
    times = [step.elapsed for step in steps]
    assert times == sorted(times)
    assert 0 < result.execution_time <= times[-1]


async def test_progress_is_a_step_that_says_how_far() -> None:
    alone = Alone(Own())
    await alone.executor.run(ToolCall("own:tool"))
    assert alone.step("progress").detail == "1 of 2  half"


@pytest.mark.parametrize("text", ['{"n": 3}', "", "  "])
async def test_the_text_of_a_model_is_read_as_its_arguments(text: str) -> None:
    alone = Alone(tool := Own())
    finished: list[ToolCall] = []
    alone.executor.finished.connect(lambda call, _: finished.append(call))
    assert (await alone.executor.run(ToolCall("own:tool", text=text))).success
    expected = {"n": 3} if text.strip() else {}
    assert tool.given == [expected]
    assert finished[0].arguments == expected
    assert alone.told[:4] == ["started", "found", "parsed", "validated"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"n": 3', "is not JSON at line 1, column 8"),
        ('{"n": NaN}', "NaN is no JSON number"),
        ("[1]", "must be a JSON object, is a list"),
        ("null", "must be a JSON object, is null"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
async def test_text_that_is_no_object_is_refused_and_never_becomes_an_empty_one(
    text: str, said: str
) -> None:
    alone = Alone(tool := Own())
    code, message = error_of(await alone.executor.run(ToolCall("own:tool", text=text)))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert said in message
    assert (tool.given, alone.told) == ([], ["started", "found", "refused", "finished"])


async def test_arguments_that_are_no_object_are_refused() -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", [1])  # type: ignore[arg-type]  # what a careless caller passes
    assert error_of(await alone.executor.run(call))[0] == ErrorCode.INVALID_ARGUMENTS
    assert tool.given == []


async def test_a_warning_does_not_stop_a_call_and_comes_with_its_step() -> None:
    alone = Alone(Own())
    assert (await alone.executor.run(ToolCall("own:tool", {"nn": 1}))).success
    assert [issue.code for issue in alone.step("validated").issues] == ["undeclared"]


async def test_a_refusal_tells_its_issues_and_the_reason() -> None:
    alone = Alone(Own())
    await alone.executor.run(ToolCall("own:tool", {"n": "x"}))
    refused = alone.step("refused")
    assert [issue.where for issue in refused.issues] == ["n"]
    assert "nothing was sent" in refused.detail


@pytest.mark.parametrize("origin", ["person", "agent", "terminal"])
async def test_a_required_value_with_a_default_may_be_left_to_the_server(origin: Origin) -> None:
    alone = Alone(tool := Own())
    schema: Any = {"properties": {"n": {"type": "integer", "default": 7}}, "required": ["n"]}
    tool.definition = ToolDefinition("own", "tool", input_schema=schema)
    assert (await alone.executor.run(ToolCall("own:tool", {}, origin=origin))).success
    assert (tool.given, alone.step("validated").issues) == ([{}], ())  # sent as it was given


async def test_a_result_without_what_its_schema_requires_is_told_even_if_it_has_a_default() -> None:
    schema: Any = {"properties": {"n": {"type": "integer", "default": 7}}, "required": ["n"]}
    assert await found(schema, {}) == ["n: 'n' is required"]


class Counted(Own):
    """Remembers what it was to validate."""

    def __init__(self) -> None:
        super().__init__()
        self.validated: list[JsonObject] = []

    def validate(self, arguments: JsonObject) -> list[ValidationIssue]:
        self.validated.append(arguments)
        return super().validate(arguments)


async def test_what_was_checked_is_not_validated_again() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": 1})
    call = ToolCall("own:tool", checked.arguments)
    assert (await alone.executor.run(call, checked=checked)).success
    assert tool.validated == tool.given == [{"n": 1}]


async def test_what_was_checked_and_is_wrong_is_not_sent() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": "x"})
    call = ToolCall("own:tool", checked.arguments)
    code, message = error_of(await alone.executor.run(call, checked=checked))
    assert (code, "n: must be a whole number" in message) == (ErrorCode.INVALID_ARGUMENTS, True)
    assert (len(tool.validated), tool.given) == (1, [])


async def test_a_call_that_nobody_checked_is_validated() -> None:
    alone = Alone(tool := Counted())
    await alone.executor.run(ToolCall("own:tool", {"n": 1}, origin="agent"))
    await alone.executor.run(ToolCall("own:tool", text='{"n": 2}', origin="agent"))
    assert tool.validated == [{"n": 1}, {"n": 2}]


async def test_what_was_checked_says_nothing_of_other_arguments() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": 1})
    for call in (
        ToolCall("own:tool", {"n": "x"}),
        ToolCall("own:tool", checked.arguments, text='{"n": "x"}'),
    ):
        code, _ = error_of(await alone.executor.run(call, checked=checked))
        assert code == ErrorCode.INVALID_ARGUMENTS
    assert tool.given == []


async def test_what_was_checked_says_nothing_of_another_tool_of_that_name() -> None:
    registry = ToolRegistry()
    registry.set_server("own", [Own()])
    executor = ToolExecutor(registry)
    checked = executor.check("own:tool", {"n": 1})
    narrower = Counted()
    schema = {"properties": {"n": {"type": "string"}}}
    narrower.definition = ToolDefinition("own", "tool", input_schema=schema)
    registry.set_server("own", [narrower])
    result = await executor.run(ToolCall("own:tool", checked.arguments), checked=checked)
    assert error_of(result)[0] == ErrorCode.INVALID_ARGUMENTS
    assert narrower.given == []


async def test_what_was_checked_says_nothing_of_a_rule_that_came_later() -> None:
    rules = Rules()
    alone = Alone(tool := Counted(), rules=rules)
    checked = alone.executor.check("own:tool", {"n": 3})
    call = ToolCall("own:tool", checked.arguments)
    remove = rules.add("own:*", lambda _: [ValidationIssue(("n",), "rule", "is odd")])
    assert not (await alone.executor.run(call, checked=checked)).success
    refused = alone.executor.check("own:tool", {"n": 3})
    remove()
    call = ToolCall("own:tool", refused.arguments)
    assert (await alone.executor.run(call, checked=refused)).success
    assert tool.given == [{"n": 3}]


async def test_what_an_approver_changed_is_validated_although_it_was_checked() -> None:
    asked = Asked(instead={"n": "x"})
    alone = Alone(tool := Counted(), approver=asked)
    checked = alone.executor.check("own:tool", {"n": 1})
    call = ToolCall("own:tool", checked.arguments)
    code, _ = error_of(await alone.executor.run(call, checked=checked))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert (tool.validated, tool.given) == ([{"n": 1}, {"n": "x"}], [])


# --- sent unchecked ---------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["person", "terminal"])
async def test_what_does_not_fit_is_sent_on_purpose_and_the_result_says_so(origin: Origin) -> None:
    rules = Rules()
    rules.add("own:*", lambda _: [ValidationIssue((), "rule", "never")])
    alone = Alone(tool := Counted(), rules=rules)
    call = ToolCall("own:tool", {"n": "x"}, origin=origin, validate=False)
    result = await alone.executor.run(call)
    assert (result.success, result.is_unchecked) == (True, True)
    assert (tool.given, tool.validated) == ([{"n": "x"}], [])
    assert result.to_json()["unchecked"] is True
    assert alone.told == [
        "started", "found", "unchecked", "sent", "progress", "answered", "finished",
    ]  # fmt: skip
    assert alone.step("finished").result == result


async def test_a_call_that_was_checked_does_not_speak_of_it() -> None:
    result = await Alone(Own()).executor.run(ToolCall("own:tool", {"n": 1}))
    assert not result.is_unchecked
    assert "unchecked" not in result.to_json()


async def test_what_was_found_wrong_and_sent_anyway_is_told_with_its_step() -> None:
    alone = Alone(tool := Counted())
    checked = alone.executor.check("own:tool", {"n": "x"})
    call = ToolCall("own:tool", checked.arguments, validate=False)
    assert (await alone.executor.run(call, checked=checked)).success
    assert [issue.where for issue in alone.step("unchecked").issues] == ["n"]
    assert (len(tool.validated), tool.given) == (1, [{"n": "x"}])


async def test_an_agent_never_sends_what_does_not_fit() -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", {"n": "x"}, origin="agent", validate=False)
    result = await alone.executor.run(call)
    assert error_of(result)[0] == ErrorCode.INVALID_ARGUMENTS
    assert (tool.given, result.is_unchecked) == ([], False)
    assert "unchecked" not in alone.told


def _nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"n": value}
    return value


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n": float("nan")}, "a number in it is infinite, not a number, or too long"),
        ({"n": [float("-inf")]}, "a number in it is infinite, not a number, or too long"),
        ({"n": 10**5000}, "a number in it is infinite, not a number, or too long"),
        ({"n": [1, 2.5, float("inf")] * 2_000}, "a number in it"),
        ({"n": b"bytes"}, "bytes is not JSON"),
        (_nested(200_000), "it is nested too deeply"),
    ],
)
async def test_what_cannot_be_json_is_never_sent(arguments: JsonObject, said: str) -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", arguments, validate=False)
    result = await alone.executor.run(call)
    code, message = error_of(result)
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert f"own:tool cannot be written as JSON; nothing was sent: {said}" in message
    assert (tool.given, result.is_unchecked) == ([], False)
    assert [issue.code for issue in alone.step("refused").issues] == ["json"]


async def test_an_unchecked_call_that_is_cancelled_says_so_too() -> None:
    alone = Alone(tool := Own())
    tool.holds = True
    held = asyncio.Event()
    tool.held.connect(held.set)
    call = ToolCall("own:tool", {"n": "x"}, "one", validate=False)
    running = spawn(alone.executor.run(call), "one")
    await held.wait()
    alone.executor.cancel("one")
    result = await running
    assert (error_of(result)[0], result.is_unchecked) == (ErrorCode.CANCELLED, True)


async def test_a_server_sees_what_was_sent_unchecked_and_refuses_it_itself(bench: Bench) -> None:
    call = ToolCall("plain:fail", {"message": ["no", "text"]})
    assert error_of(await bench.executor.run(call))[0] == ErrorCode.INVALID_ARGUMENTS
    result = await bench.executor.run(replace(call, validate=False))
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "['no', 'text']")
    assert result.is_unchecked


async def test_a_rule_is_asked_of_arguments_that_fit_and_can_stop_them() -> None:
    book = Rules()
    book.add("own:*", lambda a: [ValidationIssue(("n",), "rule", "is odd")] if a["n"] % 2 else [])
    alone = Alone(tool := Own(), rules=book)
    code, message = error_of(await alone.executor.run(ToolCall("own:tool", {"n": 3})))
    assert (code, "n: is odd" in message) == (ErrorCode.INVALID_ARGUMENTS, True)
    found = alone.executor.check("own:tool", {"n": 3}).issues
    assert [str(issue) for issue in found] == ["n: is odd"]
    assert alone.executor.check("own:tool", {"n": "x"}).issues[0].layer == "type"
    assert (await alone.executor.run(ToolCall("own:tool", {"n": 2}))).success
    assert tool.given == [{"n": 2}]


async def test_an_approver_is_asked_with_what_will_be_sent() -> None:
    asked = Asked()
    alone = Alone(Own(), approver=asked)
    call = ToolCall("own:tool", {"n": 1}, origin="agent")
    assert (await alone.executor.run(call)).success
    assert asked.questions == [("own:tool", {"n": 1}, call.call_id, "agent")]
    assert alone.told[2:6] == ["validated", "asked", "approved", "sent"]


async def test_nobody_is_asked_about_arguments_that_do_not_fit() -> None:
    asked = Asked()
    await Alone(Own(), approver=asked).executor.run(ToolCall("own:tool", {"n": "x"}))
    assert asked.questions == []


async def test_a_denied_call_is_a_result_with_the_reason_and_is_not_sent() -> None:
    alone = Alone(tool := Own(), approver=Asked("Not on a Sunday.", allowed=False))
    code, message = error_of(await alone.executor.run(ToolCall("own:tool")))
    assert (code, "Not on a Sunday." in message) == (ErrorCode.DENIED, True)
    assert (tool.given, alone.told[-2:]) == ([], ["denied", "finished"])
    assert "Not on a Sunday." in alone.step("denied").detail


async def test_the_wait_for_an_approval_is_kept_apart_from_the_time_of_the_call() -> None:
    alone = Alone(Own(), approver=Asked())
    result = await alone.executor.run(ToolCall("own:tool", {"n": 1}))
    at = {step.step: step.elapsed for step in alone.steps}
    assert 0 < result.approval_wait <= at["approved"] - at["asked"]
    assert 0 < result.execution_time <= at["finished"] - at["approved"]
    assert result.to_json()["approval_wait"] == round(result.approval_wait, 6)


async def test_a_call_cancelled_while_a_person_is_asked_has_the_wait_and_no_time() -> None:
    class Silent(Asked):
        async def approve(self, *_: object, **__: object) -> Decision:
            alone.executor.cancel("one")
            return await asyncio.Event().wait() and Decision(True, {})

    alone = Alone(tool := Own(), approver=Silent())
    result = await alone.executor.run(ToolCall("own:tool", call_id="one"))
    assert error_of(result) == (ErrorCode.CANCELLED, "Cancelled; nothing was sent.")
    assert (result.execution_time, tool.given) == (0, [])
    assert result.approval_wait > 0


async def test_arguments_that_were_corrected_are_sent_and_told() -> None:
    alone = Alone(tool := Own(), approver=Asked(instead={"n": 2}))
    await alone.executor.run(ToolCall("own:tool", {"n": 1}))
    assert tool.given == [{"n": 2}]
    assert alone.told.count("validated") == 2
    assert alone.step("finished").call.arguments == {"n": 2}


@pytest.mark.parametrize("instead", [{"n": "x"}, [1]])
async def test_a_correction_that_does_not_fit_is_refused(instead: object) -> None:
    alone = Alone(tool := Own(), approver=Asked(instead=instead))  # type: ignore[arg-type]  # wrong
    code, _ = error_of(await alone.executor.run(ToolCall("own:tool")))
    assert (code, tool.given) == (ErrorCode.INVALID_ARGUMENTS, [])


async def test_an_approver_that_fails_lets_nothing_through(expected_logs: ExpectedLogs) -> None:
    class Failing(Asked):
        async def approve(self, *_: object, **__: object) -> Decision:
            raise LookupError("no window")

    expected_logs.expect("call of own:tool failed")
    alone = Alone(tool := Own(), approver=Failing())
    assert error_of(await alone.executor.run(ToolCall("own:tool"))) == (
        ErrorCode.INTERNAL,
        "no window",
    )
    assert tool.given == []


async def test_calls_beyond_what_a_server_takes_at_once_wait_in_order() -> None:
    alone = Alone(tool := Own(), at_once=2)
    tool.holds = True
    calls = [
        spawn(alone.executor.run(ToolCall("own:tool", {"n": n})), f"call {n}") for n in range(5)
    ]
    for done in range(5):
        await until(tool.held, lambda count=done: len(tool.waiting) > count)
        tool.waiting[done].set()
    await asyncio.gather(*calls)
    assert [given["n"] for given in tool.given] == [0, 1, 2, 3, 4]
    assert alone.told.count("waiting") == 3
    active = most = 0
    for step in alone.told:
        active += (step == "sent") - (step == "answered")
        most = max(most, active)
    assert most == 2


async def test_a_call_that_waits_can_be_cancelled_and_leaves_its_place() -> None:
    alone = Alone(tool := Own(), at_once=1)
    tool.holds = True
    waits = asyncio.Event()
    alone.executor.stepped.connect(lambda step: waits.set() if step.step == "waiting" else None)
    first = spawn(alone.executor.run(ToolCall("own:tool", {"n": 1})), "first")
    second = spawn(alone.executor.run(ToolCall("own:tool", {"n": 2})), "second")
    await waits.wait()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    tool.holds = False
    tool.waiting[0].set()
    assert (await first).success
    assert (await alone.executor.run(ToolCall("own:tool", {"n": 3}))).success
    assert [given["n"] for given in tool.given] == [1, 3]


async def test_output_that_breaks_its_schema_is_a_success_with_a_finding(bench: Bench) -> None:
    result = await bench.run("plain:broken_structured")
    assert (result.success, result.structured["degrees"]) == (True, "warm")
    assert [str(issue) for issue in result.output_issues or ()] == [
        "degrees: must be a number, is text"
    ]
    assert (await bench.run("plain:structured")).output_issues == ()
    assert (await bench.run("plain:echo", message="x")).output_issues is None


async def test_an_error_of_the_tool_is_not_held_against_its_output_schema() -> None:
    error = ToolError("ToolError", "no", ErrorCode.TOOL_ERROR)
    tool = Own(output_schema={"type": "object"}, success=False, error=error)
    alone = Alone(tool)
    assert (await alone.executor.run(ToolCall("own:tool"))).output_issues is None
    assert "checked" not in alone.told


async def test_whoever_fails_at_a_step_does_not_fail_the_call(expected_logs: ExpectedLogs) -> None:
    def fail(_: CallStep) -> None:
        raise LookupError

    expected_logs.expect("receiver .* failed")
    alone = Alone(Own())
    alone.executor.stepped.connect(fail)
    assert (await alone.executor.run(ToolCall("own:tool"))).success
    assert alone.told[-1] == "finished"
