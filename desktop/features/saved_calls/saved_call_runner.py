"""Runs saved calls: fills in the values of earlier results, calls, compares, and says the outcome.

A call whose source failed is skipped. Values that look like secrets are hidden in all that is
reported. Snapshots are only written where that was asked for. Starts no server.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.errors import ToolNotFoundError
from desktop.base.translatable import join_list, map_values, named_text, translatable
from desktop.features.saved_calls.expectations import Mismatch, differences, result_value
from desktop.features.saved_calls.value_paths import MISSING, find
from desktop.features.saved_calls.variables import VariableError, fill
from desktop.redaction.arguments import redact_arguments, replace_values
from desktop.values.json_schema import as_dict, list_of, object_of
from desktop.values.tool_types import EMPTY, ErrorCode, ToolCall, ToolError, ToolResult, failed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

    from desktop.features.saved_calls.saved_call import Expectations, SavedCall
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.snapshots import SnapshotFinding
    from desktop.features.saved_calls.variables import Reference
    from desktop.history.records import Outcome, SavedCallPlace
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor

Origin: TypeAlias = Literal["person", "agent", "terminal"]
MAX_FILLED: Final = 16_000_000
"""Characters of values that are put into one call: two placeholders each would double for ever."""
_MAX_NAMED: Final = 10
_MIN_TAKEN: Final = 4
_MAX_TAKEN: Final = 1_000
_LARGE: Final = 100_000
"""Characters of an output from which it is compared in a thread."""


class SavedCallOutcome(Struct, frozen=True):
    """What became of one call; `unreachable` and `timeout` only where they were not expected.

    `skipped` says why it was not made. `secrets` are hidden in what is reported. `snapshot` is how
    the result compares with its snapshot, where it was compared; `is_written` if it is that now.
    """

    call: SavedCall
    result: ToolResult
    differences: tuple[Mismatch, ...]
    skipped: str = ""
    secrets: frozenset[str] = frozenset()
    snapshot: SnapshotFinding | None = None
    is_written: bool = False

    @property
    def outcome(self) -> Outcome:
        if self.skipped:
            return "skipped"
        if not self.differences:
            return "passed"
        code = self.result.error.code if self.result.error is not None else None
        if code is ErrorCode.UNREACHABLE:
            return "unreachable"
        return "timeout" if code is ErrorCode.TIMEOUT else "failed"

    @property
    def is_answered(self) -> bool:
        """Whether the call was made and its server, or the lack of a tool there, is what came."""
        code = self.result.error.code if self.result.error is not None else None
        is_sent = not any(each.kind == "variable" for each in self.differences)
        return not self.skipped and is_sent and code is not ErrorCode.UNREACHABLE

    @property
    def messages(self) -> list[str]:
        """A sentence for each difference, or why it was skipped."""
        return [self.skipped] if self.skipped else [each.message for each in self.differences]

    def to_json(self) -> dict[str, Any]:
        """With `skipped` (why) and `snapshot` (its file) where they say something."""
        shown: dict[str, Any] = {
            "name": self.call.name,
            "tool": self.call.tool,
            "outcome": self.outcome,
            "seconds": round(self.result.execution_time, 6),
            "differences": [difference.to_json() for difference in self.differences],
            "result": self.result.to_json(),
        }
        if self.skipped:
            shown |= {"skipped": self.skipped, "result": None}
        if self.snapshot is not None:
            shown["snapshot"] = {"file": str(self.snapshot.path), "written": self.is_written}
        return shown

    def hiding(self, secrets: Iterable[str]) -> SavedCallOutcome:
        """The same with these hidden, too, in its differences and its result."""
        known = frozenset(secrets) | self.secrets
        if not known:
            return self
        hidden = [each for each in known if each]
        shown = tuple(_without(difference, hidden) for difference in self.differences)
        result = _result_without(self.result, hidden)
        return replace(self, differences=shown, result=result, secrets=known)


class CallRunner(Protocol):
    """Who makes the calls of a run: `SavedCallRunner`, or `RecordedRunner` from a file."""

    async def run(
        self, call: SavedCall, origin: Origin, timeout: float | None = None, server: str = ""
    ) -> ToolResult: ...
    def secrets_in(self, call: SavedCall, server: str = "") -> list[str]: ...


class SavedCallRunner:
    """Runs calls on the servers of one service."""

    def __init__(self, service: McpService, executor: ToolExecutor) -> None:
        self._service, self._executor = service, executor

    async def run(
        self, call: SavedCall, origin: Origin, timeout: float | None = None, server: str = ""
    ) -> ToolResult:
        """Make one call as it is, once its server is connected or has failed; starts none.

        Args:
            call: what to call.
            origin: on whose behalf.
            timeout: seconds, where the call itself does not say.
            server: which one, if not that of the call.
        """
        named, _, tool = call.tool.partition(":")
        server = server or named
        connection = self._service.connections.get(server)
        if connection is not None:
            await connection.settle()
        if connection is None or not connection.is_connected:
            return _unreachable(server, connection)
        limit = call.timeout if call.timeout is not None else timeout
        made = ToolCall(
            f"{server}:{tool}",
            call.arguments,
            origin=origin,
            timeout=limit,
            validate=call.is_validated,
        )
        return await self._executor.run(made)

    def secrets_in(self, call: SavedCall, server: str = "") -> list[str]:
        """The values in its arguments that are secret by the tool's schema, their name or form."""
        named, _, name = call.tool.partition(":")
        try:
            schema = self._executor.find(f"{server or named}:{name}").definition.input_schema
        except ToolNotFoundError:
            schema = EMPTY
        return redact_arguments(call.arguments, schema).values


