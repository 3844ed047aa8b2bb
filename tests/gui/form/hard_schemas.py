"""Schemas that servers in the wild do not show, but may: every place where a form can go wrong."""

from __future__ import annotations

from typing import Any, Final

CIRCLE: Final = {
    "type": "object",
    "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
    "required": ["kind", "radius"],
}
SQUARE: Final = {
    "type": "object",
    "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
    "required": ["kind", "side"],
}
NODE: Final = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "next": {"$ref": "#/$defs/Node"},
        "all": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "required": ["label"],
}


def _deep(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema


def _of(schema: Any, **more: Any) -> Any:
    return {"type": "object", "properties": {"x": schema}, **more}


def _bomb() -> Any:
    definitions: dict[str, Any] = {
        f"d{level}": {
            "type": "object",
            "properties": {f"p{n}": {"$ref": f"#/$defs/d{level + 1}"} for n in range(10)},
            "required": [f"p{n}" for n in range(10)],
        }
        for level in range(12)
    }
    definitions["d12"] = {"type": "string"}
    return _of({"$ref": "#/$defs/d0"}, **{"$defs": definitions}, required=["x"])


HARD: Final[dict[str, Any]] = {
    "oneOf at the root": {"oneOf": [CIRCLE, SQUARE], "properties": {"name": {"type": "string"}}},
    "anyOf of required at the root": {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    },
    "allOf at the root": {"allOf": [CIRCLE, {"properties": {"name": {"type": "string"}}}]},
    "allOf with narrower limits": _of(
        {"allOf": [{"type": ["integer", "string"]}, {"type": "number", "minimum": 3}]}
    ),
    "allOf that contradicts itself": _of({"allOf": [{"type": "string"}, {"type": "number"}]}),
    "union in a field": _of({"oneOf": [CIRCLE, SQUARE]}),
    "union in a list": _of({"type": "array", "items": {"anyOf": [CIRCLE, {"type": "string"}]}}),
    "union of unions": _of({"anyOf": [{"oneOf": [CIRCLE, SQUARE]}, {"type": ["string", "null"]}]}),
    "union of scalars": _of({"type": ["string", "number", "boolean", "null"]}),
    "union of lists": _of(
        {"anyOf": [{"type": "array", "items": {"type": t}} for t in ("string", "integer")]}
    ),
    "union of types beside enum": _of({"type": ["string", "integer"], "enum": ["a", 1, None]}),
    "recursion in definitions": _of({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": NODE}}),
    "recursion to the root": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "child": {"$ref": "#"}},
    },
    "reference to a property": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/properties/a"}},
    },
    "reference with siblings": _of(
        {"$ref": "#/definitions/t", "title": "T", "minLength": 2},
        definitions={"t": {"type": "string"}},
    ),
    "dangling reference": _of({"$ref": "#/$defs/nothing"}),
    "external reference": _of({"$ref": "http://example.test/schema.json"}),
    "reference bomb": _bomb(),
    "true and false": {"properties": {"a": True, "b": False}, "additionalProperties": True},
    "list of item schemas": _of(
        {"type": "array", "items": [{"type": "string"}, True], "additionalItems": False}
    ),
    "tuple": _of(
        {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "integer"}],
            "items": {"type": "boolean"},
        }
    ),
    "tuple in a list": _of(
        {"type": "array", "items": {"prefixItems": [{"type": "number"}] * 2, "items": False}}
    ),
    "list of lists": _of({"items": {"items": {"type": "integer"}}, "type": "array"}),
    "check list": _of(
        {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b", "c"]}, "maxItems": 2}
    ),
    "free keys": _of({"type": "object", "additionalProperties": {"type": "integer"}}),
    "free keys of a pattern": _of(
        {
            "type": "object",
            "patternProperties": {"^s": {"type": "string"}, "^n": {"type": "number"}},
            "additionalProperties": False,
        }
    ),
    "names under a rule": _of(
        {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z]+$"},
            "additionalProperties": {"type": "string"},
        }
    ),
    "odd enums": {
        "properties": {"n": {"enum": [None]}, "m": {"enum": [1, 1.5, "", None, True, [1], {}]}}
    },
    "odd constants": {
        "properties": {"n": {"const": None}, "o": {"const": {"a": [1.0]}}, "f": {"const": False}}
    },
    "if then else": {
        "properties": {"kind": {"enum": ["a", "b"]}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"for_a": {"type": "integer"}}, "required": ["for_a"]},
        "else": {"properties": {"for_b": {"type": "string"}}},
    },
    "dependent": {
        "properties": {"card": {"type": "integer"}, "name": {"type": "string"}},
        "dependentRequired": {"card": ["name"]},
        "dependentSchemas": {"card": {"properties": {"address": {"type": "string"}}}},
    },
    "dependencies of draft 7": {
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "dependencies": {"a": ["b"], "b": {"properties": {"c": {"type": "boolean"}}}},
    },
    "required without a description": {"properties": {"a": {"type": "string"}}, "required": ["z"]},
    "names of keywords": {
        "properties": {
            name: {"type": "string"}
            for name in ("properties", "type", "$ref", "title", "a b", "名字", "@", "", "x" * 80)
        }
    },
    "not a schema in properties": {"properties": {"type": "object", "a": {"type": "string"}}},
    "100 levels": _of(_deep(100), required=["x"]),
    "huge integers": _of({"type": "integer", "minimum": 2**53, "maximum": 2**80}),
    "foreign pattern": _of({"type": "string", "pattern": "(?R)"}),
    "default of another type": _of({"type": "integer", "default": "three"}),
    "nullable list": _of(
        {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    ),
    "moments and files": {
        "properties": {
            "d": {"type": "string", "format": "date"},
            "t": {"type": "string", "format": "date-time"},
            "f": {"type": "string", "contentEncoding": "base64"},
            "p": {"type": "string", "format": "file-path"},
        }
    },
}  # fmt: skip
