"""Reads what a model gave as arguments. What cannot be read becomes a sentence for the model.

Never guesses: invalid JSON is not an empty object. Must not validate; the executor does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.references import follow

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.tool_types import JsonObject

_DEEPEST: Final = 20


class UnreadableArgumentsError(ValueError):
    """The message says to the model what is wrong and what to send."""


def parsed(raw: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of a call as the provider gave them; nothing and an empty text are `{}`.

    Raises:
        UnreadableArgumentsError: not JSON, or not an object.
    """
    if isinstance(raw, Mapping):
        return dict(raw)
    if raw is None or not raw.strip():
        return {}
    try:
        value: Any = json.loads(raw, parse_constant=_no_number)
    except RecursionError:
        raise _unreadable("they are nested too deeply") from None
    except ValueError as error:
        raise _unreadable(f"they are not valid JSON ({error!s:.200})") from error
    if not isinstance(value, dict):
        raise _unreadable(f"they are JSON, but {_kind(value)} and not an object")
    return cast("dict[str, Any]", value)


def without_spare_nulls(schema: JsonObject, arguments: dict[str, Any]) -> dict[str, Any]:
    """Without the nulls that a model writes for "not given".

    Taken out where the server's own `schema` makes a property optional and does not allow null
    (coder/xum#3821); also inside objects and lists, but not inside alternatives.
    """
    root = dict(schema) if isinstance(cast("object", schema), Mapping) else {}
    return cast("dict[str, Any]", _pruned(root, arguments, root, 0))


def _pruned(schema: Any, value: Any, root: Schema, depth: int) -> Any:
    schema = _target(schema, root)
    if depth > _DEEPEST or not isinstance(schema, dict):
        return value
    rules = cast("Schema", schema)
    if isinstance(value, list):
        return [_pruned(rules.get("items"), each, root, depth + 1) for each in _list(value)]
    declared = rules.get("properties")
    if not isinstance(value, dict) or not isinstance(declared, dict):
        return cast("Any", value)
    properties, required = cast("Schema", declared), _list(rules.get("required"))
    return {
        name: _pruned(properties.get(name), each, root, depth + 1)
        for name, each in cast("dict[str, Any]", value).items()
        if each is not None
        or name not in properties
        or name in required
        or _allows_null(properties[name], root, 0)
    }


def _allows_null(schema: Any, root: Schema, depth: int) -> bool:
    """Whether null may fit; True where it is not clear, so that nothing meant is lost."""
    schema = _target(schema, root)
    if depth > _DEEPEST or not isinstance(schema, dict):
        return schema is not False
    rules = cast("Schema", schema)
    kind = rules.get("type", "null")
    if kind != "null" and "null" not in _list(kind):
        return rules.get("nullable") is True
    if ("const" in rules and rules["const"] is not None) or None not in _list(
        rules.get("enum", [None])
    ):
        return False
    for keyword in ("anyOf", "oneOf"):
        branches = _list(rules.get(keyword))
        if branches and not any(_allows_null(each, root, depth + 1) for each in branches):
            return False
    return all(_allows_null(each, root, depth + 1) for each in _list(rules.get("allOf")))


def _target(schema: Any, root: Schema) -> Any:
    if isinstance(schema, dict) and isinstance(cast("Schema", schema).get("$ref"), str):
        return follow(root, cast("Schema", schema)["$ref"])
    return cast("Any", schema)


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _kind(value: Any) -> str:
    names: dict[object, str] = {list: "an array", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(cast("object", type(value)), "a number")


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unreadable(why: str) -> UnreadableArgumentsError:
    return UnreadableArgumentsError(
        f"The arguments were not used: {why}. Call the tool again with one JSON object."
    )
