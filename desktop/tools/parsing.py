"""Reads the arguments of a call: an object, or the JSON text of one as a model wrote it.

Text that is no JSON object is refused with the place of the fault; it never becomes `{}`. Must not
judge the values: the validation does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from desktop.tool_types import ErrorCode, ValidationIssue
from desktop.tools.refusal import CallRejectedError

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject


def parse_arguments(given: object) -> JsonObject:
    """The object; a mapping as it is, text as the JSON it holds (nothing at all is `{}`).

    Raises:
        RefusedError: it is no JSON, or no object.
    """
    value = _parsed(given) if isinstance(given, str) else given
    if isinstance(value, Mapping):
        return cast("JsonObject", value)
    from desktop.tools.wording import noun_of  # it brings jsonschema

    raise _refused("type", "object", f"must be a JSON object, is {noun_of(value)}")


def _parsed(text: str) -> Any:
    if not text.strip():  # what several providers send for a tool without parameters
        return {}
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _refused("format", "json", f"is not JSON at {place}: {error.msg}") from error
    except RecursionError as error:
        raise _refused("format", "json", "is nested too deeply") from error
    except ValueError as error:
        raise _refused("format", "json", f"is not JSON: {error!s:.200}") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _refused(layer: Any, code: str, words: str) -> CallRejectedError:
    message = f"The arguments were not understood; nothing was sent: the text {words}."
    issue = ValidationIssue((), layer, words, code=code)
    return CallRejectedError("ParseError", message, ErrorCode.INVALID_ARGUMENTS, (issue,))
