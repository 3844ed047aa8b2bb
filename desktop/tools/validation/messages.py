"""Words for what is wrong with a value, by keyword, and the layer that a keyword belongs to.

Decides nothing about validity. Must not show a given value: it may be secret.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from desktop.tools.validation.formats import is_certain

if TYPE_CHECKING:
    from desktop.tool_types import Layer

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
    "uri": "a full address such as https://example.com",
    "url": "a full address such as https://example.com",
    "ipv4": "an IPv4 address", "ipv6": "an IPv6 address",
    "hostname": "a host name such as example.com",
    "duration": "a duration such as PT1H30M", "regex": "a regular expression",
    "json-pointer": "a JSON pointer such as /items/0", "uri-reference": "an address or a path",
}  # fmt: skip
_MAX_OPTION_TEXT: Final = 60
_MAX_TEXT: Final = 180


_KINDS: Final[tuple[tuple[str, type], ...]] = (
    ("string", str),
    ("integer", int),
    ("number", float),
    ("object", Mapping),
    ("array", Sequence),
)
_MAX_OPTIONS: Final = 12
_BOUNDS: Final = {
    "minimum": "at least", "maximum": "at most", "multipleOf": "a multiple of",
    "exclusiveMinimum": "more than", "exclusiveMaximum": "less than",
}  # fmt: skip
_LENGTHS: Final = {
    "minLength": ("at least", "character", "characters"),
    "maxLength": ("at most", "character", "characters"),
    "minItems": ("at least", "item", "items"), "maxItems": ("at most", "item", "items"),
    "minProperties": ("at least", "property", "properties"),
    "maxProperties": ("at most", "property", "properties"),
}  # fmt: skip
_WORDED: Final = frozenset({"required", "additionalProperties", "anyOf", "oneOf"})


def layer_of(keyword: str | None) -> Layer:
    return LAYERS.get(keyword or "", "rule")


def message_of(keyword: str | None, expected: Any, given: Any, fallback: str) -> str:
    """One sentence part that reads after the name of the field.

    `fallback` is for the keywords of `_WORDED`, whose errors are worded where they are found.
    """
    if keyword is None:
        return "is not allowed here"
    if keyword in _WORDED:
        return _shortened(fallback)
    words = _WORDS.get(keyword)
    return words(expected, given) if words else f"breaks the schema's rule {keyword:.40}"


def values_of(
    keyword: str | None, expected: Any, given: Any, path: tuple[str | int, ...]
) -> dict[str, Any]:
    """What a translation of the message puts in: never the value that was given.

    `expected` and `given` of a type (JSON Schema's names), `options` and `more` of an enum, `limit`
    and `count` of a length, `limit` of a bound, `value`, `format`, `pattern`, `name`.
    """
    match keyword:
        case "type":
            return {"expected": _listed(expected), "given": kind_of(given)}
        case "enum":
            options = list(cast("Sequence[Any]", expected))
            listed = [_option(each) for each in options[:_MAX_OPTIONS]]
            return {"options": listed, "more": max(0, len(options) - _MAX_OPTIONS)}
        case "const":
            return {"value": shown(expected)}
        case "format" | "pattern":
            return {keyword: _shortened(str(expected))}
        case "required" | "additionalProperties":
            return {"name": path[-1] if path else ""}
        case _:
            return _limit_of(keyword, expected, given)


def _limit_of(keyword: str | None, expected: Any, given: Any) -> dict[str, Any]:
    if keyword in _LENGTHS:
        return {"limit": expected, "count": len(given)}
    return {"limit": expected} if keyword in _BOUNDS else {}


def kind_of(value: Any) -> str:
    """The JSON type of a value: `string`; `true` and `false` for themselves."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return next((kind for kind, of in _KINDS if isinstance(value, of)), "unknown")


def noun_of(value: Any) -> str:
    """What a JSON value is, in words: `text`, `a whole number`."""
    kind = kind_of(value)
    return _NOUNS.get(kind, kind if kind != "unknown" else "of an unknown kind")


def shown(value: Any) -> str:
    """A value in a message, short; text without quotes unless it is empty."""
    is_plain = isinstance(value, str) and value != ""
    return _shortened(value if is_plain else json.dumps(value, ensure_ascii=False, default=str))


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


def _type(expected: Any, given: Any) -> str:
    wanted = " or ".join(_NOUNS.get(kind, kind) for kind in _listed(expected))
    return f"must be {wanted}, is {noun_of(given)}"


def _listed(kinds: Any) -> list[str]:
    return [
        str(kind) for kind in (cast("list[Any]", kinds) if isinstance(kinds, list) else [kinds])
    ]


def _enum(expected: Any, _given: Any) -> str:
    options = list(cast("Sequence[Any]", expected))
    left = len(options) - _MAX_OPTIONS
    more = f" and {left} more" if left > 0 else ""
    return f"must be one of: {', '.join(_option(each) for each in options[:_MAX_OPTIONS])}{more}"


def _option(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= _MAX_OPTION_TEXT else f"{text[:_MAX_OPTION_TEXT]}…"


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
    verb = "must be" if is_certain(name) else "does not look like"
    return f"{verb} {_FORMATS.get(str(name), f'the format {name:.40}')}"


def _pattern(pattern: Any, _given: Any) -> str:
    return f"must match the pattern {_shortened(str(pattern))}"


_WORDS: Final[dict[str, Words]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "format": _format,
    "pattern": _pattern,
    "uniqueItems": _fixed("must not have the same item twice"),
    "contains": _fixed("has no item of the kind that must be in it"),
    "not": _fixed("must not be of this form"),
    "minContains": _fixed("has too few items of the kind that must be in it"),
    "maxContains": _fixed("has too many items of one kind"),
    "items": _fixed("has more items than it may have"),
    "additionalItems": _fixed("has more items than it may have"),
    "unevaluatedItems": _fixed("has items that it may not have"),
    "unevaluatedProperties": _fixed("has properties that it may not have"),
    "deprecated": _fixed("is deprecated: the tool may stop taking it"),
    "readOnly": _fixed("is read-only: the tool may ignore or refuse it"),
    **{keyword: _bound(words) for keyword, words in _BOUNDS.items()},
    **{keyword: _length(*words) for keyword, words in _LENGTHS.items()},
}