class SavedCallRun(Struct):
    """One pass over planned calls, in their order.

    `servers` names the server that is called in place of another. With `writes_snapshots` a
    snapshot that is missing or differs is written, if all else is as expected.
    """

    runner: CallRunner
    plan: Sequence[PlannedCall]
    origin: Origin
    timeout: float | None = None
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    writes_snapshots: bool = False
    secrets: set[str] = field(default_factory=set[str])
    """What was found to be secret so far; never printed."""
    taken: dict[str, str] = field(default_factory=dict[str, str])
    """The texts that were taken from results, each with its placeholder."""
    _outcomes: dict[SavedCallPlace, SavedCallOutcome] = field(
        default_factory=dict["SavedCallPlace", SavedCallOutcome]
    )
    _uses: dict[SavedCallPlace, list[Reference]] = field(
        default_factory=dict["SavedCallPlace", "list[Reference]"]
    )

    def __post_init__(self) -> None:
        for planned in self.plan:
            for reference in planned.references:
                if (place := planned.sources.get(reference.name)) is not None:
                    self._uses.setdefault(place, []).append(reference)

    async def outcomes(
        self, begun: Callable[[PlannedCall], None] = lambda _: None
    ) -> AsyncGenerator[tuple[PlannedCall, SavedCallOutcome]]:
        """Make the calls, and yield what became of each; `begun` is told before."""
        for planned in self.plan:
            begun(planned)
            outcome = await self._run(planned)
            self._outcomes[planned.place] = outcome
            self._learn_secrets(planned.place, outcome)
            yield planned, outcome.hiding(self.secrets)

    async def _run(self, planned: PlannedCall) -> SavedCallOutcome:
        call = planned.entry.call
        if reason := self._why_skipped(planned):
            return _skipped(call, reason)
        try:
            filled = await asyncio.to_thread(self.fill, planned) if planned.references else call
        except VariableError as error:
            result = failed("VariableError", str(error), ErrorCode.INVALID_ARGUMENTS)
            return SavedCallOutcome(call, result, (Mismatch("variable", str(error)),))
        server = self.servers.get(call.tool.partition(":")[0], "")
        if planned.references:
            self.secrets.update(self.runner.secrets_in(filled, server))
        result = await self.runner.run(filled, self.origin, self.timeout, server)
        return await self._judge(planned, filled.expect, result)

    def _why_skipped(self, planned: PlannedCall) -> str:
        if planned.problem:
            return planned.problem
        for name, place in planned.sources.items():
            source = self._outcomes.get(place)
            if source is None or source.outcome != "passed":
                return _why_skipped(name, None if source is None else source.outcome)
        return ""

    def fill(self, planned: PlannedCall) -> SavedCall:
        """The call with the values in it, once its sources have run.

        Raises:
            VariableError: a value is not there, or the whole becomes too large.
        """
        call, left = planned.entry.call, [MAX_FILLED]
        values: dict[tuple[str, Any], Any] = {}

        def read(reference: Reference) -> Any:
            key = reference.name, reference.path
            if key not in values:
                values[key] = self._value(planned, reference)
            left[0] -= _length(values[key])
            if left[0] < 0:
                raise VariableError(
                    translatable("{text} makes the arguments too large", text=reference.text)
                )
            return values[key]

        arguments = fill(call.arguments, read)
        contains = fill(list(call.expect.contains), read)
        expect = call.expect.model_copy(
            update={
                "contains": tuple(
                    text if isinstance(text, str) else _json(text) for text in contains
                ),
                "equals": fill(call.expect.equals, read),
            }
        )
        return call.model_copy(update={"arguments": arguments, "expect": expect})

    def _value(self, planned: PlannedCall, reference: Reference) -> Any:
        source = self._outcomes[planned.sources[reference.name]].result
        found = _value_in(source, reference)
        if isinstance(found, str) and _MIN_TAKEN <= len(found) <= _MAX_TAKEN:
            self.taken.setdefault(found, reference.text)
        return found

    async def _judge(
        self, planned: PlannedCall, expect: Expectations, result: ToolResult
    ) -> SavedCallOutcome:
        if len(result.output) > _LARGE or result.structured is not None or expect.snapshot:
            return await asyncio.to_thread(self._compare, planned, expect, result)
        return self._compare(planned, expect, result)

    def _compare(
        self, planned: PlannedCall, expect: Expectations, result: ToolResult
    ) -> SavedCallOutcome:
        call = planned.entry.call
        found = differences(expect, result)
        if expect.snapshot is None or any(each.kind == "error" for each in found):
            return SavedCallOutcome(call, result, found)
        from desktop.features.saved_calls.snapshots import check_snapshot

        snapshot = check_snapshot(planned.entry.file.path, call, result, self.secrets)
        if snapshot.status == "same":
            return SavedCallOutcome(call, result, found, snapshot=snapshot)
        words = _snapshot_words(snapshot, self.origin)
        if self.writes_snapshots and not found and snapshot.document is not None:
            from desktop.features.saved_calls.saved_call_files import CallFileError
            from desktop.features.saved_calls.snapshots import write_snapshot

            try:
                write_snapshot(snapshot)
            except CallFileError as error:
                words = str(error)
            else:
                return SavedCallOutcome(call, result, found, snapshot=snapshot, is_written=True)
        lines = snapshot.part.lines if snapshot.status == "differs" else ()
        found = (*found, Mismatch("snapshot", words, diff=lines))
        return SavedCallOutcome(call, result, found, snapshot=snapshot)

    def _learn_secrets(self, place: SavedCallPlace, outcome: SavedCallOutcome) -> None:
        """What others take from this result, if its name, theirs or its form says it is secret."""
        uses = self._uses.get(place, [])
        value = result_value(outcome.result) if uses else MISSING
        for reference in uses if value is not MISSING else []:
            if (taken := find(value, reference.path)) is MISSING:
                continue
            for name in {_last_name(reference.path), _last_name(reference.place)}:
                self.secrets.update(redact_arguments({name: taken}, EMPTY).values)


