"""Compares one run of a case with what the case expects, and describes each difference.

Of the last answer it expects what a saved call expects of a result, and of the way there its calls,
errors, turns, tokens and cost. Asks no model: what a judge said is in the transcript. Pure.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_list, translatable
from desktop.features.saved_calls.expectations import differences
from desktop.features.saved_calls.saved_call_files import CallFileError
from desktop.features.saved_calls.variables import fill
from desktop.values.json_schema import object_of, same_json
from desktop.values.tool_types import ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.features.evals.eval_case import CaseExpectations, ExpectedCall, PlannedCase
    from desktop.features.evals.transcript import ModelCall, RunTranscript
    from desktop.features.saved_calls.variables import Reference

MAX_FINDINGS = 20
_FENCED = compile_later(r"\A\s*```[a-z]*\n(.*)\n```\s*\Z", re.DOTALL)
_SHOWN = 200


class CaseFinding(NamedTuple):
    """One expectation that a run did not meet."""

    kind: str
    message: str


class NotMeasuredError(Exception):
    """It is not known whether the run is good; the message says why."""


def score(expect: CaseExpectations, run: RunTranscript) -> tuple[CaseFinding, ...]:
    """All that is not as expected, at most `MAX_FINDINGS`; empty where everything is.

    Raises:
        NotMeasuredError: the model could not be asked, or nothing was decided of it.
    """
    if run.problem:
        raise NotMeasuredError(run.problem)
    found: list[CaseFinding] = []
    if run.end != "done":
        words = run.error or translatable("it ended as {end}", end=run.end)
        found.append(CaseFinding("end", words))
    found += [*_calls(expect, run), *_answer(expect, run), *_limits(expect, run)]
    return (*found, *_judged(expect, run))[:MAX_FINDINGS]


def expected(planned: PlannedCase, run: RunTranscript) -> CaseExpectations:
    """What is expected, with the values that this run had.

    Raises:
        NotMeasuredError: it did not have one of them.
    """
    references = planned.entry.references
    if not references or run.problem:
        return planned.case.expect
    if len(references) != len(run.values):
        raise NotMeasuredError(translatable("the run has not the values that are expected now"))
    known = dict(zip((each.text for each in references), run.values, strict=True))

    def read(reference: Reference) -> object:
        return known[reference.text]

    call = planned.entry.entry.call
    try:
        return planned.filled(
            call.model_copy(update={"arguments": fill(call.arguments, read)})
        ).expect
    except CallFileError as error:
        raise NotMeasuredError(str(error)) from None


def reasons_of(planned: PlannedCase, run: RunTranscript) -> tuple[str, list[str]]:
    """How a run did in one word, passed, failed or not measured, and why."""
    try:
        found = score(expected(planned, run), run)
    except NotMeasuredError as error:
        return "not measured", [str(error)]
    return ("failed" if found else "passed"), [each.message for each in found]


# --- calls ----------------------------------------------------------------------------------------


def _calls(expect: CaseExpectations, run: RunTranscript) -> Iterator[CaseFinding]:
    made = run.calls
    named = [call.tool for call in made]
    told = _told(named)
    for tool in dict.fromkeys(tool for tool in named if tool in expect.never):
        yield CaseFinding("never", translatable("{tool} was called", tool=tool))
    if expect.first and named[:1] != [] and named[0] not in expect.first:
        wanted = translatable(
            "the first call was of {tool}, not of {expected}",
            tool=named[0],
            expected=join_list(expect.first),
        )
        yield CaseFinding("first", wanted)
    elif expect.first and not named:
        wanted = translatable("no tool was called, not even {tool}", tool=join_list(expect.first))
        yield CaseFinding("first", wanted)
    errors = sum(bool(call.error) for call in made)
    if expect.errors is not None and errors > expect.errors:
        first = next(call for call in made if call.error)
        words = translatable(
            "{errors} errors of tools, at most {most}; {first}",
            errors=errors,
            most=expect.errors,
            first=f"{first.tool}: {first.error}: {_short(first.output)}",
        )
        yield CaseFinding("errors", words)
    fits = [[_fits(wanted, call) for call in made] for wanted in expect.calls]
    yield from _counted(expect, fits, made)
    ordered = _unordered if expect.any_order else _ordered
    if (missing := ordered(expect.calls, fits)) is not None:
        call = describe(missing)
        words = translatable("there is no call {call}; {told}", call=call, told=told)
        if len(expect.calls) > 1 and not expect.any_order:
            words = translatable(
                "there is no call {call} in its place; {told}", call=call, told=told
            )
        yield CaseFinding("calls", words)
    if expect.only:
        for at, call in enumerate(made):
            if not any(row[at] for row in fits):
                made_call = f"{call.tool} {_json(call.arguments)}"
                words = translatable("{call} was not expected", call=made_call)
                yield CaseFinding("only", words)


def _counted(
    expect: CaseExpectations, fits: Sequence[Sequence[bool]], made: Sequence[ModelCall]
) -> Iterator[CaseFinding]:
    for wanted, row in zip(expect.calls, fits, strict=True):
        if wanted.times is None:
            continue
        (least, most), times = wanted.times, sum(row)
        if not least <= times <= most:
            words = translatable(
                "the call {call} was made {times} times, not {expected}; of {count} calls",
                call=describe(wanted),
                times=times,
                expected=str(least) if least == most else f"{least}–{most}",
                count=len(made),
            )
            yield CaseFinding("calls", words)


def _needed(wanted: ExpectedCall) -> int:
    return 1 if wanted.times is None else wanted.times[0]


def _ordered(wanted: Sequence[ExpectedCall], fits: Sequence[Sequence[bool]]) -> ExpectedCall | None:
    """The first that is not there after those before it."""
    at = 0
    for each, row in zip(wanted, fits, strict=True):
        for _ in range(_needed(each)):
            while at < len(row) and not row[at]:
                at += 1
            if at >= len(row):
                return each
            at += 1
    return None


def _unordered(
    wanted: Sequence[ExpectedCall], fits: Sequence[Sequence[bool]]
) -> ExpectedCall | None:
    """The first for which no call is left, where each call stands for one."""
    taken: dict[int, int] = {}

    def give(place: int, tried: set[int]) -> bool:
        for at, is_fit in enumerate(fits[place]):
            if is_fit and at not in tried:
                tried.add(at)
                if at not in taken or give(taken[at], tried):
                    taken[at] = place
                    return True
        return False

    for place, each in enumerate(wanted):
        if not all(give(place, set()) for _ in range(_needed(each))):
            return each
    return None


def _fits(wanted: ExpectedCall, call: ModelCall) -> bool:
    if call.tool != wanted.tool or not _has(wanted.arguments, call.arguments):
        return False
    if wanted.error is not None:
        is_met = bool(call.error) if wanted.error is True else call.error == (wanted.error or "")
        if not is_met:
            return False
    if wanted.asked is not None and wanted.asked != call.asked:
        return False
    if wanted.matches is None:
        return True
    from desktop.tools.validation import find_misfits

    issues = find_misfits(wanted.matches, call.arguments)
    return not any(each.severity == "error" or each.code == "oddSchema" for each in issues)


def _has(wanted: object, got: object) -> bool:
    """Whether these values are there; an object may have more members."""
    if not isinstance(wanted, dict):
        return same_json(wanted, got)
    members = cast("dict[str, Any]", wanted)
    there = object_of(got)
    if not there and not isinstance(got, dict):
        return not members
    return all(name in there and _has(value, there[name]) for name, value in members.items())


def describe(wanted: ExpectedCall) -> str:
    """A call that is expected, in one line."""
    call: str = wanted.tool
    if wanted.arguments:
        arguments = _json(wanted.arguments)
        call = translatable("{call} with {arguments}", call=call, arguments=arguments)
    if wanted.matches is not None:
        call = translatable("{call} that matches its schema", call=call)
    if wanted.asked is True:
        call = translatable("{call} that asks back", call=call)
    elif wanted.asked is False:
        call = translatable("{call} that does not ask back", call=call)
    match wanted.error:
        case None:
            return call
        case True:
            return translatable("{call} that fails", call=call)
        case False:
            return translatable("{call} that goes well", call=call)
        case error:
            return translatable("{call} that fails with {error}", call=call, error=error)


def _told(named: Sequence[str]) -> str:
    if not named:
        return translatable("no tool was called")
    more = [f"+{len(named) - 10}"] if len(named) > 10 else []
    return translatable("called were {tools}", tools=join_list([*named[:10], *more]))


# --- the answer and the limits --------------------------------------------------------------------


def _answer(expect: CaseExpectations, run: RunTranscript) -> Iterator[CaseFinding]:
    plain = [text for text in expect.contains if not _is_pattern(text)]
    asked = expect.model_copy(update={"contains": tuple(plain)})
    result = ToolResult(
        success=True, output=run.answer, structured=_value(run.answer), execution_time=run.seconds
    )
    yield from (CaseFinding(each.kind, str(each.message)) for each in differences(asked, result))
    for text in filter(_is_pattern, expect.contains):
        from desktop.tools.validation.patterns import UncheckedPatternError, matches

        try:
            is_there = matches(text[1:-1], run.answer)
        except UncheckedPatternError as error:
            yield CaseFinding("contains", str(error))
            continue
        if not is_there:
            words = translatable(
                "{text} is not in the answer: {answer}", text=text, answer=_short(run.answer)
            )
            yield CaseFinding("contains", words)


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] == "/"


def _value(answer: str) -> Any:
    """The JSON of an answer that is nothing but a block of code; None for any other."""
    if (fenced := _FENCED.match(answer)) is None:
        return None
    try:
        return json.loads(fenced[1])
    except (ValueError, RecursionError):
        return None


def _limits(expect: CaseExpectations, run: RunTranscript) -> Iterator[CaseFinding]:
    if expect.turns is not None and run.turns > expect.turns:
        words = translatable(
            "{turns} requests to the model, at most {most}", turns=run.turns, most=expect.turns
        )
        yield CaseFinding("turns", words)
    if expect.tokens is not None and run.tokens > expect.tokens:
        words = translatable(
            "{tokens} tokens, at most {most}", tokens=f"{run.tokens:,}", most=f"{expect.tokens:,}"
        )
        yield CaseFinding("tokens", words)
    if expect.cost is not None:
        if run.cost is None:
            raise NotMeasuredError(translatable("the price of the model is not known"))
        if run.cost > expect.cost:
            words = translatable(
                "it cost {cost}, at most {most}", cost=f"{run.cost:.4g}", most=f"{expect.cost:g}"
            )
            yield CaseFinding("cost", words)


def _judged(expect: CaseExpectations, run: RunTranscript) -> Iterator[CaseFinding]:
    if expect.judge is None:
        return
    said = run.judged.get(expect.judge.says)
    if said is None:
        raise NotMeasuredError(translatable("the judge did not decide"))
    if not said:
        words = translatable("the judge says no: {says}", says=_short(expect.judge.says))
        yield CaseFinding("judge", words)


def _json(value: Any) -> str:
    return _short(json.dumps(value, ensure_ascii=False, default=str))


def _short(text: str) -> str:
    line = " ".join(text[: 4 * _SHOWN].split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
