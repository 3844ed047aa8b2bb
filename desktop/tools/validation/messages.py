"""The wording of validation issues, by keyword, and the layer that each keyword belongs to.

The only table of these sentences: each is translatable, so the window says it in its language.
Decides nothing about validity. Must not contain the value that was given: it may be secret.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from desktop.base.translatable import join_list, translatable
from desktop.tools.validation.formats import is_certain

if TYPE_CHECKING:
    from desktop.base.translatable import TranslatableText
    from desktop.values.tool_types import Layer

Wording: TypeAlias = Callable[[Any, Any], str]
"""(the keyword's value in the schema, the value that was given) -> message."""

LAYERS: Final[Mapping[str | None, Layer]] = {
    "type": "type", "const": "range", "enum": "range",
    "format": "format", "pattern": "format",
    "minimum": "range", "maximum": "range", "multipleOf": "range",
    "exclusiveMinimum": "range", "exclusiveMaximum": "range",
    "minLength": "range", "maxLength": "range", "minItems": "range",
    "maxItems": "range", "minProperties": "range", "maxProperties": "range", "uniqueItems": "range",
}  # fmt: skip
"""Where a keyword is not listed, it is a rule between fields."""

_NOUNS: Final[Mapping[str, str]] = {
    "string": translatable("text"),
    "integer": translatable("a whole number"),
    "number": translatable("a number"),
    "boolean": translatable("true or false"),
    "array": translatable("a list"),
    "object": translatable("an object"),
    "unknown": translatable("of an unknown kind"),
}
_ADDRESS: Final = translatable("a full URL such as https://example.com")
_FORMATS: Final[Mapping[str, str]] = {
    "date": translatable("a date such as 2026-01-31"),
    "date-time": translatable("a date and time such as 2026-01-31T13:45:00Z"),
    "time": translatable("a time such as 13:45:00"),
    "email": translatable("an e-mail address"),
    "uuid": translatable("a UUID"),
    "uri": _ADDRESS,
    "url": _ADDRESS,
    "ipv4": translatable("an IPv4 address"),
    "ipv6": translatable("an IPv6 address"),
    "hostname": translatable("a host name such as example.com"),
    "duration": translatable("a duration such as PT1H30M"),
    "regex": translatable("a regular expression"),
    "json-pointer": translatable("a JSON pointer such as /items/0"),
    "uri-reference": translatable("a URL or a path"),
}
_KINDS: Final[tuple[tuple[str, type], ...]] = (
    ("string", str),
    ("integer", int),
    ("number", float),
    ("object", Mapping),
    ("array", Sequence),
)
_MAX_OPTIONS: Final = 12
_MAX_OPTION_TEXT: Final = 60
_MAX_TEXT: Final = 180


def layer_of(keyword: str | None) -> Layer:
    return LAYERS.get(keyword, "rule")


def message_of(keyword: str | None, expected: Any, given: Any, fallback: str) -> str:
    """One sentence part that reads after the name of the field.

    Args:
        keyword: the schema's keyword that failed; None for the schema `false`.
        expected: the keyword's value in the schema.
        given: the value that was checked; only its kind and length get into the message.
        fallback: the message of `required` and `additionalProperties`: only whoever finds the
            error knows the property's name, and words it with `required` and `not_allowed`.
    """
    if keyword is None:
        return translatable("is not allowed here")
    if keyword in {"required", "additionalProperties"}:
        return fallback if len(fallback) <= 2 * _MAX_TEXT else _shortened(fallback)
    if (wording := _WORDING.get(keyword)) is not None:
        return wording(expected, given)
    return translatable("violates the schema rule {keyword}", keyword=f"{keyword:.40}")


def required(name: str) -> TranslatableText:
    return translatable("{name!r} is required", name=_shortened(name))


def not_allowed(name: str) -> TranslatableText:
    return translatable("{name!r} is not allowed", name=_shortened(name))


def not_in_schema(near: str) -> TranslatableText:
    """The message for an argument that the schema does not name; `near` is a similar name or ''."""
    if near:
        return translatable("is not in the schema; did you mean {near!r}?", near=near)
    return translatable("is not in the schema")


def about_name(message: str) -> TranslatableText:
    """`message` said of a property's name instead of its value."""
    return translatable("its name {message}", message=message)


def own_default(message: str) -> TranslatableText:
    return translatable(
        "{message}; it is the tool's own default, so this does not stop the call", message=message
    )


def because(keyword: str | None, message: str, parts: _Conditions, *, holds: bool) -> str:
    """`message` with the other fields that it depends on.

    Args:
        keyword: the keyword that failed; `required` reads on without brackets.
        message: its message.
        parts: names of other fields, each with its values, empty where it need only be given.
            Without parts the condition is too complex to describe.
        holds: False where the message applies unless the condition is met (`else`).
    """
    reason = _condition(parts, holds=holds)
    if keyword == "required":
        return translatable("{message} {reason}", message=message, reason=reason)
    return translatable("{message} ({reason})", message=message, reason=reason)


_Conditions: TypeAlias = "tuple[tuple[str, str], ...]"


def _condition(parts: _Conditions, *, holds: bool) -> TranslatableText:
    if not parts:
        return translatable("because of another value")
    first, *others = [
        translatable("{name!r} is {values}", name=name, values=values)
        if values
        else translatable("{name!r} is given", name=name)
        for name, values in parts
    ]
    condition = first
    for other in others:
        condition = translatable("{condition} and {other}", condition=condition, other=other)
    if holds:
        return translatable("when {condition}", condition=condition)
    return translatable("unless {condition}", condition=condition)


def noun_of(value: Any) -> str:
    """The kind of a JSON value in words: `text`, `a whole number`."""
    kind = _kind_of(value)
    return _NOUNS.get(kind, kind)


def _kind_of(value: Any) -> str:
    """The JSON type of a value: `string`; `true` and `false` for themselves."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return next((kind for kind, of in _KINDS if isinstance(value, of)), "unknown")


def format_value(value: Any) -> str:
    """A value of the schema in a message, shortened; text without quotes unless it is empty."""
    is_plain = isinstance(value, str) and value != ""
    return _shortened(value if is_plain else json.dumps(value, ensure_ascii=False, default=str))


def join_or(texts: Iterable[str]) -> str:
    """`one or another`."""
    first, *others = texts
    for other in others:
        first = translatable("{first} or {other}", first=first, other=other)
    return first


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


def _type(expected: Any, given: Any) -> str:
    listed = cast("list[Any]", expected) if isinstance(expected, list) else [expected]
    kinds = list(dict.fromkeys(str(kind) for kind in listed))[:_MAX_OPTIONS]
    nouns = join_or(_NOUNS.get(kind, _shortened(kind)) for kind in kinds)
    return translatable("must be {expected}, is {given}", expected=nouns, given=noun_of(given))


def _enum(expected: Any, _given: Any) -> str:
    values = list(cast("Sequence[Any]", expected))
    options = join_list(_option(value) for value in values[:_MAX_OPTIONS])
    if (more := len(values) - _MAX_OPTIONS) > 0:
        options = translatable("{options} and {count} more", options=options, count=more)
    return translatable("must be one of: {options}", options=options)


def _option(value: Any) -> str:
    text = format_value(value)
    return text if len(text) <= _MAX_OPTION_TEXT else f"{text[:_MAX_OPTION_TEXT]}…"


def _format(name: Any, _given: Any) -> str:
    noun = _FORMATS.get(str(name)) or translatable("the format {name}", name=f"{name:.40}")
    if is_certain(name):
        return translatable("must be {format}", format=noun)
    return translatable("does not look like {format}", format=noun)


def _fixed(message: TranslatableText) -> Wording:
    def wording(_expected: Any, _given: Any) -> str:
        return message

    return wording


def _characters(count: Any) -> str:
    if count == 1:
        return translatable("{count} character", count=count)
    return translatable("{count} characters", count=count)


def _items(count: Any) -> str:
    if count == 1:
        return translatable("{count} item", count=count)
    return translatable("{count} items", count=count)


def _properties(count: Any) -> str:
    if count == 1:
        return translatable("{count} property", count=count)
    return translatable("{count} properties", count=count)


_TOO_MANY_ITEMS: Final = _fixed(translatable("has too many items"))
_VALUES: Final[Mapping[str, Wording]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value, _: translatable("must be {value}", value=format_value(value)),
    "format": _format,
    "pattern": lambda pattern, _: translatable(
        "must match the pattern {pattern}", pattern=_shortened(str(pattern))
    ),
    "minimum": lambda limit, _: translatable("must be at least {limit}", limit=limit),
    "maximum": lambda limit, _: translatable("must be at most {limit}", limit=limit),
    "exclusiveMinimum": lambda limit, _: translatable("must be more than {limit}", limit=limit),
    "exclusiveMaximum": lambda limit, _: translatable("must be less than {limit}", limit=limit),
    "multipleOf": lambda limit, _: translatable("must be a multiple of {limit}", limit=limit),
}
_LENGTHS: Final[Mapping[str, Wording]] = {
    "minLength": lambda limit, given: translatable(
        "must have at least {characters}, has {count}",
        characters=_characters(limit),
        count=len(given),
    ),
    "maxLength": lambda limit, given: translatable(
        "must have at most {characters}, has {count}",
        characters=_characters(limit),
        count=len(given),
    ),
    "minItems": lambda limit, given: translatable(
        "must have at least {items}, has {count}", items=_items(limit), count=len(given)
    ),
    "maxItems": lambda limit, given: translatable(
        "must have at most {items}, has {count}", items=_items(limit), count=len(given)
    ),
    "minProperties": lambda limit, given: translatable(
        "must have at least {properties}, has {count}",
        properties=_properties(limit),
        count=len(given),
    ),
    "maxProperties": lambda limit, given: translatable(
        "must have at most {properties}, has {count}",
        properties=_properties(limit),
        count=len(given),
    ),
}
_FORMS: Final[Mapping[str, Wording]] = {
    "uniqueItems": _fixed(translatable("must not have the same item twice")),
    "contains": _fixed(translatable("contains no item of the required kind")),
    "minContains": _fixed(translatable("contains too few items of the required kind")),
    "maxContains": _fixed(translatable("contains too many items of one kind")),
    "items": _TOO_MANY_ITEMS,
    "additionalItems": _TOO_MANY_ITEMS,
    "unevaluatedItems": _fixed(translatable("contains items that are not allowed")),
    "unevaluatedProperties": _fixed(translatable("contains properties that are not allowed")),
    "anyOf": _fixed(translatable("matches none of the allowed forms")),
    "oneOf": _fixed(translatable("matches more than one of the allowed forms")),
    "not": _fixed(translatable("must not have this form")),
    "deprecated": _fixed(translatable("is deprecated: the tool may stop taking it")),
    "readOnly": _fixed(translatable("is read-only: the tool may ignore or refuse it")),
}
_WORDING: Final[Mapping[str, Wording]] = {**_VALUES, **_LENGTHS, **_FORMS}
