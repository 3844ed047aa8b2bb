"""Compares a result with what a saved call expects, and describes each difference.

Runs nothing, never raises for a result, never takes long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.saved_calls.value_paths import MISSING, find, parse_path
from desktop.history.diff import SIGNS
from desktop.values.json_schema import same_json
from desktop.values.tool_types import join_json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.features.saved_calls.saved_call import Expectations
    from desktop.history.diff import DiffLine
    from desktop.values.tool_types import ToolResult

Kind: TypeAlias = Literal[
    "error", "contains", "equals", "matches", "output", "snapshot", "seconds", "variable"
]
MAX_DIFFERENCES = 20
"""Differences that are told of one call."""
MAX_DIFF_LINES = 200
"""Lines of a difference that are told outside the window."""
MAX_PARSED_LENGTH = 5_000_000
_MAX_SHOWN_LENGTH = 200


class Mismatch(Struct, frozen=True):
    """One expectation that was not met; `where` is a path in the result, or empty.

    `variable` is a value that the call needed and that was not there; nothing was sent then. `diff`
    has the lines of a snapshot that differ.
    """

    kind: Kind
    message: str
    where: str = ""
    expected: Any = None
    got: Any = None
    diff: tuple[DiffLine, ...] = ()

    def to_json(self) -> dict[str, Any]:
        shown = {
            "expectation": self.kind,
            "path": self.where,
            "message": self.message,
            "expected": self.expected,
            "got": self.got,
        }
        return shown | ({"diff": diff_lines(self.diff)} if self.diff else {})


def diff_lines(lines: Iterable[DiffLine]) -> list[str]:
    """Lines with their signs, the first `MAX_DIFF_LINES`; says how many more there are."""
    shown = [SIGNS[line.kind] + line.text for line in lines]
    more = len(shown) - MAX_DIFF_LINES
    return [*shown[:MAX_DIFF_LINES], f"… {more} more lines"] if more > 0 else shown


def differences(expect: Expectations, result: ToolResult) -> tuple[Mismatch, ...]:
    """All that is not as expected, at most `MAX_DIFFERENCES`; empty where everything is."""
    found = [*_error(expect, result)]
    if not found:
        found += [*_contains(expect, result), *_equals(expect, result), *_matches(expect, result)]
        found += _output(expect, result)
    return (*found, *_seconds(expect, result))[:MAX_DIFFERENCES]


def _error(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    code = result.error.code if result.error is not None else None
    wanted = expect.error
    if wanted is False and result.error is not None:
        words = translatable(
            "no error was expected, but {code}: {message}",
            code=str(code),
            message=_short(result.error.message),
        )
        yield Mismatch("error", words, expected=False, got=code)
    elif wanted is True and code is None:
        words = translatable(
            "an error was expected, but the call succeeded: {output}", output=_short(result.output)
        )
        yield Mismatch("error", words, expected=True, got=None)
    elif not isinstance(wanted, bool) and code != wanted:
        got = translatable("success")
        if result.error is not None:
            got = f"{code}: {_short(result.error.message)}"
        words = translatable("{wanted} was expected, got {got}", wanted=str(wanted), got=got)
        yield Mismatch("error", words, expected=wanted, got=code)


def _contains(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    output = result.output or (result.error.message if result.error is not None else "")
    for text in expect.contains:
        if text not in output:
            words = translatable(
                "{text} is not in the output: {output}", text=_json(text), output=_short(output)
            )
            yield Mismatch("contains", words, expected=text, got=output[:_MAX_SHOWN_LENGTH])


def _equals(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    if not expect.equals:
        return
    value = result_value(result)
    if value is MISSING:
        words = translatable(
            "there is no structured content, and the output is no JSON: {output}",
            output=_short(result.output),
        )
        yield Mismatch("equals", words)
        return
    for path, expected in expect.equals.items():
        yield from _unequal(path, expected, find(value, parse_path(path)))


def _unequal(path: str, expected: Any, got: Any) -> Iterator[Mismatch]:
    """Down to the smallest part that differs, so that a person need not compare objects."""
    todo = [(path, expected, got)]
    while todo:
        where, left, right = todo.pop()
        shown = where or translatable("the whole")
        if right is MISSING:
            words = translatable(
                "{place} is missing, expected {wanted}", place=shown, wanted=_short(_json(left))
            )
            yield Mismatch("equals", words, where, left)
        elif isinstance(left, dict) and isinstance(right, Mapping):
            ours, theirs = cast("dict[str, Any]", left), cast("Mapping[str, Any]", right)
            for name in theirs.keys() - ours.keys():
                path = join_json_path(where, name)
                words = translatable(
                    "{place} was not expected: {got}", place=path, got=_short(_json(theirs[name]))
                )
                yield Mismatch("equals", words, path, None, theirs[name])
            todo += [
                (join_json_path(where, name), ours[name], theirs.get(name, MISSING))
                for name in reversed(ours)
            ]
        elif (pairs := _paired(left, right)) is not None:
            todo += [(f"{where}[{n}]", *pair) for n, pair in reversed(pairs)]
        elif not same_json(left, right):
            words = translatable(
                "{place}: expected {wanted}, got {got}",
                place=shown,
                wanted=_short(_json(left)),
                got=_short(_json(right)),
            )
            yield Mismatch("equals", words, where, left, right)


def _matches(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    if expect.matches is None:
        return
    value = result_value(result)
    if value is MISSING:
        words = translatable("there is nothing to match: the output is no JSON")
        yield Mismatch("matches", words)
        return
    from desktop.tools.validation import find_misfits

    for issue in find_misfits(expect.matches, value):
        if issue.severity == "error":
            yield Mismatch("matches", str(issue), issue.where)
        elif issue.code == "oddSchema":  # what is not checked would always be met
            why = getattr(issue.message, "values", {}).get("why", issue.message)
            words = translatable("the schema of matches cannot be used: {why}", why=why)
            yield Mismatch("matches", words)


def _output(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    """The tool's own outputSchema is expected of each result, unless the call says otherwise."""
    if expect.output == "unchecked" or result.error is not None:
        return
    for issue in result.output_issues or ():
        if issue.severity == "error":
            words = translatable("breaks the tool's own outputSchema: {issue}", issue=str(issue))
            yield Mismatch("output", words, issue.where)


