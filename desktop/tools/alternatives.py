"""Picks the errors worth telling where a schema offers alternatives (`anyOf`, `oneOf`).

"Is not valid under any of the given schemas" helps nobody: the alternative that was most likely
meant speaks instead. Must not word messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jsonschema import ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NOT_MEANT = {"type", "const", "enum"}


def flattened(error: ValidationError) -> Iterator[ValidationError]:
    """The error itself, or those of the one alternative that was meant."""
    branches = _branches(error.context or ()) if error.validator in {"anyOf", "oneOf"} else []
    meant = [branch for branch in branches if not any(_is_other_kind(each) for each in branch)]
    if len(meant) == 1 or len(branches) == 1:
        for inner in (meant or branches)[0]:
            yield from flattened(inner)
    elif branches and not meant and (kinds := _kinds(branches)):
        yield _of_kinds(error, kinds)
    else:
        yield _worded(error, bool(branches))


def _branches(context: Sequence[ValidationError]) -> list[list[ValidationError]]:
    grouped: dict[object, list[ValidationError]] = {}
    for each in context:
        grouped.setdefault(each.relative_schema_path[0], []).append(each)
    return list(grouped.values())


def _is_other_kind(error: ValidationError) -> bool:
    """This alternative is for a value of another kind, or for another `kind: "x"` tag."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator == "type") or (
        depth <= 1 and error.validator in _NOT_MEANT - {"type"}
    )


def _kinds(branches: list[list[ValidationError]]) -> list[str]:
    """The types of all alternatives when the type alone is wrong in each; else empty."""
    kinds: list[str] = []
    for branch in branches:
        first = next((e for e in branch if e.validator == "type" and not e.relative_path), None)
        if first is None or not isinstance(first.validator_value, str):
            return []
        kinds.append(first.validator_value)
    return kinds


def _of_kinds(error: ValidationError, kinds: list[str]) -> ValidationError:
    return _replaced(error, "type", list(dict.fromkeys(kinds)), error.message)


def _worded(error: ValidationError, none_fits: bool) -> ValidationError:
    if error.validator not in {"anyOf", "oneOf"}:
        return error
    if none_fits:
        return _replaced(error, "anyOf", error.validator_value, "fits none of the allowed forms")
    return _replaced(error, "oneOf", error.validator_value, "fits more than one allowed form")


def _replaced(error: ValidationError, validator: str, value: object, text: str) -> ValidationError:
    fresh = ValidationError(
        text,
        validator=validator,
        path=error.relative_path,
        instance=error.instance,
        schema=error.schema,
    )
    fresh.validator_value = value
    fresh.parent = error.parent
    if (reason := getattr(error, "reason", None)) is not None:
        cast("Any", fresh).reason = reason
    return fresh
