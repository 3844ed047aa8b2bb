from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.gui.form.model.schema_reader import MAX_UNION_DEPTH, SchemaReader, kind_of
from tests.attacks.measure import processor_time

if TYPE_CHECKING:
    from desktop.gui.form.model.field_spec import FieldSpec

CASES: list[tuple[Any, str]] = [
    ({"type": "string"}, "string"),
    ({"minimum": 1}, "number"),
    ({"enum": [1], "type": "string"}, "enum"),
    ({"const": None, "enum": [None]}, "const"),
    ({"type": "null"}, "const"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "object"),
    ({"type": "object", "required": ["a"]}, "object"),
    ({"type": "object"}, "json"),
    ({"type": "array", "items": {}}, "json"),
    ({"type": "array", "items": [True]}, "array"),
    ({"prefixItems": [{}]}, "array"),
    ({"allOf": [{"if": {}, "then": {}}], "type": "object"}, "object"),
    ({"$dynamicRef": "#x"}, "json"),
    ({"type": {"x": 1}}, "json"),
]


@pytest.mark.parametrize(
    ("schema", "kind"),
    CASES,
)
def test_each_plain_schema_has_a_kind(schema: Any, kind: str) -> None:
    assert kind_of(schema) == kind


def read(schema: Any, root: Any = None) -> FieldSpec:
    return SchemaReader(root or {}).read(schema, "x")


KINDS: list[tuple[Any, str, bool]] = [
    ({"type": "string"}, "string", False),
    ({"type": ["integer", "null"]}, "integer", True),
    ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "number", True),
    ({"oneOf": [{"const": 1, "title": "one"}, {"const": 2}]}, "enum", False),
    ({"enum": ["a", None, 1]}, "enum", False),
    ({"const": None}, "const", False),
    ({"items": {"type": "string"}}, "array", False),
    ({"properties": {"a": True}}, "object", False),
    ({"allOf": [{"properties": {"a": {}}}, {"required": ["a"]}]}, "object", False),
    ({"allOf": [{"type": "string"}, {"type": "number"}]}, "json", False),
    ({"anyOf": [{"type": "string"}, {"type": "number"}]}, "union", False),
    ({"type": ["string", "number"]}, "union", False),
    ({"type": ["string", "number", "null"]}, "union", True),
    ({"type": ["integer", "number"]}, "number", False),
    ({"type": ["string", "null"], "enum": ["a", None]}, "enum", True),
    (
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}}},
        "object",
        False,
    ),
    ({"anyOf": [{"type": "string"}] * 100}, "json", False),
    ({"anyOf": [{"type": "string"}, {"type": "string"}]}, "string", False),
    ({"type": "array", "prefixItems": [{}], "items": {"type": "string"}}, "array", False),
    ({"type": "array", "items": [{}, {}]}, "array", False),
    ({"type": "null"}, "const", False),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "object", False),
    ({"type": "object", "additionalProperties": True}, "json", False),
    ({"type": "array"}, "json", False),
    ({"type": "object"}, "json", False),
    ({"patternProperties": {"^a": {"type": "string"}}}, "object", False),
    ({"$ref": "http://example.test/x"}, "json", False),
    ({"$ref": "#/nowhere"}, "json", False),
    (True, "json", False),
    (False, "json", False),
    (5, "json", False),
    (None, "json", False),
    ({"type": 7, "enum": [], "properties": 3}, "json", False),
]


@pytest.mark.parametrize(("schema", "kind", "nullable"), KINDS)
def test_each_schema_has_a_kind(schema: Any, kind: str, nullable: bool) -> None:
    spec = read(schema)
    assert (spec.kind, spec.nullable) == (kind, nullable)


def test_local_references_are_followed_and_keep_what_stands_beside_them() -> None:
    root = {"$defs": {"a/b": {"type": "string", "title": "T"}}, "list": [{"type": "integer"}]}
    assert read({"$ref": "#/$defs/a~1b", "title": "own"}, root).title == "own"
    assert read({"$ref": "#/list/0"}, root).kind == "integer"


@pytest.mark.parametrize(
    "root",
    [
        {"$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}},
    ],
)
def test_references_in_a_circle_end(root: Any) -> None:
    assert read({"$ref": "#/$defs/a"}, root).kind == "json"


def test_required_properties_come_first_those_without_a_description_too() -> None:
    schema: dict[str, Any] = {"properties": {"b": {}, "a": {}}, "required": ["a", "zz", 5]}
    assert list(SchemaReader(schema).read_root().properties) == ["a", "zz", "b"]
    closed = {**schema, "additionalProperties": False}
    assert list(SchemaReader(closed).read_root().properties) == ["a", "b"]


SCALE: dict[str, Any] = {"enum": ["css", "device"], "default": "css"}


@pytest.mark.parametrize(
    "rule",
    [
        SCALE,
        {"$ref": "#/$defs/scale"},
        {"allOf": [{"$ref": "#/$defs/scale"}]},
        {"type": "integer", "default": 0},
        {"type": ["string", "null"], "default": None},
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        {"$ref": "#", "default": {}},
        {"type": "object", "properties": {"a": {}}, "default": {}},
    ],
)
def test_what_the_server_has_a_default_for_is_as_if_it_were_optional(rule: Any) -> None:
    schema: Any = {
        "$defs": {"scale": SCALE},
        "properties": {"n": rule, "m": {}},
        "required": ["n", "m"],
    }
    reader = SchemaReader(schema)
    root = reader.read_root()
    assert list(root.properties) == ["m", "n"]
    assert [reader.child(root, name).required for name in ("m", "n")] == [True, False]


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "string", "default": None},
        {"enum": ["a"], "default": "b"},
        {"type": "integer", "default": "x" * 3, "enum": [1]},
        {"const": "a", "default": "a"},
        {"type": "string"},
    ],
)
def test_a_default_of_another_kind_leaves_a_field_required_and_so_does_a_constant(
    rule: Any,
) -> None:
    reader = SchemaReader({"properties": {"n": rule}, "required": ["n"]})
    assert reader.child(reader.read_root(), "n").required


def test_options_keep_their_type_and_take_the_names_beside_them() -> None:
    named = read({"enum": [1, "1", True], "enumNames": ["one", "text", "yes"]})
    assert [(each.label, each.value) for each in named.options] == [
        ("one", 1), ("text", "1"), ("yes", True),
    ]  # fmt: skip
    assert [each.label for each in read({"enum": ["", None, 2]}).options] == ['""', "null", "2"]


def test_unions_that_name_each_other_end_in_a_json_field() -> None:
    definitions: dict[str, Any] = {
        "A": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "string"}]},
        "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "object"}]},
    }
    root = {"$defs": definitions, "properties": {"a": {"$ref": "#/$defs/A"}}}
    spec = SchemaReader(root).read(root["properties"]["a"], "a")
    depth = 1
    while spec.branches[0].branches:
        spec, depth = spec.branches[0], depth + 1
    assert depth == MAX_UNION_DEPTH + 1
    assert (spec.branches[0].kind, spec.branches[0].fallback) == ("json", "size")


def test_unions_of_many_shapes_in_one_another_are_read_in_bounded_steps() -> None:
    names = [f"U{number}" for number in range(50)]
    shapes = [{"$ref": f"#/$defs/{name}"} for name in names]
    root = {"$defs": {name: {"anyOf": [*shapes, {"type": "string"}]} for name in names}}
    with processor_time() as cost:
        spec = SchemaReader(root).read(shapes[0], "a")
    assert spec.kind == "union"
    assert cost.processor < 1
