"""A case: what a model is asked, with what it is expected to call and to say, as a file has it.

    {"name": "reads it", "ask": "What does note ${{ create.id }} say?", "pass": 0.8,
     "expect": {"calls": [{"tool": "notes:read"}], "contains": "milk"}}

It stands beside saved calls in the same file and may use their values: those calls are made before
each run. `models`, `servers`, `runs` and `pass` beside `calls` count for all cases of the file.
Unknown keys are refused everywhere: what is not checked would always be met. Must not run anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

from msgspec import Struct
from msgspec.structs import replace
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from desktop.features.saved_calls.saved_call import (
    Expectations,
    SavedCall,
    Seconds,
    Texts,
    Tool,
    WantedError,
)
from desktop.features.saved_calls.saved_call_files import CallFile, CallFileError, SavedEntry
from desktop.features.saved_calls.saved_call_plan import PlannedCall, plan_calls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERSION = 1
MAX_CASES = 10_000
MAX_RUNS = 1_000
_FILE_KEYS = ("version", "models", "clients", "servers", "runs", "pass", "timeout", "system")
_ASKED = "model:ask"
_OF_CALLS = ("error", "snapshot", "output")
"""What is expected of a result alone: the words of a model differ from run to run."""


def _as_times(value: object) -> object:
    return (value, value) if isinstance(value, int) and not isinstance(value, bool) else value


def _checked_times(value: tuple[int, int]) -> tuple[int, int]:
    if not 0 <= value[0] <= value[1]:
        raise ValueError("must be a number, or the least and the most")
    return value


def _as_judge(value: object) -> object:
    return {"says": value} if isinstance(value, str) else value


Tools = Annotated[tuple[Tool, ...], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)]
Times = Annotated[tuple[int, int], BeforeValidator(_as_times), AfterValidator(_checked_times)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectedCall(_Strict):
    """A call that the model is expected to make.

    `arguments` are values that must be there, more may be; `matches` is a JSON Schema for all of
    them. `error` is a code, or true for any; without it, it does not matter. `asked`: whether the
    server asked back. `times`: how often, exactly or at least and at most; without it, once or
    more.
    """

    tool: Tool
    arguments: dict[str, Any] = {}
    matches: dict[str, Any] | None = None
    error: WantedError | None = None
    asked: bool | None = None
    times: Times | None = None


class Judge(_Strict):
    """What a model decides of the answer: `says` is true of it, yes or no.

    It is tried on the `good` and the `bad` examples first.
    """

    says: Annotated[str, Field(min_length=1, max_length=4_000)]
    good: Texts = ()
    bad: Texts = ()


class CaseExpectations(Expectations):
    """What has to hold of one run: of the last answer as of a saved call's result, and of the way.

    `calls` come in this order, others between them, unless `any_order`; with `only` there are no
    others. `never` are tools that are not called, `first` is the one that is called first, `errors`
    the most tool errors, `turns` the most requests to the model, `tokens` the most of both ways,
    `cost` the most in the currency of the model's price.
    """

    calls: tuple[ExpectedCall, ...] = ()
    only: bool = False
    any_order: bool = False
    never: Tools = ()
    first: Tools = ()
    errors: Annotated[int, Field(ge=0)] | None = None
    turns: Annotated[int, Field(ge=1)] | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    cost: Annotated[float, Field(gt=0)] | None = None
    judge: Annotated[Judge | None, BeforeValidator(_as_judge)] = None

    @model_validator(mode="before")
    @classmethod
    def _refuse(cls, value: object) -> object:
        for key in _OF_CALLS:
            if isinstance(value, dict) and key in value:
                raise ValueError(f"{key} cannot be expected of what a model says")
        return cast("object", value)

    @property
    def tools(self) -> tuple[str, ...]:
        """All that are named."""
        return tuple(dict.fromkeys((*(c.tool for c in self.calls), *self.never, *self.first)))


class EvalCase(_Strict):
    """One question, or several in a row, to one conversation with a model."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    ask: Annotated[Texts, Field(min_length=1, max_length=50)]
    expect: CaseExpectations = CaseExpectations()
    after: Texts = ()
    answer: dict[str, Any] | None = None
    models: Texts = ()
    clients: Texts = ()
    servers: Texts = ()
    system: str = ""
    runs: Annotated[int, Field(ge=1, le=MAX_RUNS)] = 10
    share: Annotated[float, Field(gt=0, le=1, alias="pass")] = 0.7
    timeout: Seconds | None = None