def _seconds(expect: Expectations, result: ToolResult) -> Iterator[Mismatch]:
    limit, took = expect.seconds, result.execution_time
    if limit is not None and took > limit:
        words = translatable(
            "it took {took} s, expected at most {limit} s", took=f"{took:.3g}", limit=f"{limit:g}"
        )
        yield Mismatch("seconds", words, expected=limit, got=round(took, 6))


def result_value(result: ToolResult) -> Any:
    """The structured content, or else the output as JSON; `MISSING` where it is none."""
    if result.structured is not None:
        return result.structured
    if len(result.output) > MAX_PARSED_LENGTH:
        return MISSING
    try:
        return json.loads(result.output)
    except (ValueError, RecursionError):
        return MISSING


def _paired(left: Any, right: Any) -> list[tuple[int, tuple[Any, Any]]] | None:
    """The items of two lists of one length side by side."""
    if not (isinstance(left, list) and isinstance(right, list)):
        return None
    ours, theirs = cast("list[Any]", left), cast("list[Any]", right)
    return list(enumerate(zip(ours, theirs, strict=True))) if len(ours) == len(theirs) else None


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return repr(type(value).__name__)


def _short(text: str) -> str:
    text = " ".join(text[: 4 * _MAX_SHOWN_LENGTH].split())
    return text if len(text) <= _MAX_SHOWN_LENGTH else text[:_MAX_SHOWN_LENGTH] + "…"
