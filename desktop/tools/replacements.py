"""Keywords that jsonschema checks without a limit, or words badly: the same meaning, our way.

Must not run a pattern itself (`patterns` does), nor decide how bad a finding is.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from jsonschema import ValidationError

from desktop.tools.patterns import UncheckedPatternError, matches
from desktop.tools.string_formats import conforms, is_certain
from desktop.tools.work import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def pattern(
    _validator: Any, pattern: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError(f"does not match {pattern}")


def required(_validator: Any, names: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or not isinstance(names, list):
        return
    for name in cast("list[Any]", names):
        if isinstance(name, str) and name not in instance:
            yield ValidationError(f"{name!r} is required", path=[name])


def unique_items(
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


def pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for name, value in cast("dict[str, Any]", instance).items():
            if _is_covered(pattern, name, otherwise=False):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)


def additional_properties(
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
        current().skip(str(error))
        return otherwise


def property_names(
    validator: Any, rule: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """An error of a name stands at the property that has it, and says that the name is meant."""
    if not isinstance(instance, dict):
        return
    for name in cast("dict[str, Any]", instance):
        for error in validator.descend(name, rule, path=name):
            error.is_of_name = True
            yield error


def string_format(
    validator: Any, name: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """A format with several readings is no reason to leave an alternative.

    A validator without a format checker takes every format, as jsonschema's own does.
    """
    is_asked = is_certain(name) or not current().trials
    if validator.format_checker is not None and is_asked and not conforms(instance, name):
        yield ValidationError(f"is not a {name}")


def marked(
    _validator: Any, is_marked: Any, _instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    """`deprecated` and `readOnly`: the value is there, which is worth a word and no more."""
    if is_marked is True and not current().trials:
        yield ValidationError("is marked by the schema")