class PlannedCase(Struct, frozen=True):
    """A case with the saved calls that are made before each run, and the servers it needs.

    `entry` is the case as a call that nobody can make, so that its placeholders are filled as those
    of any other.
    """

    case: EvalCase
    entry: PlannedCall
    setup: tuple[PlannedCall, ...]
    servers: tuple[str, ...]
    raw: dict[str, Any]

    @property
    def file(self) -> str:
        return str(self.entry.entry.file.path)

    @property
    def place(self) -> tuple[str, str]:
        return self.file, self.case.name

    def on(self, servers: Sequence[str]) -> PlannedCase:
        """On these servers where it names none. Raises `CallFileError` where there are none."""
        if self.servers:
            return self
        if not servers:
            raise CallFileError(
                f"{self.file}: {self.case.name!r} names no server.",
                remedy='Name them in the file ("servers": [...]) or with --server.',
            )
        return replace(self, servers=tuple(servers))

    def by(self, models: Sequence[str]) -> PlannedCase:
        """By these models."""
        return replace(self, case=self.case.model_copy(update={"models": tuple(models)}))

    def by_any_client(self) -> PlannedCase:
        """By the client of any column."""
        return replace(self, case=self.case.model_copy(update={"clients": ()}))

    def filled(self, call: SavedCall) -> EvalCase:
        """The case with the values of earlier calls in it. Raises `CallFileError`."""
        return _read(self.file, call.arguments["case"])


def plan_cases(files: Sequence[CallFile]) -> list[PlannedCase]:
    """All cases of these files, each with its set-up.

    Raises:
        CallFileError: one cannot be read or made, or there are more than `MAX_CASES`.
    """
    if sum(len(file.asked) for file in files) > MAX_CASES:
        raise CallFileError(f"There are more than {MAX_CASES:,} cases.")
    calls = [SavedEntry(file, at) for file in files for at in range(len(file.calls))]
    found: list[PlannedCase] = []
    for file in files:
        shared = _shared(file) if file.asked else {}
        names = {call.name for call in file.calls}
        for place, written in file.asked:
            raw = {key: value for key, value in shared.items() if key != "version"} | written
            case = _read(f"{file.path}: calls[{place}]", raw)
            if case.name in names:
                raise CallFileError(f"{file.path}: two entries have the name {case.name!r}.")
            names.add(case.name)
            found.append(_plan(file, case, raw, calls))
    return found


def _shared(file: CallFile) -> dict[str, Any]:
    """What a file says for all of its cases."""
    whole: object = file.whole
    members = cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}
    if "calls" not in members:
        return {}
    shared = {key: value for key, value in members.items() if key in _FILE_KEYS}
    if shared.get("version", VERSION) != VERSION:
        raise CallFileError(
            f"{file.path} is of version {shared['version']!r}; this app reads version {VERSION}."
        )
    unknown = [key for key in members if key not in (*_FILE_KEYS, "calls", "$schema")]
    if unknown:
        raise CallFileError(
            f"{file.path}: {unknown[0]} is no key of a file with cases; "
            f"there are {', '.join((*_FILE_KEYS, 'calls'))}."
        )
    return shared


def _plan(
    file: CallFile, case: EvalCase, raw: dict[str, Any], calls: list[SavedEntry]
) -> PlannedCase:
    if (size := max(map(len, case.ask))) > 1_000_000:
        raise CallFileError(f"{file.path}: {case.name!r} asks {size:,} characters.")
    asked = SavedCall(name=case.name, tool=_ASKED, arguments={"case": raw}, after=case.after)
    entry = SavedEntry(CallFile(file.path, (asked,)), 0)
    after = [each for each in calls if each.call.name in case.after]
    plan = plan_calls([*calls, entry], [entry, *after])
    planned = next(each for each in plan if each.place == entry.place)
    setup = tuple(each for each in plan if each is not planned)
    if problem := next((each.problem for each in (planned, *setup) if each.problem), ""):
        raise CallFileError(f"{file.path}: {case.name!r}: {problem}")
    tools = (*case.expect.tools, *(each.entry.call.tool for each in setup))
    servers = (*case.servers, *(tool.partition(":")[0] for tool in tools))
    return PlannedCase(case, planned, setup, tuple(dict.fromkeys(servers)), raw)


def _read(where: str, raw: dict[str, Any]) -> EvalCase:
    try:
        return EvalCase.model_validate(raw)
    except ValidationError as error:
        raise CallFileError(f"{where}: {'; '.join(_problems(error))}.") from None


def _problems(error: ValidationError) -> Iterable[str]:
    for found in error.errors()[:5]:
        place = ".".join(str(part) for part in found["loc"])
        if found["type"] == "extra_forbidden":
            known = _known(found["loc"])
            yield f"{place} is no key here; there are {', '.join(known)}"
        else:
            yield f"{place}: {found['msg'].removeprefix('Value error, ')}"


def _known(place: tuple[int | str, ...]) -> list[str]:
    kinds: dict[str, type[BaseModel]] = {
        "expect": CaseExpectations,
        "calls": ExpectedCall,
        "judge": Judge,
    }
    named = [part for part in place[:-1] if part in kinds]
    model = kinds[str(named[-1])] if named else EvalCase
    refused = _OF_CALLS if model is CaseExpectations else ()
    fields = model.model_fields.items()
    return [field.alias or name for name, field in fields if name not in refused]


def names_tool(case: EvalCase) -> tuple[str, ...]:
    """The tools that its author expects to be called: these may be."""
    expected = (*(call.tool for call in case.expect.calls), *case.expect.first)
    return tuple(dict.fromkeys(tool for tool in expected if tool not in case.expect.never))
