"""Turns an error of the validator into a `ValidationIssue`: its layer, severity and message.

Where a schema offers alternatives (`anyOf`, `oneOf`), "is not valid under any of the given
schemas" helps nobody: `best_match` reports the errors of the alternative that was most likely
meant. Must not look for errors, nor word them: that is `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import ValidationError

from desktop.tools.validation.formats import is_certain
from desktop.tools.validation.keywords import reason_of
from desktop.tools.validation.messages import (
    about_name,
    because,
    layer_of,
    message_of,
    own_default,
)
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ANNOTATIONS: Final = frozenset({"deprecated", "readOnly"})


def issue_of(error: ValidationError) -> ValidationIssue:
    """The issue; an error that only another field explains is of the layer `rule`."""
    keyword, expected = cast("str | None", error.validator), error.validator_value
    message = message_of(keyword, expected, error.instance, error.message)
    if getattr(error, "is_of_name", False):
        message = about_name(message)
    if (reason := reason_of(error)) is not None:
        message = because(keyword, message, reason.parts, holds=reason.holds)
    if is_own := _is_own_default(error):
        message = own_default(message)
    is_loose = keyword == "format" and not is_certain(expected)
    return ValidationIssue(
        tuple(error.absolute_path),
        "rule" if reason is not None else layer_of(keyword),
        message,
        "warning" if is_own or is_loose or keyword in _ANNOTATIONS else "error",
        "looseFormat" if is_loose else keyword or "false",
    )


def _is_own_default(error: ValidationError) -> bool:
    """Whether the value is the default that the schema names: the server does accept it.

    Of 1022 real tools 42 have such a default, most often null for a text.
    """
    here: Any = error
    while here is not None:
        schema: Any = here.schema
        if isinstance(schema, Mapping) and "default" in schema:
            default = cast("Mapping[str, Any]", schema)["default"]
            if type(default) is type(here.instance) and default == here.instance:
                return True
        here = here.parent
    return False


# --- alternatives -----------------------------------------------------------------------------

_NOT_MEANT = {"type", "const", "enum"}


def best_match(error: ValidationError) -> Iterator[ValidationError]:
    """The error itself, or those of the alternative that was most likely meant."""
    branches = _branches(error.context or ()) if error.validator in {"anyOf", "oneOf"} else []
    fitting = [branch for branch in branches if not any(_is_other_kind(each) for each in branch)]
    if len(fitting) == 1 or len(branches) == 1:
        for inner in (fitting or branches)[0]:
            yield from best_match(inner)
    elif branches and not fitting and (kinds := _kinds(branches)):
        yield _of_kinds(error, kinds)
    else:
        yield _worded(error, bool(branches))


def _branches(context: Sequence[ValidationError]) -> list[list[ValidationError]]:
    grouped: dict[object, list[ValidationError]] = {}
    for each in context:
        grouped.setdefault(each.relative_schema_path[0], []).append(each)
    return list(grouped.values())


def _is_other_kind(error: ValidationError) -> bool:
    """Whether this alternative is for another type of value, or for another `kind: "x"` tag."""
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
    return _replaced(error, "type", list(dict.fromkeys(kinds)))


def _worded(error: ValidationError, none_fits: bool) -> ValidationError:
    if error.validator not in {"anyOf", "oneOf"}:
        return error
    if none_fits:
        return _replaced(error, "anyOf", error.validator_value)
    return _replaced(error, "oneOf", error.validator_value)


def _replaced(error: ValidationError, validator: str, value: object) -> ValidationError:
    fresh = ValidationError(
        error.message,
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
