"""JSON between text and value without loss: big numbers, every character, no duplicate keys.

Also finds the place of a value in a text, so that an issue can be shown at its line. Knows no
schema.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from desktop.base.json_places import parser_message, walk
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.tool_types import JsonPath

MAX_JSON_LENGTH: Final = 1_000_000
"""Characters looked through: about 0.3 s."""
_NON_JSON_LITERALS: Final = ("NaN", "Infinity", "-Infinity")
_MAX_DEPTH: Final = 100


def find_places(text: str, paths: Iterable[JsonPath]) -> dict[JsonPath, int]:
    """The offset of each path's value, of its key where it has one; else of the nearest around it.

    A text longer than `MAX_JSON_LENGTH` has all of them at its start.
    """
    wanted = list(paths)
    around = {path[:length] for path in wanted for length in range(len(path) + 1)}
    found: dict[JsonPath, int] = {}
    if len(text) <= MAX_JSON_LENGTH:
        for kind, token, at in walk(text):
            is_begin = kind in {"key", "value", "open"} and len(at) <= _MAX_DEPTH
            if is_begin and (path := tuple(at)) in around:
                found.setdefault(path, token.start())  # where it has a key, that comes first
    return {path: _nearest(path, found) for path in wanted}


def find_invalid_token(text: str) -> int:
    """The offset of the first key that is there twice, or of a word that JSON does not have; or 0.

    For text that only fails for one of these; a parser tells the place of everything else.
    """
    keys: list[set[str]] = []
    for kind, token, _ in walk(text[:MAX_JSON_LENGTH]):
        if kind == "open":
            keys.append(set())
        elif kind == "close":
            keys.pop()
        elif kind == "key" and token[0] in keys[-1]:
            return token.start()
        elif kind == "key":
            keys[-1].add(token[0])
        elif kind == "value" and token[0] in _NON_JSON_LITERALS:
            return token.start()
    return 0


def _nearest(path: JsonPath, found: dict[JsonPath, int]) -> int:
    return next((found[path[:n]] for n in range(len(path), -1, -1) if path[:n] in found), 0)


MAX_DIGITS: Final = 4000
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
        raise JsonTextError(parser_message(error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise JsonTextError(translatable("nested too deeply")) from None


def write_json(value: Any, indent: int | None = 2) -> str:
    """Readable JSON; characters that a text field cannot hold are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text if survives_editing(text) else json.dumps(value, indent=indent)


def survives_editing(text: str) -> bool:
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


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
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
    if number.adjusted() > MAX_DIGITS or number != number.to_integral_value():
        raise JsonTextError(translatable("the number {number} is too large", number=digits[:40]))
    return int(number)


def _no_constant(name: str) -> Any:
    raise JsonTextError(translatable("{kind} is not JSON", kind=name))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonTextError(translatable("duplicate key {key!r}", key=twice))
    return found
