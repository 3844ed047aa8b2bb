"""jsonschema's validators with limits: each keyword is guarded, counted and never fetches anything.

A keyword that is odd (an unknown reference, a foreign pattern, a value of the wrong type) is noted
and skipped, so that the others are still checked. Keywords that jsonschema checks without a limit,
or whose errors say too little, are replaced here: same meaning, our way. Must not word messages.

Not `jsonschema-rs` 0.60: it is some 200 times faster on what fits, and its regular expressions are
linear, but nothing bounds it. References that double 28 times over take 22 s, alternatives that
double 16 times over 550 MB; nothing can stop it, and the interpreter stands still meanwhile. It
refuses a whole schema for one odd keyword, and adds 15 MB to the bundle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema import validators as jsonschema_validators
from jsonschema.exceptions import UndefinedTypeCheck, UnknownType
from msgspec import Struct
from referencing.exceptions import NoSuchResource, Unresolvable

from desktop.base.translatable import translatable
from desktop.patches.sdk import bound_unevaluated_patterns
from desktop.tools.validation.budget import MAX_DEPTH, current_budget
from desktop.tools.validation.formats import conforms, is_certain
from desktop.tools.validation.messages import format_value, join_or, not_allowed, required
from desktop.tools.validation.patterns import UncheckedPatternError
from desktop.values.json_schema import list_of, object_of, resolve_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jsonschema.protocols import Validator

    from desktop.values.tool_types import JsonObject

Keyword: TypeAlias = "Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]"
"""(validator, the keyword's value, the value to check, the schema around it) -> errors."""


# --- replaced keywords ------------------------------------------------------------------------


def _multiple_of(
    _validator: Any, step: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """As decimals, as people write them: 19.99 is a multiple of 0.01, though not in floats."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return
    if (Fraction(str(instance)) / Fraction(str(step))).denominator != 1:
        yield ValidationError("is not a multiple")


def _properties(
    validator: Any, properties: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, rule in properties.items():
        if name in instance:
            yield from _descend(validator, instance[name], rule, name)


def _descend(validator: Any, value: Any, rule: Any, name: str) -> Iterator[ValidationError]:
    """The errors of one property; jsonschema does not say which one a schema `false` refuses."""
    if rule is False:
        nothing: Any = None  # what a schema `false` has for a keyword
        yield ValidationError("", validator=nothing, instance=value, schema=rule, path=[name])
    else:
        yield from validator.descend(value, rule, path=name, schema_path=name)


def _pattern(
    _validator: Any, pattern: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not current_budget().matches(pattern, instance):
        yield ValidationError(f"does not match {pattern}")


def _required(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or not isinstance(names, list):
        return
    for name in cast("list[Any]", names):
        if not isinstance(name, str) or name in instance:
            continue
        if not _is_filled_in(validator, name, instance, schema):
            yield ValidationError(required(name), path=[name])


def _is_filled_in(validator: Any, name: str, instance: Any, schema: Any) -> bool:
    """Whether the server has a default for what is missing, one that its own schema allows."""
    budget = current_budget()
    if budget.exact:
        return False
    budget.count()
    rules = property_schemas(budget.root, [schema, *budget.applied_to(instance)], name)
    if (default := find_default(budget.root, rules)) is NO_DEFAULT:
        return False
    budget.trials += 1
    try:
        fits = all(validator.evolve(schema=rule).is_valid(default) for rule in rules)
    finally:
        budget.trials -= 1
    budget.filled_in += fits
    return fits


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
                yield from _descend(validator, value, schema, name)


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
            yield ValidationError(not_allowed(name), path=[name])
        else:
            yield from validator.descend(value, rule, path=name)


def _is_covered(pattern: str, name: str, *, otherwise: bool) -> bool:
    try:
        return current_budget().matches(pattern, name)
    except UncheckedPatternError as error:
        current_budget().skip(str(error))
        return otherwise


def _property_names(
    validator: Any, rule: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """An error of a name is placed at its property, and marked as being about the name."""
    if not isinstance(instance, dict):
        return
    for name in cast("dict[str, Any]", instance):
        for error in validator.descend(name, rule, path=name):
            error.is_of_name = True
            yield error


def _format(validator: Any, name: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """A format that can be read in several ways does not rule out an alternative.

    A validator without a format checker accepts every format, as jsonschema's own does.
    """
    is_asked = is_certain(name) or not current_budget().trials
    if validator.format_checker is not None and is_asked and not conforms(instance, name):
        yield ValidationError(f"is not a {name}")


def _annotation(
    _validator: Any, is_marked: Any, _instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """`deprecated` and `readOnly`: a value that is there is worth a warning and no more."""
    if is_marked is True and not current_budget().trials:
        yield ValidationError("is marked by the schema")


# --- keywords by which one field depends on another -------------------------------------------
# Source: JSON Schema 2020-12, core 10.2.2 and validation 6.5.4.

_MAX_NAMED = 3
"""Fields or values that a reason names; with more it is too complex to describe."""


class DependencyReason(Struct, frozen=True):
    """The other fields that an error depends on: all of `parts`, each a name with its values.

    Values are as the schema has them, empty where the field only has to be given. Without `parts`
    the condition is too complex to describe. `holds` is False for `else`.
    """

    parts: tuple[tuple[str, str], ...] = ()
    holds: bool = True


def reason_of(error: ValidationError) -> DependencyReason | None:
    """What an error, or one of its parents, depends on; None where it depends on nothing."""
    here: Any = error
    while here is not None:
        reason = getattr(here, "reason", None)
        if isinstance(reason, DependencyReason):
            return reason
        here = here.parent
    return None


def _dependent_required(
    validator: Any, dependencies: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, needed in cast("Mapping[str, Any]", dependencies).items():
        if name in instance:
            for error in _required(validator, needed, instance, schema):
                error.validator = "required"
                yield _because(error, DependencyReason(((name, ""),)))


def _dependent_schemas(
    validator: Any, dependencies: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, schema in cast("Mapping[str, Any]", dependencies).items():
        if name in instance:
            for error in validator.descend(instance, schema, schema_path=name):
                yield _because(error, DependencyReason(((name, ""),)))


def _dependencies(
    validator: Any, rules: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """Both of the above in one keyword, as in drafts before 2019-09."""
    for name, rule in cast("Mapping[str, Any]", rules).items():
        if isinstance(rule, list | str):
            needed = [rule] if isinstance(rule, str) else cast("list[Any]", rule)
            yield from _dependent_required(validator, {name: needed}, instance, schema)
        else:
            yield from _dependent_schemas(validator, {name: rule}, instance, schema)


def _if_then_else(
    validator: Any, condition: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    budget = current_budget()
    before = budget.passed_over
    budget.trials += 1
    budget.exact += 1
    try:
        holds = validator.evolve(schema=condition).is_valid(instance)
    finally:
        budget.trials -= 1
        budget.exact -= 1
    if budget.passed_over != before:
        return  # it is unknown whether the condition holds
    branch = "then" if holds else "else"
    if branch not in schema:
        return
    reason = DependencyReason(_parts_of(condition), holds)
    for error in validator.descend(instance, schema[branch], schema_path=branch):
        yield _because(error, reason)


def _because(error: ValidationError, reason: DependencyReason) -> ValidationError:
    """The innermost reason stays, because it is nearest to what is wrong."""
    if reason_of(error) is None:
        cast("Any", error).reason = reason
    return error


def _parts_of(condition: Any) -> tuple[tuple[str, str], ...]:
    """What a simple condition requires: properties with fixed values, and required properties."""
    if not isinstance(condition, Mapping):
        return ()
    keywords = dict(cast("Mapping[str, Any]", condition))
    named: Any = keywords.pop("properties", {})
    required: Any = keywords.pop("required", [])
    keywords.pop("type", None)
    if keywords or not isinstance(named, dict) or not isinstance(required, list):
        return ()
    values = {name: _values_of(rule) for name, rule in cast("dict[str, Any]", named).items()}
    present = {str(name): "" for name in cast("list[Any]", required) if name not in values}
    is_plain = all(values.values()) and 0 < len(values) + len(present) <= _MAX_NAMED
    return (*values.items(), *present.items()) if is_plain else ()


def _values_of(rule: Any) -> str:
    if not isinstance(rule, Mapping):
        return ""
    keywords = cast("Mapping[str, Any]", rule)
    if "const" in keywords:
        return format_value(keywords["const"])
    choices: Any = keywords.get("enum")
    if isinstance(choices, list) and len(cast("list[Any]", choices)) <= _MAX_NAMED:
        return join_or(format_value(choice) for choice in cast("list[Any]", choices))
    return ""


# --- guarded validators -----------------------------------------------------------------------

_REPLACED: Final[Mapping[str, Keyword]] = {
    "multipleOf": _multiple_of,
    "properties": _properties,
    "pattern": _pattern,
    "required": _required,
    "uniqueItems": _unique_items,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "format": _format,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "dependencies": _dependencies,
    "if": _if_then_else,
}
_ADDED: Final[Mapping[str, Keyword]] = {"deprecated": _annotation, "readOnly": _annotation}
"""Annotations, which jsonschema ignores."""
_TRIALS: Final = frozenset(
    {"anyOf", "oneOf", "not", "contains", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that try whether a schema fits; of `if` that is the condition, not what it brings."""
_HARMED: Final = frozenset({"oneOf", "not", "contains"})
"""Those that fail because another schema fits: a skipped part makes it fit too easily."""
_IN_PLACE: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas",
     "dependencies", "unevaluatedProperties"}
)  # fmt: skip
"""Keywords with further schemas for the value itself, not for a part of it."""
_NULLABLE: Final = frozenset({"type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf"})
"""Keywords that null passes beside `nullable: true`, as OpenAPI 3.0 writes it."""
_READ_TWICE: Final = frozenset({"oneOf", "contains", "unevaluatedProperties", "unevaluatedItems"})
"""Those that may fail because a schema fits only with its defaults."""
_ODDITIES = (
    TypeError, ValueError, AttributeError, LookupError, ArithmeticError,
    Unresolvable, NoSuchResource, UnknownType, UndefinedTypeCheck, UncheckedPatternError,
)  # fmt: skip
# jsonschema looks for evaluated properties in a function of its own, with patterns and all.
_CAN_TELL_UNEVALUATED: Final = bound_unevaluated_patterns(
    lambda pattern, text: current_budget().matches(pattern, text)
)
_guarded_drafts: dict[Any, type[Validator]] = {}


