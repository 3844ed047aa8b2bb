"""Schemas that no server of the corpus has and some server will have, with values that they mean.

Each has a name, the `inputSchema` and arguments that fit it in the sense of its author.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from desktop.values.tool_types import ToolDefinition


@dataclass(frozen=True)
class Fixture:
    name: str
    schema: Any
    fits: tuple[dict[str, Any], ...] = field(default=({},))

    @property
    def tool(self) -> ToolDefinition:
        return ToolDefinition("fixtures", self.name, input_schema=self.schema)


def thing(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def nested(levels: int, innermost: Any) -> Any:
    schema = innermost
    for _ in range(levels):
        schema = thing(a=schema)
    return schema


def nested_value(levels: int, innermost: Any) -> Any:
    value = innermost
    for _ in range(levels):
        value = {"a": value}
    return value


def reference_bomb(levels: int) -> dict[str, Any]:
    """Each level has the next one twice: 2**levels when written out."""
    both = {
        f"L{i}": thing(l={"$ref": f"#/$defs/L{i + 1}"}, r={"$ref": f"#/$defs/L{i + 1}"})
        for i in range(levels)
    }
    return {
        **thing(x={"$ref": "#/$defs/L0"}),
        "$defs": {**both, f"L{levels}": {"type": "string"}},
    }


TEXT = {"type": "string"}
TREE = {"type": "object", "properties": {"children": {"items": {"$ref": "#/$defs/Node"}}}}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}

FIXTURES = (
    # the top level
    Fixture("missing", None),
    Fixture("empty", {}, ({}, {"a": 1})),
    Fixture("only_schema", {"$schema": "http://json-schema.org/draft-07/schema#"}),
    Fixture("a_list", ["type", "object"]),
    Fixture("true", True),
    Fixture("type_list", {"type": ["object", "null"], "properties": {"a": TEXT}}, ({"a": "x"},)),
    Fixture("type_string", {"type": "string"}),
    Fixture("no_properties", {"type": "object"}, ({}, {"a": 1})),
    Fixture("closed", {"type": "object", "additionalProperties": False}),
    Fixture("properties_null", {"type": "object", "properties": None}),
    Fixture(
        "required_only_branches",
        {
            **thing(q=TEXT, id={"type": "integer"}),
            "anyOf": [{"required": ["q"]}, {"required": ["id"]}],
        },
        ({"q": "x"}, {"id": 1}, {"q": "x", "id": 1}),
    ),
    Fixture(
        "one_of_top",
        {
            "type": "object",
            "oneOf": [
                {
                    **thing(kind={"const": "file"}, path=TEXT),
                    "required": ["kind", "path"],
                    "additionalProperties": False,
                },
                {
                    **thing(kind={"const": "url"}, url=TEXT, depth={"type": "integer"}),
                    "required": ["kind", "url"],
                    "additionalProperties": False,
                },
            ],
        },
        ({"kind": "file", "path": "a"}, {"kind": "url", "url": "u", "depth": 2}),
    ),
    Fixture(
        "open_branches",
        {"anyOf": [thing(a=TEXT), thing(b={"type": "integer"})]},
        ({"a": "x"}, {"a": 5, "b": 1}, {"b": "x", "a": "y"}),
    ),
    Fixture(
        "all_of_top",
        {
            "allOf": [
                {**thing(a={"type": "integer", "minimum": 1}), "required": ["a"]},
                {**thing(a={"maximum": 9}, b=TEXT), "required": ["b"]},
            ]
        },
        ({"a": 5, "b": "x"},),
    ),
    Fixture("not_top", {**thing(a=TEXT), "not": {"required": ["b"]}}, ({"a": "x"},)),
    Fixture("enum_top", {"type": "object", "enum": [{}, {"a": 1}]}, ({}, {"a": 1})),
    Fixture(
        "condition_top",
        {
            **thing(a=TEXT, b=TEXT),
            "if": {"properties": {"a": {"const": "x"}}, "required": ["a"]},
            "then": {"required": ["b"]},
        },
        ({"a": "x", "b": "y"}, {"a": "z"}),
    ),
    # references
    Fixture(
        "recursive_defs",
        {**thing(root={"$ref": "#/$defs/Node"}), "$defs": {"Node": TREE}},
        ({"root": {"children": [{"children": []}, {}]}},),
    ),
    Fixture(
        "recursive_definitions",
        {
            **thing(root={"$ref": "#/definitions/N"}),
            "definitions": {"N": thing(next={"$ref": "#/definitions/N"}, name=TEXT)},
        },
        ({"root": {"name": "a", "next": {"next": {"name": "c"}}}},),
    ),
    Fixture(
        "recursive_root",
        {**thing(name=TEXT, child={"$ref": "#"}), "required": ["name"]},
        ({"name": "a", "child": {"name": "b", "child": {"name": "c"}}},),
    ),
    Fixture(
        "reference_to_property",
        thing(
            a=thing(items={"type": "array", "items": TEXT}),
            b={"$ref": "#/properties/a/properties/items"},
        ),
        ({"b": ["x"]},),
    ),
    Fixture("reference_bomb", reference_bomb(30), ({"x": {"l": {}, "r": {"l": {}}}},)),
    Fixture(
        "reference_with_siblings",
        {
            **thing(a={"$ref": "#/$defs/A", "description": "mine", "default": 2, "maximum": 5}),
            "$defs": {"A": {"type": "integer", "minimum": 1, "description": "its"}},
        },
        ({"a": 3},),
    ),
    Fixture(
        "reference_with_ignored_siblings",
        {
            **DRAFT_7,
            **thing(a={"$ref": "#/definitions/A", "maximum": 5}),
            "definitions": {"A": TEXT},
        },
        ({"a": "x"},),
    ),
    Fixture("dangling_reference", thing(a={"$ref": "#/$defs/Nowhere"}), ({"a": 1},)),
    Fixture("external_reference", thing(a={"$ref": "http://example.invalid/s.json"}), ({"a": 1},)),
    Fixture("reference_no_text", thing(a={"$ref": 5}), ({"a": 1},)),
    Fixture(
        "reference_to_itself",
        {**thing(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"$ref": "#/$defs/A"}}},
        ({"a": 1},),
    ),
    Fixture(
        "reference_round_any_of",
        {
            **thing(a={"$ref": "#/$defs/A"}),
            "$defs": {
                "A": {"anyOf": [{"$ref": "#/$defs/B"}, TEXT]},
                "B": {"anyOf": [{"$ref": "#/$defs/A"}, thing(deeper={"$ref": "#/$defs/A"})]},
            },
        },
        ({"a": "x"},),
    ),
    Fixture(
        "root_is_reference", {"$ref": "#/$defs/In", "$defs": {"In": thing(a=TEXT)}}, ({"a": "x"},)
    ),
    # schemas that are no objects
    Fixture(
        "booleans_everywhere",
        {
            **thing(
                a=True,
                b=False,
                c={"type": "array", "items": True},
                d={"type": "array", "items": False},
                e={"anyOf": [False, TEXT]},
                f={"not": False},
                g={"if": True, "then": {"type": "integer"}},
                h={"type": "object", "propertyNames": True, "additionalProperties": True},
            ),
            "additionalProperties": False,
        },
        ({"a": 1, "c": [1], "d": [], "e": "x", "f": 2, "g": 3, "h": {"x": 1}},),
    ),
    Fixture(
        "items_list",
        {
            **DRAFT_7,
            **thing(
                a={"type": "array", "items": [TEXT, {"type": "integer"}], "additionalItems": False}
            ),
        },
        ({"a": ["x", 1]}, {"a": []}),
    ),
    Fixture(
        "prefix_items",
        thing(a={"type": "array", "prefixItems": [TEXT], "items": False}),
        ({"a": ["x"]},),
    ),
    Fixture(
        "array_without_items",
        thing(a={"type": "array"}, b={"type": ["array", "null"]}),
        ({"a": [1, "x"], "b": None},),
    ),
    Fixture(
        "no_schema_under_properties",
        {"type": "object", "properties": {"type": "object", "path": "string", "n": None, "l": [1]}},
        ({"path": "x"},),
    ),
    # values
    Fixture("enum_null", thing(a={"enum": [None]}), ({"a": None},)),
    Fixture(
        "enum_mixed",
        thing(a={"enum": ["x", 1, 2.5, True, None, {"k": 1}, [1]]}),
        ({"a": "x"}, {"a": 2.5}, {"a": None}, {"a": {"k": 1}}, {"a": [1]}),
    ),
    Fixture(
        "enum_empty_text",
        thing(a={"type": "string", "enum": ["", "asc", "desc"]}),
        ({"a": ""}, {"a": "asc"}),
    ),
    Fixture(
        "enum_nullable",
        thing(a={"type": ["string", "null"], "enum": ["x", "y", None]}),
        ({"a": None}, {"a": "y"}),
    ),
    Fixture("enum_other_type", thing(a={"type": "integer", "enum": ["1", "2"]})),
    Fixture("enum_none", thing(a={"type": "string", "enum": []}), ({"a": "x"},)),
    Fixture("enum_numbers", thing(a={"type": "number", "enum": [1, 2.5]}), ({"a": 1},)),
    Fixture("const_null", thing(a={"const": None}), ({"a": None},)),
    Fixture("const_object", thing(a={"const": {"k": [1]}}), ({"a": {"k": [1]}},)),
    Fixture("const_true", thing(a={"const": True}), ({"a": True},)),
    Fixture(
        "enum_beside_any_of",
        thing(a={"enum": ["x", None], "anyOf": [TEXT, {"type": "null"}]}),
        ({"a": None},),
    ),
    # rules
    Fixture("required_unknown", {**thing(a=TEXT), "required": ["a", "b"]}, ({"a": "x", "b": 1},)),
    Fixture(
        "required_unknown_closed",
        {**thing(a=TEXT), "required": ["b"], "additionalProperties": False},
        (),
    ),
    Fixture("required_true", thing(a={"type": "string", "required": True}), ({"a": "x"},)),
    Fixture("required_twice", {**thing(a=TEXT), "required": ["a", "a"]}, ({"a": "x"},)),
    Fixture(
        "bounds",
        thing(
            a={"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
            b={"type": "number", "exclusiveMinimum": 0, "minimum": -1},
            c={"type": "number", "minimum": 1, "exclusiveMinimum": True},
            d={"type": "integer", "maximum": 9007199254740993, "multipleOf": 3},
        ),
        ({"a": 9, "b": 0.1, "c": 2, "d": 9007199254740993}, {"a": 1}),
    ),
    Fixture(
        "formats",
        thing(
            a={"type": "string", "format": "uri"},
            b={"type": "integer", "format": "int32"},
            c={"type": "string", "contentEncoding": "base64"},
        ),
        ({"a": "http://x", "b": 1, "c": "eA=="},),
    ),
    Fixture(
        "patterns",
        thing(
            a={"type": "string", "pattern": r"^\p{L}+$"},
            b={"type": "string", "pattern": "^(?<year>[0-9]{4})$"},
            c={"not": {"pattern": r"\p{Cc}"}},
            d={"type": "string", "pattern": "^[a-z]+$"},
        ),
        ({"a": "Ü", "b": "2026", "c": "x", "d": "y"},),
    ),
    Fixture(
        "record",
        thing(
            a={"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False},
            b={
                "type": "object",
                "patternProperties": {r"\p{L}": TEXT},
                "additionalProperties": False,
            },
            c={
                "type": "object",
                "propertyNames": {"pattern": "^[a-z]+$"},
                "additionalProperties": TEXT,
            },
        ),
        ({"a": {"x1": "v"}, "b": {"é": "v"}, "c": {"k": "v"}},),
    ),
    Fixture(
        "lists",
        thing(
            a={
                "type": "array",
                "items": TEXT,
                "uniqueItems": True,
                "contains": {"const": "x"},
                "maxContains": 1,
            }
        ),
        ({"a": ["x", "y"]},),
    ),
    Fixture(
        "default_wrong",
        thing(a={"type": "string", "default": None}, b={"type": "integer", "default": "x"}),
        ({"a": "x"},),
    ),
    Fixture(
        "types_unknown",
        thing(a={"type": "int"}, b={"type": ["string", "any"]}, c={"type": []}),
        ({"a": 1, "b": 2, "c": 3},),
    ),
    Fixture(
        "nested_all_of",
        thing(
            a={
                "allOf": [
                    {"type": "object", "properties": {"x": TEXT}},
                    {"properties": {"y": TEXT}, "required": ["y"]},
                ],
                "description": "both",
            }
        ),
        ({"a": {"x": "1", "y": "2"}},),
    ),
    Fixture(
        "one_of_loosened_inside",
        thing(
            a={
                "oneOf": [
                    {"type": "string", "pattern": r"^\p{Lu}"},
                    {"type": "string", "pattern": "^[a-z]"},
                ]
            }
        ),
        ({"a": "abc"}, {"a": "Ü"}),
    ),
    Fixture(
        "discriminator",
        thing(a={"oneOf": [thing(t={"const": "x"})], "discriminator": {"propertyName": "t"}}),
        ({"a": {"t": "x"}},),
    ),
    Fixture("unevaluated", {**thing(a=TEXT), "unevaluatedProperties": False}, ({"a": "x"},)),
    Fixture(
        "dependencies",
        {**DRAFT_7, **thing(a=TEXT, b=TEXT), "dependencies": {"a": ["b"]}},
        ({"a": "x", "b": "y"},),
    ),
    Fixture(
        "dependent",
        {
            **thing(a=TEXT, b=TEXT),
            "dependentRequired": {"a": ["b"]},
            "dependentSchemas": {"b": {"required": ["a"]}},
        },
        ({"a": "x", "b": "y"},),
    ),
    Fixture(
        "foreign_keywords",
        {
            **thing(a={"type": "string", "x-order": None, "nullable": True, "example": "e"}),
            "x-origin": {"deep": [None]},
        },
        ({"a": "x"},),
    ),
    # names of parameters
    Fixture(
        "names",
        {
            **thing(
                **{
                    "properties": TEXT,
                    "type": TEXT,
                    "$ref": TEXT,
                    "title": TEXT,
                    "with space": TEXT,
                    "名字": TEXT,
                    "a@b": TEXT,
                    "n" * 65: TEXT,
                    "": TEXT,
                    "a_b": TEXT,
                    "required": TEXT,
                }
            ),
            "required": ["名字", "type"],
        },
        (
            {
                "名字": "x",
                "type": "y",
                "with space": "z",
                "a@b": "1",
                "a_b": "2",
                "": "3",
                "$ref": "4",
                "n" * 65: "5",
            },
        ),
    ),
    Fixture(
        "names_and_rules",
        {
            **thing(**{"a b": {"type": ["string", "null"]}}),
            "patternProperties": {"^a": {"type": ["string", "null"]}},
            "additionalProperties": False,
            "dependentRequired": {"a b": ["a"]},
        },
        ({"a b": None, "a": "y"},),
    ),
    Fixture(
        "surrogates",
        thing(
            **{
                "a": {"type": "string", "description": "bad \ud800 text", "default": "\ud800"},
                "\ud800": TEXT,
            }
        )
        | {"additionalProperties": False},
        ({"a": "x"},),
    ),
    Fixture(
        "numbers_not_finite",
        thing(
            a={
                "type": "number",
                "maximum": float("inf"),
                "default": float("nan"),
                "enum": [float("nan"), 1],
            }
        ),
        ({"a": 1},),
    ),
    # sizes
    Fixture("hundred_levels", nested(100, TEXT), (nested_value(100, "x"), {})),
    Fixture("deep_default", thing(a={"default": nested_value(800, 1)}), ({"a": 1},)),
)


def megabyte() -> ToolDefinition:
    """A schema of more than 1 MB in 15,000 parameters."""
    named = {
        f"parameter_{i:05}": {"type": "string", "description": "d" * 40} for i in range(15_000)
    }
    return ToolDefinition("fixtures", "megabyte", input_schema=thing(**named))
