"""Checks arguments against a tool's full JSON Schema and says everything that is wrong with them.

Four layers: type, format, range, and rules between fields. Never raises for a schema or a value,
never fetches, never takes long: what cannot be checked is a warning. The one place where form,
executor and terminal ask; must not change arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.tool_types import ValidationIssue
from desktop.tools.alternatives import flattened
from desktop.tools.compiled import compiled, recall
from desktop.tools.undeclared import find_undeclared
from desktop.tools.verdict import issue_of
from desktop.tools.work import TooMuchWorkError, running

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from desktop.tool_types import JsonObject
    from desktop.tools.compiled import Compiled

MOST_ISSUES: Final = 100


def validate(schema: JsonObject, arguments: Any) -> list[ValidationIssue]:
    """All findings, errors and warnings, at most `MOST_ISSUES`; empty when all is fine."""
    known = recall(schema)
    if known is not None and known.fits is not None and known.fits(arguments):
        return []
    found = find_misfits(schema, arguments)
    return [*found, *find_undeclared(schema, arguments)][:MOST_ISSUES]


def find_misfits(schema: Any, value: Any) -> list[ValidationIssue]:
    """What the schema forbids, and what is odd about it: arguments and output alike."""
    if not isinstance(cast("object", schema), Mapping | bool):
        return [_odd("The tool's schema is not an object, so nothing was checked.")]
    try:
        ready = compiled(schema)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        return [_odd(f"The tool's schema cannot be read: {_why(error)}")]
    with running() as run:
        found = _collect(ready, value)
        notes = [f"The tool's schema was not checked whole: {text}" for text in run.skipped]
    found += [_odd(text) for text in ([ready.oddity] if ready.oddity else []) + notes]
    return found[:MOST_ISSUES]


def _collect(ready: Compiled, value: Any) -> list[ValidationIssue]:
    found: dict[ValidationIssue, None] = {}
    try:
        for error in islice(_leaves(ready.errors(value)), MOST_ISSUES):
            found[issue_of(error)] = None
    except (TooMuchWorkError, RecursionError):
        found[_odd("The schema, or the value, is too complex to be checked whole.")] = None
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
        found[_odd(f"The tool's schema cannot be checked: {_why(error)}")] = None
    return list(found)


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        yield from flattened(error)


def _odd(text: str) -> ValidationIssue:
    return ValidationIssue((), "rule", text, "warning", "oddSchema", {"why": text})


def _why(error: BaseException) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else f"{error!s:.200}"
