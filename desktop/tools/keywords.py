"""jsonschema's validators with limits: each keyword is guarded, counted and never fetches anything.

A keyword that is odd (an unknown reference, a foreign pattern, a value of the wrong kind) is
noted and passed over, so that the others still check. Must not word messages for a person.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema import validators as jsonschema_validators
from jsonschema.exceptions import UndefinedTypeCheck, UnknownType
from referencing.exceptions import NoSuchResource, Unresolvable

from desktop.tools.patterns import UncheckedPatternError, matches

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from jsonschema.protocols import Validator

Keyword: TypeAlias = "Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]"

MOST_STEPS: Final = 60_000
"""Keywords applied in one run: below half a second, and far above what people and agents send."""
LONGEST: Final = 1.0
"""Seconds after which even few but costly steps (patterns on long texts) are given up."""
DEEPEST: Final = 150
_ODDITIES = (
    TypeError, ValueError, AttributeError, LookupError, ArithmeticError,
    Unresolvable, NoSuchResource, UnknownType, UndefinedTypeCheck, UncheckedPatternError,
)  # fmt: skip


class TooMuchWorkError(Exception):
    """The schema asks for more steps than one validation may take."""


@dataclass(slots=True)
class Run:
    """One validation under way: what it has cost and what it had to pass over."""

    steps: int = 0
    depth: int = 0
    deadline: float = field(default_factory=lambda: monotonic() + LONGEST)
    skipped: dict[str, None] = field(default_factory=dict[str, None])


_run: ContextVar[Run] = ContextVar("validation_run")


@contextmanager
def running() -> Generator[Run]:
    token = _run.set(Run())
    try:
        yield _run.get()
    finally:
        _run.reset(token)


def limited(base: type[Validator]) -> type[Validator]:
    """The same draft with every keyword guarded and the dangerous ones replaced."""
    own: dict[str, Keyword] = {
        "pattern": _pattern,
        "required": _required,
        "uniqueItems": _unique_items,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    known = cast("dict[str, Keyword]", base.VALIDATORS)
    keywords = {name: _guarded(name, own.get(name, check)) for name, check in known.items()}
    extend = cast("Callable[..., type[Validator]]", cast("Any", jsonschema_validators).extend)
    return extend(base, keywords)


def _guarded(name: str, check: Keyword) -> Keyword:
    def guarded(
        validator: Any, value: Any, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        run = _run.get()
        run.steps += 1
        if run.steps > MOST_STEPS or monotonic() > run.deadline:
            raise TooMuchWorkError
        if run.depth >= DEEPEST:
            run.skipped["it is nested too deeply to be checked whole"] = None
            return
        run.depth += 1
        try:
            if name.startswith("exclusive") and isinstance(value, bool):
                raise TypeError("a bound of an older draft")
            yield from check(validator, value, instance, schema) or ()
        except _ODDITIES as error:
            run.skipped[_reason(name, value, error)] = None
        finally:
            run.depth -= 1

    return guarded


def _reason(name: str, value: Any, error: Exception) -> str:
    if isinstance(error, UncheckedPatternError):
        return str(error)
    if name in {"$ref", "$dynamicRef", "$recursiveRef"}:
        return f"the reference {value!r:.80} leads nowhere in it (nothing is ever fetched)"
    return f"its {name!r} could not be understood"


def _pattern(
    _validator: Any, pattern: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError(f"does not match {pattern}")


def _required(
    _validator: Any, names: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or not isinstance(names, list):
        return
    for name in cast("list[Any]", names):
        if isinstance(name, str) and name not in instance:
            yield ValidationError(f"{name!r} is required", path=[name])


def _unique_items(
    _validator: Any, unique: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """In linear time; jsonschema compares every pair of objects."""
    if unique is not True or not isinstance(instance, list):
        return
    items = cast("list[Any]", instance)
    if len({json.dumps(_canonical(item), sort_keys=True) for item in items}) < len(items):
        yield ValidationError("has items that are the same")


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_canonical(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in cast("dict[str, Any]", value).items()}
    return value


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for name, value in cast("dict[str, Any]", instance).items():
            if _is_covered(pattern, name, otherwise=False):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, rule: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    declared = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for name, value in cast("dict[str, Any]", instance).items():
        if name in declared or any(_is_covered(each, name, otherwise=True) for each in patterns):
            continue
        if rule is False:
            yield ValidationError(f"{name!r} is not allowed", path=[name])
        else:
            yield from validator.descend(value, rule, path=name)


def _is_covered(pattern: str, name: str, *, otherwise: bool) -> bool:
    try:
        return matches(pattern, name)
    except UncheckedPatternError as error:
        _run.get().skipped[str(error)] = None
        return otherwise


def _draft(base: Any) -> type[Validator]:
    return limited(cast("type[Validator]", base))


_limited: dict[Any, type[Validator]] = {}


def validator_class(schema: Any) -> type[Validator]:
    """The limited validator of the draft that `$schema` names, 2020-12 where it names none."""
    find = cast("Callable[..., Any]", jsonschema_validators.validator_for)
    base = find(schema, default=Draft202012Validator)
    if base not in _limited:
        _limited[base] = _draft(base)
    return _limited[base]
