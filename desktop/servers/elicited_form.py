"""What the schema of an elicitation may ask for: a flat form of texts, numbers, choices and ticks.

Says what of a schema the specification forbids, which fields look like secrets, and which defaults
there are. Must not check the values themselves: `desktop.tools.validation` does. Source: MCP
specification 2025-11-25, client/elicitation, "Requested Schema".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import translatable
from desktop.redaction.policy import is_secret_name
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.values.tool_types import JsonObject

MAX_FIELDS: Final = 100
"""Fields of one form; a person is not asked for more at a time."""
MAX_PROBLEMS: Final = 5
"""Problems told of one schema."""
_PRIMITIVES: Final = {"string": str, "number": (int, float), "integer": int, "boolean": bool}


def find_problems(schema: JsonObject) -> list[str]:
    """What the specification forbids in a form, as sentence parts; empty where it can be shown."""
    properties: object = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(properties, dict):
        return [translatable("it is not an object schema")]
    fields = cast("dict[str, object]", properties)
    if len(fields) > MAX_FIELDS:
        words = translatable(
            "it has {count} fields; at most {limit} are supported",
            count=len(fields),
            limit=MAX_FIELDS,
        )
        return [words]
    found: list[str] = [
        translatable('the field "{name}" {what}', name=name, what=what)
        for name, field in fields.items()
        if (what := _problem_of(field))
    ]
    return found[:MAX_PROBLEMS]


def shown_schema(schema: JsonObject) -> JsonObject:
    """The schema as a form can show it: what Pydantic writes of an optional field made plain.

    Such a field may be null, which is not sending it. An optional one that cannot be shown at all
    is left out beside others.
    """
    properties = object_of(schema.get("properties"))
    required = list_of(schema.get("required"))
    plain = {name: _without_null(object_of(field)) for name, field in properties.items()}
    shown = {
        name: field for name, field in plain.items() if name in required or not _problem_of(field)
    }
    return {**schema, "properties": shown} if shown and shown != properties else schema


def _without_null(field: JsonObject) -> JsonObject:
    made = dict(field)
    for key in ("anyOf", "oneOf"):
        kinds = [each for each in list_of(field.get(key)) if object_of(each).get("type") != "null"]
        if len(kinds) == 1 and len(kinds) < len(list_of(field.get(key))):
            del made[key]
            made = {**object_of(kinds[0]), **made}
    kinds = [each for each in list_of(field.get("type")) if each != "null"]
    if len(kinds) == 1:
        made["type"] = kinds[0]
    if made != field and made.get("default", "") is None:
        del made["default"]
    return made


def _problem_of(field: object) -> str:
    schema = object_of(field)
    kind: object = schema.get("type")
    if isinstance(kind, str) and kind in _PRIMITIVES:
        return ""
    if kind == "array":
        return "" if _is_choice(object_of(schema.get("items"))) else _NO_CHOICE
    if kind == "object" or "properties" in schema:
        return translatable("is an object, which a form cannot contain")
    if kind is None and _is_choice(schema):
        return ""
    return translatable("is not text, a number, a choice or yes/no")


_NO_CHOICE: Final = translatable("is a list, but not of choices")


def _is_choice(schema: JsonObject) -> bool:
    """Whether a text is chosen from a list: `enum`, or `oneOf` (`anyOf`) of constants."""
    if schema.get("type", "string") != "string":
        return False
    options = list_of(schema.get("oneOf")) or list_of(schema.get("anyOf"))
    values = [object_of(option).get("const") for option in options] or list_of(schema.get("enum"))
    return bool(values) and all(isinstance(value, str) for value in values)


def choices_of(field: JsonObject) -> dict[str, str]:
    """The values that a field (or an item of its list) may have, each with what it is called."""
    schema = object_of(field.get("items")) if field.get("type") == "array" else field
    options = list_of(schema.get("oneOf")) or list_of(schema.get("anyOf"))
    if options:
        named = [object_of(option) for option in options]
        return {
            str(option["const"]): str(option.get("title", option["const"]))
            for option in named
            if "const" in option
        }
    values = list_of(schema.get("enum"))
    names = list_of(schema.get("enumNames"))
    if len(names) != len(values):
        names = values
    return {str(value): str(name) for value, name in zip(values, names, strict=True)}


def secret_fields(schema: JsonObject) -> tuple[str, ...]:
    """Names of fields that seem to ask for a password or a key, which a server must not do."""
    fields = cast("Mapping[str, object]", object_of(schema.get("properties")))
    return tuple(name for name, field in fields.items() if _is_secret(name, object_of(field)))


def _is_secret(name: str, field: JsonObject) -> bool:
    title: object = field.get("title")
    words = "_".join(title.split()) if isinstance(title, str) else ""
    if field.get("format") == "password" or field.get("writeOnly") is True:
        return True
    if field.get("type") == "boolean":
        return False
    return is_secret_name(name, "argument") or is_secret_name(words, "argument")


def default_content(schema: JsonObject) -> dict[str, Any]:
    """What a form is filled with at first: the defaults that have their field's type."""
    content: dict[str, Any] = {}
    for name, field in object_of(schema.get("properties")).items():
        given = object_of(field)
        if "default" in given and _has_type(given["default"], given.get("type")):
            content[name] = given["default"]
    return content


def _has_type(value: object, kind: object) -> bool:
    if kind == "array":
        return isinstance(value, list)
    wanted = _PRIMITIVES.get(kind, str) if isinstance(kind, str) else str
    return isinstance(value, wanted) and (kind == "boolean") == isinstance(value, bool)
