"""The arguments of a `call` on the command line: `key=value`, `key:=JSON`, `--args`, `--elicit`.

What is wrong regardless of the tool's schema is reported before any server starts. With the schema,
a word becomes the value that its property asks for; where text is allowed it stays text, and what
fits nothing stays text too, so that validation can say why it does not fit. Must not validate.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NoReturn, cast

from msgspec import Struct, field

from desktop.base.ascii_text import first_wide, narrow, narrow_json
from desktop.base.errors import UsageError
from desktop.base.given_text import read_given
from desktop.base.later_patterns import compile_later
from desktop.values.json_schema import list_of, object_of, resolve_ref, types_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.cli.options import Parser
    from desktop.values.tool_types import JsonObject, JsonSchema

_DEPTH = 16
"""References and alternatives followed below one property."""
_NUMBER = compile_later(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_NUMBER_LENGTH = 1000
_JSON_TYPES: dict[object, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def allowed_types(schema: object, root: JsonSchema, text: str | None = None) -> set[str]:
    """The JSON types that a schema allows, as far as it says; empty where it says nothing.

    With `text`, `string` is one of them only where this very text may be the value: in `1` or
    `"auto"`, `2` is no text.
    """
    return {kind for part in _parts(schema, root, _DEPTH) for kind in _own_kinds(part, text)}


def property_schema(schema: object, root: JsonSchema, name: str) -> object:
    """The schema of one property of an object schema; None where it is not declared."""
    for part in _parts(schema, root, _DEPTH):
        properties = object_of(part.get("properties"))
        if name in properties:
            return properties[name]
    return None


def item_schema(schema: object, root: JsonSchema) -> object:
    """The schema of an array's items; None where it is not declared."""
    found = (part["items"] for part in _parts(schema, root, _DEPTH) if "items" in part)
    return next(found, None)


def coerce(text: str, schema: object, root: JsonSchema) -> Any:
    """`text` as a value that fits the schema's types."""
    allowed = allowed_types(schema, root, text)
    if not allowed or "string" in allowed:
        return text
    value = _parsed(text)
    kind = _JSON_TYPES.get(cast("object", type(value)), "")
    if kind in allowed or (kind == "integer" and "number" in allowed):
        return value
    if kind == "number" and "integer" in allowed:
        return int(value) if value.is_integer() else value
    if "array" in allowed:
        return [coerce(text, item_schema(schema, root), root)]
    return text


def _parsed(text: str) -> Any:
    """A JSON value, or the text itself. Numbers as JSON writes them: no `0x10`, no `1_000`."""
    if text in {"true", "false", "null"}:
        return {"true": True, "false": False, "null": None}[text]
    narrowed = narrow(text)
    if len(text) <= _NUMBER_LENGTH and _NUMBER.fullmatch(narrowed):
        text = narrowed  # １２ is a number, too
    is_number = len(text) <= _NUMBER_LENGTH and _NUMBER.fullmatch(text)
    if is_number or text[:1] in {"[", "{"}:
        try:
            return _read_json(text)
        except (ValueError, RecursionError):
            return text
    return text


def _read_json(text: str) -> Any:
    """Numbers that JSON does not have are refused, and those that would become one (`1e999`)."""
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_read_fraction)