def _value_in(result: ToolResult, reference: Reference) -> Any:
    value = result_value(result)
    if value is MISSING and not reference.path and result.output:
        return result.output  # the whole of a text is that text
    if value is MISSING:
        raise VariableError(
            translatable(
                "{text}: the result of {name!r} has no structured content, "
                "and its output is no JSON, or too long",
                text=reference.text,
                name=reference.name,
            )
        )
    found = find(value, reference.path)
    if found is MISSING:
        raise VariableError(
            translatable(
                "{text}: there is no such value in the result of {name!r}: {shape}",
                text=reference.text,
                name=reference.name,
                shape=_shape(value),
            )
        )
    return found


def last_arguments(
    entry: SavedEntry,
    entries: Sequence[SavedEntry],
    verdicts: Mapping[SavedCallPlace, SavedCallOutcome],
) -> dict[str, Any]:
    """The arguments of a call, with the values that its sources had when they ran last.

    Raises:
        VariableError: one has not run yet, or has no such value.
    """
    from desktop.features.saved_calls.saved_call_plan import plan_calls

    planned = next(each for each in plan_calls(entries) if each.place == entry.place)
    if planned.problem:
        raise VariableError(planned.problem)

    def read(reference: Reference) -> Any:
        outcome = verdicts.get(planned.sources[reference.name])
        if outcome is None:
            raise VariableError(
                translatable(
                    "{text} is not known before {name!r} has run",
                    text=reference.text,
                    name=reference.name,
                )
            )
        return _value_in(outcome.result, reference)

    return fill(entry.call.arguments, read)


