"""Says in a person's words what is wrong with a value, and which layer the finding belongs to.

Reads one error of the validator; decides nothing about validity. Must not show a given value: it
may be secret.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

if TYPE_CHECKING:
    from desktop.tools.issue import Layer

Words: TypeAlias = Callable[[Any, Any], str]
"""(the keyword's value in the schema, the value that was given) -> message."""

LAYERS: Final[Mapping[str, Layer]] = {
    "type": "type", "const": "range", "enum": "range",
    "format": "format", "pattern": "format", "contentEncoding": "format",
    "minimum": "range", "maximum": "range", "multipleOf": "range",
    "exclusiveMinimum": "range", "exclusiveMaximum": "range",
    "minLength": "range", "maxLength": "range", "minItems": "range",
    "maxItems": "range", "minProperties": "range", "maxProperties": "range", "uniqueItems": "range",
}  # fmt: skip
"""Where a keyword is not listed, it is a rule between fields."""

_NOUNS: Final = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip
_FORMATS: Final = {
    "date": "a date such as 2026-01-31", "date-time": "a moment such as 2026-01-31T13:45:00Z",
    "time": "a time such as 13:45:00", "email": "an e-mail address", "uuid": "a UUID",
    "uri": "a full address such as https://example.com", "url": "a full address such as https://example.com",
    "ipv4": "an IPv4 address", "ipv6": "an IPv6 address",
}  # fmt: skip
_LONGEST: Final = 60


def layer_of(keyword: str | None) -> Layer:
    return LAYERS.get(keyword or "", "rule")


def message_of(keyword: str | None, expected: Any, given: Any, fallback: str) -> str:
    """One sentence part that reads after the name of the field."""
    if keyword is None:
        return "is not allowed here"
    words = _WORDS.get(keyword)
    return words(expected, given) if words else _shortened(fallback)


def noun_of(value: Any) -> str:
    """What a JSON value is, in words: `text`, `a whole number`."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds: tuple[tuple[type, str], ...] = (
        (str, "text"),
        (int, "a whole number"),
        (float, "a number"),
        (Mapping, "an object"),
        (Sequence, "a list"),
    )
    return next((noun for kind, noun in kinds if isinstance(value, kind)), "of an unknown kind")


def shown(value: Any) -> str:
    """A value in a message, short; text without quotes unless it is empty."""
    is_plain = isinstance(value, str) and value != ""
    return _shortened(value if is_plain else json.dumps(value, ensure_ascii=False, default=str))


def _shortened(text: str) -> str:
    return text if len(text) <= 3 * _LONGEST else f"{text[: 3 * _LONGEST]}…"


def _type(expected: Any, given: Any) -> str:
    kinds = cast("list[Any]", expected) if isinstance(expected, list) else [expected]
    wanted = " or ".join(_NOUNS.get(str(kind), str(kind)) for kind in kinds)
    return f"must be {wanted}, is {noun_of(given)}"


def _enum(expected: Any, _given: Any) -> str:
    options = list(cast("Sequence[Any]", expected))
    more = f" and {len(options) - 12} more" if len(options) > 12 else ""
    return f"must be one of: {', '.join(_option(each) for each in options[:12])}{more}"


def _option(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _counted(limit: Any, one: str, many: str) -> str:
    return f"{limit} {one if limit == 1 else many}"


def _length(limit_words: str, one: str, many: str) -> Words:
    def words(limit: Any, given: Any) -> str:
        return f"must have {limit_words} {_counted(limit, one, many)}, has {len(given)}"

    return words


def _bound(limit_words: str) -> Words:
    def words(limit: Any, _given: Any) -> str:
        return f"must be {limit_words} {limit}"

    return words


def _fixed(text: str) -> Words:
    def words(_expected: Any, _given: Any) -> str:
        return text

    return words


def _const(value: Any, _given: Any) -> str:
    return f"must be {shown(value)}"


def _format(name: Any, _given: Any) -> str:
    return f"must be {_FORMATS.get(str(name), f'of the format {name}')}"


def _pattern(pattern: Any, _given: Any) -> str:
    return f"must match the pattern {_shortened(str(pattern))}"


_WORDS: Final[dict[str, Words]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "format": _format,
    "pattern": _pattern,
    "minimum": _bound("at least"),
    "maximum": _bound("at most"),
    "exclusiveMinimum": _bound("more than"),
    "exclusiveMaximum": _bound("less than"),
    "multipleOf": _bound("a multiple of"),
    "minLength": _length("at least", "character", "characters"),
    "maxLength": _length("at most", "character", "characters"),
    "minItems": _length("at least", "item", "items"),
    "maxItems": _length("at most", "item", "items"),
    "minProperties": _length("at least", "property", "properties"),
    "maxProperties": _length("at most", "property", "properties"),
    "uniqueItems": _fixed("must not have the same item twice"),
    "contains": _fixed("has no item of the kind that must be in it"),
    "not": _fixed("must not be of this form"),
    "dependentRequired": _fixed("needs another property beside it"),
}