def _parts(schema: object, root: JsonSchema, depth: int) -> list[JsonSchema]:
    """The schema and what it refers to or is made of, the nearest first."""
    here = object_of(schema)
    if not here or depth <= 0:
        return []
    below = [resolve_ref(root, here.get("$ref"))]
    for key in ("allOf", "anyOf", "oneOf"):
        below += list_of(here.get(key))[:_DEPTH]
    return [here, *(part for each in below for part in _parts(each, root, depth // 2))]


def _own_kinds(schema: JsonSchema, text: str | None) -> set[str]:
    """As `allowed_types`, by what stands in this schema itself."""
    is_fixed = "const" in schema or "enum" in schema
    values = [schema["const"]] if "const" in schema else list_of(schema.get("enum"))
    of_values = {_JSON_TYPES.get(cast("object", type(value)), "") for value in values} - {""}
    kinds = set(types_of(schema)) if "type" in schema else of_values
    if schema.get("nullable") is True and kinds:
        kinds |= {"null"}
    if text is not None and is_fixed and text not in values:
        kinds -= {"string"}
    return kinds


NO_VALUE: Any = object()


class KeyValuePair(Struct, frozen=True):
    """One `key=value`; `value` is set where it was written as JSON with `:=`."""

    key: str
    text: str
    value: Any = NO_VALUE


class ParsedArguments(Struct, frozen=True):
    """All that was written: the whole object of `--args`, then the pairs, which win."""

    whole: JsonObject = field(default_factory=dict[str, Any])
    pairs: tuple[KeyValuePair, ...] = ()

    def arguments(self, schema: JsonObject) -> dict[str, Any]:
        """The arguments for a tool with this input schema.

        Raises:
            UsageError: one key is given twice and the schema wants no array there.
        """
        result = dict(self.whole)
        for key, pairs in _grouped(self.pairs).items():
            path = _path(key, schema)
            spec = _spec(path, schema)
            _put(result, path, _value(key, pairs, spec, schema))
        return result


def read_arguments(
    words: Sequence[str], whole: str | None, *, half_width: bool = False
) -> ParsedArguments:
    """Take apart what stands on the command line.

    Args:
        words: each `key=value` or `key:=JSON`.
        whole: JSON, `@file`, or `-` for the standard input; None for nothing.
        half_width: wide marks of an input method in `whole` are replaced.

    Raises:
        UsageError: it cannot be read.
    """
    return ParsedArguments(
        read_object(whole, "--args", half_width=half_width) if whole is not None else {},
        tuple(_pair(word) for word in words),
    )


def add_elicit(parser: Parser) -> None:
    """The flag of each command whose servers may ask back."""
    words = "answer forms from servers with this JSON"
    parser.add_argument("--elicit", metavar="JSON|@FILE", help=words)


def read_elicit(given: str | None) -> JsonObject | None:
    """What forms are to be answered with; None where a person is asked.

    Raises:
        UsageError: it cannot be read.
    """
    return read_object(given, "--elicit") if given is not None else None


def _pair(word: str) -> KeyValuePair:
    if "=" not in word:  # an input method may have written the wide form
        word = word.replace("：＝", ":=", 1).replace("＝", "=", 1)
    key, sign, text = word.partition("=")
    is_json = key.endswith(":")
    key = key.removesuffix(":")
    if not sign or not key:
        raise UsageError(f"{word!r} is not an argument.", remedy="Write key=value or key:=JSON.")
    if is_json:
        return KeyValuePair(key, text, _loads(text, f"The value of {key!r}"))
    return KeyValuePair(key, text)


def read_object(source: str, option: str, *, half_width: bool = False) -> JsonObject:
    """The JSON object that `option` was given: as it is, in `@file`, or `-` for standard input.

    With `half_width` the wide marks of an input method are replaced.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    text = _text(source, option)
    value = _loads(narrow_json(text) if half_width else text, option)
    if not isinstance(value, dict):
        raise UsageError(f'{option} must be a JSON object, as in {{"a": 1}}.')
    return cast("JsonObject", value)


def _text(source: str, option: str) -> str:
    try:
        return read_given(source)
    except OSError as error:
        raise UsageError(f"{option}: {source} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UsageError(f"{option}: {source} is not UTF-8 text.") from None


_FLAG = "give --half-width"


def _loads(text: str, where: str) -> Any:
    try:
        return _read_json(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if (wide := first_wide(text)) is not None:
            words = f"{wide[0]} is a full-width character"
            remedy = f"Write {wide[1]}." if where != "--args" else f"Write {wide[1]}, or {_FLAG}."
            raise UsageError(f"{where} is not JSON: {words}.", remedy=remedy) from None
        raise UsageError(f"{where} is not JSON: {error.msg} ({place}).") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} cannot be read as JSON: {error}.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _read_fraction(digits: str) -> float:
    if not math.isfinite(value := float(digits)):
        raise ValueError(f"the number {digits:.40} is too large")
    return value


def _grouped(pairs: Sequence[KeyValuePair]) -> dict[str, list[KeyValuePair]]:
    groups: dict[str, list[KeyValuePair]] = {}
    for pair in pairs:
        groups.setdefault(pair.key, []).append(pair)
    return groups


def _path(key: str, schema: JsonObject) -> list[str]:
    """`a.b` is `b` inside `a` only where `a` is an object and no property is called `a.b`."""
    path: list[str] = []
    here: object = schema
    rest = key
    while property_schema(here, schema, rest) is None:
        first, dot, below = rest.partition(".")
        inner = property_schema(here, schema, first)
        if not dot or not below or "object" not in allowed_types(inner, schema):
            break
        path.append(first)
        here, rest = inner, below
    return [*path, rest]


def _spec(path: list[str], schema: JsonObject) -> object:
    here: object = schema
    for name in path:
        here = property_schema(here, schema, name)
    return here


def _value(key: str, pairs: list[KeyValuePair], spec: object, schema: JsonObject) -> Any:
    if len(pairs) == 1:
        return _single(pairs[0], spec, schema)
    if "array" not in allowed_types(spec, schema):
        raise UsageError(f"{key!r} is given {len(pairs)} times but is not a list.")
    inner = item_schema(spec, schema)
    return [_single(pair, inner, schema) for pair in pairs]


def _single(pair: KeyValuePair, spec: object, schema: JsonObject) -> Any:
    return coerce(pair.text, spec, schema) if pair.value is NO_VALUE else pair.value


def _put(result: dict[str, Any], path: list[str], value: Any) -> None:
    here = result
    for name in path[:-1]:
        inner: object = here.get(name)
        # A copy: what `--args` gave is not changed.
        here[name] = dict(cast("JsonObject", inner)) if isinstance(inner, dict) else {}
        here = here[name]
    here[path[-1]] = value