def accepted(outcome: SavedCallOutcome) -> SavedCallOutcome:
    """The outcome once its result is the snapshot."""
    rest = tuple(each for each in outcome.differences if each.kind != "snapshot")
    return replace(outcome, differences=rest, is_written=True)


def _why_skipped(name: str, outcome: Outcome | None) -> str:
    """Args: name, outcome: of the call whose result is needed; None: it was not even reached."""
    if outcome == "unreachable":
        return translatable(
            "it needs the result of {name!r}, which failed: its server could not be reached",
            name=name,
        )
    if outcome == "timeout":
        return translatable(
            "it needs the result of {name!r}, which failed: it took too long", name=name
        )
    if outcome == "skipped":
        return translatable("it needs the result of {name!r}, which was skipped", name=name)
    if outcome == "failed":
        return translatable("it needs the result of {name!r}, which failed", name=name)
    return translatable("it needs the result of {name!r}, which did not run", name=name)


def _skipped(call: SavedCall, reason: str) -> SavedCallOutcome:
    result = failed("Skipped", reason, ErrorCode.CANCELLED)
    return SavedCallOutcome(call, result, (), skipped=reason)


def _snapshot_words(finding: SnapshotFinding, origin: Origin) -> str:
    """What is wrong, and how to accept the result where that is not a button beside it."""
    from desktop.features.saved_calls.snapshots import shown_path

    where = shown_path(finding.path)
    is_in_window = origin == "person"
    if finding.status == "missing" and is_in_window:
        return translatable("there is no snapshot {file} yet", file=where)
    if finding.status == "missing":
        return f"there is no snapshot {where} yet; write it with --update-snapshots"
    if finding.status == "differs" and is_in_window:
        return translatable("the result is not as in {file}", file=where)
    if finding.status == "differs":
        return f"the result is not as in {where}; accept it with --update-snapshots"
    if where in finding.words:
        return finding.words
    return named_text(where, finding.words)


def _last_name(path: Sequence[str | int]) -> str:
    names = [part for part in path if isinstance(part, str)]
    return names[-1] if names else ""


def _shape(value: Any) -> str:
    """What is there instead, by its names alone: values may be secret."""
    if names := list(object_of(value))[:_MAX_NAMED]:
        return translatable("it has {names}", names=join_list(names))
    if isinstance(value, list):
        return translatable("it is a list of {count}", count=len(list_of(value)))
    return translatable("it has no members")


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(_json(value))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=as_dict)
    except (RecursionError, TypeError, ValueError):
        raise VariableError(translatable("a value is nested too deeply")) from None


def _without(difference: Mismatch, secrets: Sequence[str]) -> Mismatch:
    lines = tuple(
        replace(line, text=replace_values(line.text, secrets)) for line in difference.diff
    )
    return replace(
        difference,
        message=map_values(difference.message, lambda text: replace_values(text, secrets)),
        expected=_hidden(difference.expected, secrets),
        got=_hidden(difference.got, secrets),
        diff=lines,
    )


def _result_without(result: ToolResult, secrets: Sequence[str]) -> ToolResult:
    error = result.error
    return replace(
        result,
        output=replace_values(result.output, secrets),
        structured=_hidden(result.structured, secrets),
        content=tuple(
            replace(block, text=replace_values(block.text, secrets)) for block in result.content
        ),
        error=error
        and replace(
            error, message=map_values(error.message, lambda text: replace_values(text, secrets))
        ),
    )


def _hidden(value: Any, secrets: Sequence[str]) -> Any:
    try:
        return replace_values(value, secrets)
    except RecursionError:
        return None


def _unreachable(server: str, connection: ServerConnection | None) -> ToolResult:
    if connection is None:
        words = translatable("There is no server {name!r}.", name=server)
    else:
        words = connection.state.error or f"{server}: {connection.state.words}"
    error = ToolError("ServerError", words, ErrorCode.UNREACHABLE)
    return ToolResult(success=False, error=error)
