"""Makes a `ValidationIssue` of one error of the validator: its layer, how bad it is, its words.

Must not look for errors, nor word a keyword: that is `wording`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.tool_types import ValidationIssue
from desktop.tools.conditions import reason_of
from desktop.tools.string_formats import is_certain
from desktop.tools.wording import layer_of, message_of, values_of

if TYPE_CHECKING:
    from jsonschema import ValidationError

_ANNOTATIONS: Final = frozenset({"deprecated", "readOnly"})
OWN_DEFAULT: Final = "; it is the tool's own default, so this does not stop the call"


def issue_of(error: ValidationError) -> ValidationIssue:
    """The finding; an error that only another field explains is of the layer `rule`."""
    keyword, expected = cast("str | None", error.validator), error.validator_value
    words = message_of(keyword, expected, error.instance, error.message)
    values = values_of(keyword, expected, error.instance, tuple(error.absolute_path))
    if getattr(error, "is_of_name", False):
        words, values["of_name"] = f"its name {words}", True
    reason, is_own = reason_of(error), _is_own_default(error)
    if reason is not None:
        told = str(reason) if keyword == "required" else f"({reason})"
        words, values["reason"] = f"{words} {told}", reason
    if is_own:
        words, values["own_default"] = words + OWN_DEFAULT, True
    is_loose = keyword == "format" and not is_certain(expected)
    return ValidationIssue(
        tuple(error.absolute_path),
        "rule" if reason is not None else layer_of(keyword),
        words,
        "warning" if is_own or is_loose or keyword in _ANNOTATIONS else "error",
        "looseFormat" if is_loose else keyword or "false",
        values,
    )


def _is_own_default(error: ValidationError) -> bool:
    """Whether the value is the one that the schema names as default: the server does take it.

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
