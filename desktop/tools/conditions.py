"""The keywords by which a schema makes one field depend on another, each error with its reason.

`dependentRequired`, `dependentSchemas`, the older `dependencies`, and `if`/`then`/`else`. Source:
JSON Schema 2020-12, core 10.2.2 and validation 6.5.4. Must not judge what a branch itself says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from jsonschema import ValidationError

from desktop.tools.wording import shown
from desktop.tools.work import current

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 3
"""Fields or values that a reason names; with more it is not plain."""


@dataclass(frozen=True, slots=True)
class Reason:
    """On what other fields an error depends: all of `parts`, a name with its values each.

    Values are as the schema shows them, empty where it is enough that the field is given. Without
    `parts` the condition is not plain enough to be told. `holds` is False for `else`.
    """

    parts: tuple[tuple[str, str], ...] = ()
    holds: bool = True

    def __str__(self) -> str:
        if not self.parts:
            return "because of another value"
        told = [f"{name!r} is {values or 'given'}" for name, values in self.parts]
        return f"{'when' if self.holds else 'unless'} {' and '.join(told)}"


def reason_of(error: ValidationError) -> Reason | None:
    """On what an error depends, or the error that it explains; None where on nothing."""
    here: Any = error
    while here is not None:
        reason = getattr(here, "reason", None)
        if isinstance(reason, Reason):
            return reason
        here = here.parent
    return None


def dependent_required(
    _validator: Any, dependencies: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, needed in cast("Mapping[str, Any]", dependencies).items():
        if name in instance:
            yield from _missing(name, needed, cast("dict[str, Any]", instance))


def dependent_schemas(
    validator: Any, dependencies: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, schema in cast("Mapping[str, Any]", dependencies).items():
        if name in instance:
            for error in validator.descend(instance, schema, schema_path=name):
                yield _because(error, Reason(((name, ""),)))


def dependencies(
    validator: Any, rules: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """Both of them in one keyword, as drafts before 2019-09 have it."""
    for name, rule in cast("Mapping[str, Any]", rules).items():
        if isinstance(rule, list | str):
            needed = [rule] if isinstance(rule, str) else cast("list[Any]", rule)
            yield from dependent_required(validator, {name: needed}, instance, schema)
        else:
            yield from dependent_schemas(validator, {name: rule}, instance, schema)


def if_then_else(
    validator: Any, condition: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    run = current()
    before = run.passed_over
    run.trials += 1
    try:
        holds = validator.evolve(schema=condition).is_valid(instance)
    finally:
        run.trials -= 1
    if run.passed_over != before:
        return  # nobody knows whether it holds
    branch = "then" if holds else "else"
    if branch not in schema:
        return
    reason = Reason(_parts_of(condition), holds)
    for error in validator.descend(instance, schema[branch], schema_path=branch):
        yield _because(error, reason)


def _missing(name: str, needed: Any, instance: dict[str, Any]) -> Iterator[ValidationError]:
    for other in cast("list[Any]", needed):
        if isinstance(other, str) and other not in instance:
            error = ValidationError(f"{other!r} is required", path=[other], validator="required")
            yield _because(error, Reason(((name, ""),)))


def _because(error: ValidationError, reason: Reason) -> ValidationError:
    """The innermost reason stays: it is the nearest to what is wrong."""
    if reason_of(error) is None:
        cast("Any", error).reason = reason
    return error


def _parts_of(condition: Any) -> tuple[tuple[str, str], ...]:
    """What a plain condition asks for: properties of fixed values, and required ones."""
    if not isinstance(condition, Mapping):
        return ()
    rules = dict(cast("Mapping[str, Any]", condition))
    named: Any = rules.pop("properties", {})
    required: Any = rules.pop("required", [])
    rules.pop("type", None)
    if rules or not isinstance(named, dict) or not isinstance(required, list):
        return ()
    values = {name: _values_of(rule) for name, rule in cast("dict[str, Any]", named).items()}
    given = {str(name): "" for name in cast("list[Any]", required) if name not in values}
    is_plain = all(values.values()) and 0 < len(values) + len(given) <= _MOST
    return (*values.items(), *given.items()) if is_plain else ()


def _values_of(rule: Any) -> str:
    if not isinstance(rule, Mapping):
        return ""
    fields = cast("Mapping[str, Any]", rule)
    if "const" in fields:
        return shown(fields["const"])
    choices: Any = fields.get("enum")
    if isinstance(choices, list) and len(cast("list[Any]", choices)) <= _MOST:
        return " or ".join(shown(each) for each in cast("list[Any]", choices))
    return ""