def validator_class(schema: Any) -> type[Validator]:
    """The guarded validator of the draft that `$schema` names, 2020-12 where it names none.

    Use it inside `validation_budget`.
    """
    find = cast("Callable[..., Any]", jsonschema_validators.validator_for)
    base = find(schema, default=Draft202012Validator)
    if base not in _guarded_drafts:
        _guarded_drafts[base] = _guarded_draft(base)
    return _guarded_drafts[base]


def _guarded_draft(base: Any) -> type[Validator]:
    """The same draft with every keyword guarded and the dangerous ones replaced."""
    known = cast("dict[str, Keyword]", base.VALIDATORS)
    keywords = {name: _guarded(name, _REPLACED.get(name, check)) for name, check in known.items()}
    keywords |= {name: _guarded(name, check) for name, check in _ADDED.items()}
    if not _CAN_TELL_UNEVALUATED:
        keywords.pop("unevaluatedProperties", None)
    extend = cast("Callable[..., type[Validator]]", cast("Any", jsonschema_validators).extend)
    return extend(base, keywords)


def _guarded(name: str, check: Keyword) -> Keyword:
    is_trial, is_exact, is_in_place = name in _TRIALS, name == "not", name in _IN_PLACE
    check = _read_twice(check) if name in _READ_TWICE else check
    trusted = _trusted(check) if name in _HARMED else check

    def guarded(
        validator: Any, value: Any, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if instance is None and name in _NULLABLE and schema.get("nullable") is True:
            return
        budget = current_budget()
        budget.count()
        if budget.depth >= MAX_DEPTH:
            budget.skip(translatable("it is nested too deeply to be fully checked"))
            return
        budget.depth += 1
        budget.trials += is_trial
        budget.exact += is_exact
        if is_in_place:
            budget.around.append((instance, schema))
        try:
            if name.startswith("exclusive") and isinstance(value, bool):
                raise TypeError("a bound of an older draft")
            yield from trusted(validator, value, instance, schema) or ()
        except _ODDITIES as error:
            budget.skip(_reason(name, value, error))
        finally:
            budget.depth -= 1
            budget.trials -= is_trial
            budget.exact -= is_exact
            if is_in_place:
                budget.around.pop()

    return guarded


def _read_twice(check: Keyword) -> Keyword:
    """Like `check`; with defaults that made it fail, once more without them.

    So a default never forbids what fits as it is: of `oneOf`, say, one schema may fit as it is, and
    two with their defaults.
    """

    def read_twice(validator: Any, value: Any, instance: Any, schema: Any) -> list[ValidationError]:
        budget = current_budget()
        before = budget.filled_in
        errors = list(check(validator, value, instance, schema) or ())
        if not errors or budget.filled_in == before:
            return errors
        budget.exact += 1
        try:
            fits = not list(check(validator, value, instance, schema) or ())
        finally:
            budget.exact -= 1
        return [] if fits else errors

    return read_twice


def _trusted(check: Keyword) -> Keyword:
    """Like `check`, but without errors where a part of what it tried could not be checked."""

    def trusted(validator: Any, value: Any, instance: Any, schema: Any) -> list[ValidationError]:
        budget = current_budget()
        before = budget.passed_over
        errors = list(check(validator, value, instance, schema) or ())
        return errors if budget.passed_over == before else []

    return trusted


def _reason(name: str, value: Any, error: Exception) -> str:
    if isinstance(error, UncheckedPatternError):
        return str(error)
    if name in {"$ref", "$dynamicRef", "$recursiveRef"}:
        return translatable(
            "the reference {reference} points to nothing in it (remote schemas are never fetched)",
            reference=f"{value!r:.80}",
        )
    return translatable("its {keyword!r} is not valid", keyword=name)


# Defaults: Zod and others write every property that has one as required, too, because their schemas
# describe the value once the defaults are in it. Only found here: whether one fits is not asked.

NO_DEFAULT: Final[Any] = object()
_MAX_PARTS: Final = 64
"""Schemas that one is made of, beyond which no further ones are looked at."""


def property_schemas(root: Any, schemas: Iterable[Any], name: str) -> list[JsonObject]:
    """All that some schemas, which apply to one object, say about its property `name`.

    Args:
        root: the whole schema, where references start.
        schemas: the nearest first.
        name: of the property.
    """
    found = [
        object_of(object_of(part.get("properties")).get(name))
        for schema in schemas
        for part in _parts(root, schema)
    ]
    return [each for each in found if each]


def find_default(root: Any, schemas: Iterable[JsonObject]) -> Any:
    """The default that schemas of one value name, that of the first; else `NO_DEFAULT`."""
    named = (
        part["default"] for schema in schemas for part in _parts(root, schema) if "default" in part
    )
    return next(named, NO_DEFAULT)


def _parts(root: Any, schema: Any) -> Iterator[JsonObject]:
    """A schema and those it includes for the same value, by `$ref` and `allOf`."""
    waiting, seen = [schema], set[int]()
    while waiting and len(seen) < _MAX_PARTS:
        here = object_of(waiting.pop())
        if not here or id(here) in seen:
            continue
        seen.add(id(here))
        yield here
        waiting += reversed(list_of(here.get("allOf"))[:_MAX_PARTS])
        if "$ref" in here:
            waiting.append(resolve_ref(object_of(root), here["$ref"]))
