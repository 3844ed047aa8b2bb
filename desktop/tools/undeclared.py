"""Finds arguments that the schema neither names nor forbids: most often a typing error.

Looks only where the answer is plain: not into references and alternatives. Warns, never forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, cast

from desktop.tool_types import ValidationIssue

_OPEN: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "$ref", "allOf", "anyOf",
     "oneOf", "if", "dependentSchemas", "$dynamicRef", "dependencies"}
)  # fmt: skip
_DEEPEST: Final = 20
_MOST_NAMES: Final = 200


def find_undeclared(
    schema: Any, value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[ValidationIssue]:
    """One warning for each property that is not in the schema."""
    if not isinstance(schema, Mapping) or len(path) > _DEEPEST:
        return
    rules = cast("Mapping[str, Any]", schema)
    declared = rules.get("properties")
    if isinstance(value, Mapping) and isinstance(declared, Mapping):
        yield from _in_object(
            rules, cast("Mapping[str, Any]", declared), cast("Mapping[str, Any]", value), path
        )
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, item in enumerate(cast("Sequence[Any]", value)):
            yield from find_undeclared(rules.get("items"), item, (*path, index))


def _in_object(
    rules: Mapping[str, Any],
    declared: Mapping[str, Any],
    value: Mapping[str, Any],
    path: tuple[str | int, ...],
) -> Iterator[ValidationIssue]:
    is_open = not _OPEN.isdisjoint(rules)
    for name, inner in value.items():
        if name in declared:
            yield from find_undeclared(declared[name], inner, (*path, name))
        elif not is_open:
            yield _undeclared((*path, name), declared)


def _undeclared(path: tuple[str | int, ...], declared: Mapping[str, Any]) -> ValidationIssue:
    names = [str(each) for each in declared] if len(declared) < _MOST_NAMES else []
    near = next(iter(get_close_matches(str(path[-1]), names, 1)), "")
    hint = f"; is {near!r} meant?" if near else ""
    words = f"is not in the schema{hint}"
    return ValidationIssue(path, "rule", words, "warning", "undeclared", {"near": near})
