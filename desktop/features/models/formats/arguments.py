"""Arguments of a call: parsing what a model wrote, and parameter names that Anthropic accepts.

Never guesses: invalid JSON is not an empty object, and becomes a sentence for the model. Does not
validate; the executor does.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.models.formats.schema_keywords import append_description
from desktop.values.json_schema import resolve_chain

if TYPE_CHECKING:
    from desktop.features.models.formats.declaration import Report
    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.values.tool_types import JsonObject

_MAX_DEPTH: Final = 20
LEGAL_NAME: Final = compile_later(r"[a-zA-Z0-9_.-]{1,64}")
_NAME_RULES: Final = (
    "if", "then", "else", "dependentSchemas", "dependentRequired", "propertyNames",
    "patternProperties",
)  # fmt: skip
"""Keywords at the top level that refer to properties by their original names."""


class UnreadableArgumentsError(ValueError):
    """The message tells the model what is wrong and what to send instead."""


def parse_arguments(raw: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of a call as the provider sent them; None and an empty text are `{}`.

    Raises:
        UnreadableArgumentsError: not JSON, or not an object.
    """
    if isinstance(raw, Mapping):
        return dict(raw)
    if raw is None or not raw.strip():
        return {}
    try:
        value: Any = json.loads(raw, parse_constant=_refuse_constant)
    except RecursionError:
        raise _make_error("they are nested too deeply") from None
    except ValueError as error:
        raise _make_error(f"they are not valid JSON ({error!s:.200})") from error
    if not isinstance(value, dict):
        raise _make_error(f"they are JSON, but {_type_name(value)} and not an object")
    return cast("dict[str, Any]", value)


def drop_spare_nulls(schema: JsonObject, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without the nulls that a model writes for "not given".

    They are removed where the server's own `schema` makes a property optional and does not allow
    null (coder/xum#3821); also inside objects and lists, but not inside alternatives.
    """
    root = dict(schema) if isinstance(cast("object", schema), Mapping) else {}
    return cast("dict[str, Any]", _prune(root, arguments, root, 0))


def _prune(schema: Any, value: Any, root: JsonSchema, depth: int) -> Any:
    schema = _follow_ref(schema, root)
    if depth > _MAX_DEPTH or not isinstance(schema, dict):
        return value
    rules = cast("JsonSchema", schema)
    if isinstance(value, list):
        return [_prune(rules.get("items"), each, root, depth + 1) for each in _list(value)]
    declared = rules.get("properties")
    if not isinstance(value, dict) or not isinstance(declared, dict):
        return cast("Any", value)
    properties, required = cast("JsonSchema", declared), _list(rules.get("required"))
    return {
        name: _prune(properties.get(name), each, root, depth + 1)
        for name, each in cast("dict[str, Any]", value).items()
        if each is not None
        or name not in properties
        or name in required
        or _allows_null(properties[name], root, 0)
    }


def _allows_null(schema: Any, root: JsonSchema, depth: int) -> bool:
    """Whether null may be valid; True in case of doubt, so that nothing intended is lost."""
    schema = _follow_ref(schema, root)
    if depth > _MAX_DEPTH or not isinstance(schema, dict):
        return schema is not False
    rules = cast("JsonSchema", schema)
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


def _follow_ref(schema: Any, root: JsonSchema) -> Any:
    if isinstance(schema, dict) and isinstance(cast("JsonSchema", schema).get("$ref"), str):
        return resolve_chain(root, cast("JsonSchema", schema)["$ref"])
    return cast("Any", schema)


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _type_name(value: Any) -> str:
    names: dict[object, str] = {list: "an array", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(cast("object", type(value)), "a number")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _make_error(why: str) -> UnreadableArgumentsError:
    return UnreadableArgumentsError(
        f"The arguments were not used: {why}. Call the tool again with one JSON object."
    )


def rename_properties(schema: JsonSchema, report: Report) -> tuple[JsonSchema, dict[str, str]]:
    """The schema with names that Anthropic accepts at the top level, and the original of each."""
    properties = cast("JsonSchema", schema["properties"])
    originals: dict[str, str] = {}
    for name in properties:
        if not LEGAL_NAME.fullmatch(name):
            originals[_make_legal_name(name, properties.keys() | originals.keys())] = name
    if not originals:
        return schema, {}
    wire = {original: name for name, original in originals.items()}
    out = _drop_name_rules(schema, report)
    out["properties"] = {
        wire.get(name, name): _explain_name(each, name) if name in wire else each
        for name, each in properties.items()
    }
    if "required" in out:
        out["required"] = [wire.get(name, name) for name in out["required"]]
    for name, original in originals.items():
        words = translatable(
            "The parameter was renamed to {name!r}: Anthropic rejects its original name.", name=name
        )
        report.add("renamed", ("properties", original), words)
    return out, originals


def restore_names(arguments: Mapping[str, Any], originals: Mapping[str, str]) -> JsonSchema:
    """The arguments under the names that the server declared."""
    return {originals.get(name, name): value for name, value in arguments.items()}


def _make_legal_name(name: str, taken: set[str]) -> str:
    slug = re.sub(r"[^a-zA-Z0-9_.-]+", "_", name)[:50].strip("_")
    if slug and slug not in taken:
        return slug
    for length in range(6, 65):
        digest = hashlib.sha256(name.encode()).hexdigest()[:length]
        candidate = f"{slug or 'parameter'}_{digest}"[-64:]
        if candidate not in taken:
            return candidate
    raise ValueError(f"no free name for {name!r}")


def _explain_name(schema: JsonSchema, name: str) -> JsonSchema:
    out = dict(schema)
    append_description(out, f"originally named {name}")
    return out


def _drop_name_rules(schema: JsonSchema, report: Report) -> JsonSchema:
    out = dict(schema)
    for keyword in _NAME_RULES:
        if out.pop(keyword, None) is not None:
            words = translatable(
                "{keyword!r} was removed because parameters had to be renamed.", keyword=keyword
            )
            report.add("loosened", (keyword,), words)
            if keyword == "patternProperties":
                out.pop("additionalProperties", None)
    return out
