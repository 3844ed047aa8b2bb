"""JSON and JSON Schema, as far as several parts need them: references, types, equality.

Pure; never fetches. What a schema means for a form, a provider or a validation is theirs to say.
Sources: JSON Schema draft 2020-12, core, 8.2 (`$id`, `$anchor`, `$ref`); RFC 6901 for pointers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote, urljoin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.values.tool_types import JsonObject

JSON_TYPES: Final = ("null", "boolean", "object", "array", "number", "integer", "string")
MAX_REF_HOPS: Final = 50
"""References to references; no real schema has more than two in a row."""
_MAX_SUBSCHEMAS: Final = 10_000
"""Objects of a schema that are searched for an anchor or an `$id`."""
_MAX_INDEX_DIGITS: Final = 8


def object_of(value: Any) -> JsonObject:
    """`value` where it is an object, else an empty one."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def list_of(value: Any) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def dump_json(
    value: Any, *, indent: int | None = None, default: Callable[[Any], Any] | None = None
) -> str:
    """JSON as UTF-8 can hold it: characters as they are, unless half a surrogate pair is in them.

    JSON can carry such a half as an escape, UTF-8 cannot. Arguments and errors as of `json.dumps`.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=default)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent, default=default)
    return text


def why_not_json(value: Any) -> str:
    """What keeps a value from being written as JSON, in English; empty where nothing does."""
    try:
        json.dumps(value, allow_nan=False, default=as_dict)
    except TypeError as error:
        return str(error)
    except ValueError:
        return "a number in it is infinite, not a number, or too long"
    except RecursionError:
        return "it is nested too deeply"
    return ""


def as_dict(value: object) -> dict[str, Any]:
    """A mapping as `json.dumps` takes it: its `default`. Raises `TypeError` for anything else."""
    if isinstance(value, Mapping):
        return dict(cast("JsonObject", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON at any depth: 1 and 1.0 are, 1 and true are not."""
    waiting: list[tuple[Any, Any]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, bool) or isinstance(right, bool):
            if left is not right:
                return False
        elif isinstance(left, Mapping) and isinstance(right, Mapping):
            ours, theirs = cast("JsonObject", left), cast("JsonObject", right)
            if ours.keys() != theirs.keys():
                return False
            waiting += [(value, theirs[name]) for name, value in ours.items()]
        elif isinstance(left, list | tuple) and isinstance(right, list | tuple):
            items, others = cast("list[Any]", left), cast("list[Any]", right)
            if len(items) != len(others):
                return False
            waiting += zip(items, others, strict=True)
        elif left != right:
            return False
    return True


def types_of(schema: JsonObject) -> tuple[str, ...]:
    """The types that `type` allows; all of them where it is missing or malformed."""
    kind: Any = schema.get("type")
    if isinstance(kind, str):
        return (kind,)
    return tuple(each for each in list_of(kind) if isinstance(each, str)) or JSON_TYPES


_BOUNDS: Final = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


def modern_keywords(schema: JsonObject) -> dict[str, Any]:
    """A copy of one schema with what older drafts meant written as draft 2020-12 does.

    A list of `items` is a tuple (draft-07), and `exclusiveMinimum: true` sharpens `minimum`
    (draft-04).
    """
    modern = dict(schema)
    if isinstance(modern.get("items"), list):
        modern["prefixItems"] = modern.pop("items")
        if "additionalItems" in modern:
            modern["items"] = modern.pop("additionalItems")
    for bound, exclusive in _BOUNDS:
        if isinstance(modern.get(exclusive), bool) and isinstance(modern.get(bound), int | float):
            is_sharp: bool = modern.pop(exclusive)
            modern |= {exclusive: modern.pop(bound)} if is_sharp else {}
    return modern


def resolve_ref(root: JsonObject, reference: object) -> Any:
    """What `$ref` points to inside the schema `root`: a JSON pointer, an anchor, or an `$id`.

    None where it leads nowhere, or out of the schema: nothing is fetched.
    """
    if not isinstance(reference, str):
        return None
    address, _, fragment = reference.partition("#")
    document = root if not address else _find_document(root, address)
    if document is None:
        return None
    # The fragment is a URI's: its %20 are decoded before the pointer is read (RFC 6901, 6).
    pointer = unquote(fragment)
    if pointer and not pointer.startswith("/"):
        return _find_anchor(document, pointer)
    return _follow_pointer(document, pointer)


def resolve_chain(root: JsonObject, reference: object) -> Any:
    """Like `resolve_ref`, through schemas that hold only a further reference.

    None where it leads nowhere, or in a circle.
    """
    target = resolve_ref(root, reference)
    for _ in range(MAX_REF_HOPS):
        if not isinstance(target, Mapping) or set(cast("JsonObject", target)) != {"$ref"}:
            return cast("Any", target)
        target = resolve_ref(root, cast("JsonObject", target)["$ref"])
    return None


def _follow_pointer(document: JsonObject, pointer: str) -> Any:
    here: Any = document
    if pointer == "/" and "" not in document:
        return here  # generators write `#/` for the whole
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping):
            here = cast("JsonObject", here).get(name)
        elif isinstance(here, list) and _is_index(name):
            items = cast("list[Any]", here)
            here = items[int(name)] if int(name) < len(items) else None
        else:
            return None
    return here


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= _MAX_INDEX_DIGITS


def _find_document(root: JsonObject, address: str) -> JsonObject | None:
    own = _id_of(root)
    wanted = urljoin(own, address).removesuffix("#")
    if own and own.removesuffix("#") in {address, wanted}:
        return root
    for schema in _subschemas(root):
        embedded = _id_of(schema)
        if embedded and urljoin(own, embedded).removesuffix("#") == wanted:
            return schema
    return None


def _id_of(schema: JsonObject) -> str:
    own: Any = schema.get("$id")
    return own if isinstance(own, str) else ""


def _find_anchor(document: JsonObject, name: str) -> JsonObject | None:
    for schema in _subschemas(document):
        if name in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
            return schema
        if schema.get("$id") == f"#{name}":  # draft 6 and 7
            return schema
    return None


def _subschemas(root: JsonObject) -> Iterator[JsonObject]:
    """All objects in a schema, a bounded number; values under `const` and `enum` are none."""
    waiting: list[Any] = [root]
    for _ in range(_MAX_SUBSCHEMAS):
        if not waiting:
            return
        here = waiting.pop()
        if isinstance(here, Mapping):
            schema = cast("JsonObject", here)
            yield schema
            keywords = schema.keys() - {"const", "enum", "default", "examples"}
            waiting.extend(schema[keyword] for keyword in keywords)
        elif isinstance(here, list):
            waiting.extend(cast("list[Any]", here))
