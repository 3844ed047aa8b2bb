"""Whether arguments fit a simple schema, without jsonschema: to import it takes longer than a call.

The answer is "fits" or "look closer", never "does not fit". Must not import the validator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.values.tool_types import JsonObject

MAX_PROPERTIES: Final = 50
"""Properties of a schema that is looked at anew for each call."""
_DIALECTS: Final = (
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)


def surely_fits(schema: JsonObject, arguments: JsonObject) -> bool:
    """Whether the validator would find nothing wrong or odd, neither here nor in the schema."""
    check = quick_check(schema)
    return check is not None and check(arguments)


def quick_check(schema: JsonObject) -> Callable[[JsonObject], bool] | None:
    """What says of arguments whether they surely fit; None where that takes the validator."""
    check = fast_check(schema)
    return check if check is not None and _is_plainly_valid(schema) else None


def _is_plainly_valid(schema: JsonObject) -> bool:
    """Whether a schema that `fast_check` takes is in order itself, in any dialect named here."""
    properties = cast("Mapping[str, JsonObject]", schema.get("properties", {}))
    required = cast("list[Any]", schema.get("required", []))
    return (
        len(properties) <= MAX_PROPERTIES
        and ("$schema" not in schema or schema["$schema"] in _DIALECTS)
        and isinstance(schema.get("additionalProperties", True), bool)
        and all(isinstance(name, str) for name in required)
        and len(set(required)) == len(required)
        and all(map(_has_plain_words, (schema, *properties.values())))
    )


def _has_plain_words(keywords: JsonObject) -> bool:
    texts = (keywords.get(name, "") for name in ("title", "description"))
    is_listed = isinstance(keywords.get("examples", []), list)
    return is_listed and all(isinstance(text, str) for text in texts)


_OBJECT_KEYWORDS: Final = frozenset(
    {"$schema", "type", "title", "description", "properties", "required", "additionalProperties"}
)
_VALUE_KEYWORDS: Final = frozenset({"type", "title", "description", "default", "examples"})
_PYTHON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def fast_check(schema: Any) -> Callable[[Any], bool] | None:
    """A quick check of arguments, for a schema that only asks for named values of simple types.

    Most calls have such a schema, and the full check takes tens of microseconds. The answer is
    "fits" or "look closer", never "does not fit"; None where the schema asks for more.
    """
    if not isinstance(schema, Mapping):
        return None
    keywords = cast("Mapping[str, Any]", schema)
    is_draft_3 = "draft-03" in str(keywords.get("$schema"))  # writes `required` in another way
    if not _OBJECT_KEYWORDS.issuperset(keywords) or keywords.get("type") != "object" or is_draft_3:
        return None
    types = _types_by_name(keywords.get("properties"))
    required = keywords.get("required", [])
    if types is None or not isinstance(required, list):
        return None
    names = cast("list[Any]", required)

    def surely_fits(arguments: Any) -> bool:
        if type(arguments) is not dict:
            return False
        given = cast("dict[Any, Any]", arguments)
        return all(type(value) in types.get(name, ()) for name, value in given.items()) and all(
            name in given for name in names
        )

    return surely_fits


def _types_by_name(properties: Any) -> dict[str, tuple[type, ...]] | None:
    if not isinstance(properties, Mapping):
        return None
    types: dict[str, tuple[type, ...]] = {}
    for name, schema in cast("Mapping[str, Any]", properties).items():
        if not isinstance(schema, Mapping):
            return None
        keywords = cast("Mapping[str, Any]", schema)
        kind = keywords.get("type")
        if not _VALUE_KEYWORDS.issuperset(keywords):
            return None
        if not isinstance(kind, str) or kind not in _PYTHON_TYPES:
            return None
        types[name] = _PYTHON_TYPES[kind]
    return types
