"""JSON between text and value without losing anything: big numbers, every character, no key twice.

Knows nothing of schemas and widgets.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from desktop.translatable import translatable

MOST_DIGITS: Final = 4000
"""Python itself refuses to write whole numbers above 4300 digits."""


class JsonTextError(ValueError):
    """The text is not JSON; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_json(text: str) -> Any:
    """The value that `text` stands for.

    Raises:
        JsonTextError: it is not JSON, or a number or a repeated key could not be kept.
    """
    try:
        return json.loads(
            text,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_no_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise JsonTextError(_said(error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise JsonTextError(translatable("nested too deeply")) from None


def write_json(value: Any, indent: int | None = 2) -> str:
    """Readable JSON; characters that a text field cannot hold are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text if is_holdable(text) else json.dumps(value, indent=indent)


def is_holdable(text: str) -> bool:
    """Whether an editor gives this text back unchanged."""
    if any(char in text for char in "\r\0\u2029\ufdd0\ufdd1\ufeff"):
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_number(text: str) -> int | float | None:
    """The JSON number that was typed, None where it is none; a whole one always stays exact."""
    try:
        value = read_json(text.strip())
    except JsonTextError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_exact(text: str, value: float) -> bool:
    """Whether the number is sent with all the digits that were typed."""
    try:
        return isinstance(value, int) or Decimal(text.strip()) == Decimal(repr(value))
    except InvalidOperation:
        return True


def _said(message: str) -> str:
    """What Python's own reader says, as a sentence of ours where it is one that is known."""
    known = (
        translatable("Expecting value"),
        translatable("Expecting ',' delimiter"),
        translatable("Expecting ':' delimiter"),
        translatable("Expecting property name enclosed in double quotes"),
        translatable("Illegal trailing comma before end of object"),
        translatable("Illegal trailing comma before end of array"),
        translatable("Extra data"),
        translatable("Unterminated string starting at"),
        translatable("Invalid control character at"),
        translatable("Invalid \\escape"),
        translatable("Invalid \\uXXXX escape"),
    )
    return next((one for one in known if one == message.removesuffix(": ")), message)


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise JsonTextError(
            translatable("a number of {count} digits is too long", count=len(digits))
        )
    return int(digits)


def _fraction(digits: str) -> int | float:
    """A number beyond the range of floats is whole: it is kept as such."""
    value = float(digits)
    if value not in {float("inf"), float("-inf")}:
        return value
    number = Decimal(digits)
    if number.adjusted() > MOST_DIGITS or number != number.to_integral_value():
        raise JsonTextError(translatable("the number {number} is too large", number=digits[:40]))
    return int(number)


def _no_constant(name: str) -> Any:
    raise JsonTextError(translatable("{kind} is not JSON", kind=name))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonTextError(translatable("the key {key!r} is there twice", key=twice))
    return found
