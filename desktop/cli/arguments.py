"""Reads a call's arguments from the command line: `key=value`, `key:=JSON` and `--args`.

What can be told wrong without the tool's schema is told before any server is started. Must not
validate.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from desktop.cli.coercion import coerced, items, kinds, member
from desktop.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.tool_types import JsonObject

NO_VALUE: Any = object()


@dataclass(frozen=True, slots=True)
class KeyValuePair:
    """One `key=value`; `value` is set where it was written as JSON with `:=`."""

    key: str
    text: str
    value: Any = NO_VALUE


@dataclass(frozen=True, slots=True)
class ParsedArguments:
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


def read_arguments(words: Sequence[str], whole: str | None) -> ParsedArguments:
    """Take apart what stands on the command line.

    Args:
        words: each `key=value` or `key:=JSON`.
        whole: JSON, `@file`, or `-` for the standard input; None for nothing.

    Raises:
        UsageError: it cannot be read.
    """
    return ParsedArguments(
        _whole(whole) if whole is not None else {}, tuple(_pair(one) for one in words)
    )


def _pair(word: str) -> KeyValuePair:
    key, sign, text = word.partition("=")
    is_json = key.endswith(":")
    key = key.removesuffix(":")
    if not sign or not key:
        raise UsageError(f"{word!r} is no argument.", remedy="Write key=value or key:=JSON.")
    if is_json:
        return KeyValuePair(key, text, _loads(text, f"The value of {key!r}"))
    return KeyValuePair(key, text)


def _whole(source: str) -> JsonObject:
    value = _loads(_text(source), "--args")
    if not isinstance(value, dict):
        raise UsageError('--args must be a JSON object, as in {"a": 1}.')
    return cast("JsonObject", value)


def _text(source: str) -> str:
    try:
        if source == "-":
            return sys.stdin.read()
        if source.startswith("@"):
            return Path(source[1:]).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--args: {source} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UsageError(f"--args: {source} is not UTF-8 text.") from None
    return source


def _loads(text: str, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"{where} is not JSON: {error.msg} ({place}).") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} cannot be read as JSON: {error}.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


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
    while member(here, schema, rest) is None:
        first, dot, below = rest.partition(".")
        inner = member(here, schema, first)
        if not dot or not below or "object" not in kinds(inner, schema):
            break
        path.append(first)
        here, rest = inner, below
    return [*path, rest]


def _spec(path: list[str], schema: JsonObject) -> object:
    here: object = schema
    for name in path:
        here = member(here, schema, name)
    return here


def _value(key: str, pairs: list[KeyValuePair], spec: object, schema: JsonObject) -> Any:
    if len(pairs) == 1:
        return _single(pairs[0], spec, schema)
    if "array" not in kinds(spec, schema):
        raise UsageError(f"{key!r} is given {len(pairs)} times, and it is no list.")
    inner = items(spec, schema)
    return [_single(pair, inner, schema) for pair in pairs]


def _single(pair: KeyValuePair, spec: object, schema: JsonObject) -> Any:
    return coerced(pair.text, spec, schema) if pair.value is NO_VALUE else pair.value


def _put(result: dict[str, Any], path: list[str], value: Any) -> None:
    here = result
    for name in path[:-1]:
        inner: object = here.get(name)
        # A copy: what `--args` gave is not changed.
        here[name] = dict(cast("JsonObject", inner)) if isinstance(inner, dict) else {}
        here = here[name]
    here[path[-1]] = value
