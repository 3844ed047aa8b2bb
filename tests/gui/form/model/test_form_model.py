from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from desktop.gui.form.model.form_model import (
    MAX_FIELDS,
    FormModel,
    FormState,
    restore_state,
    unread_texts,
)
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.model.union_node import UnionNode
from desktop.values.json_schema import object_of, same_json
from tests.gui.form.hard_schemas import HARD
from tests.gui.form.schema_values import draw, draw_object

SCHEMA = {"properties": {"name": {"type": "string"}, "any": {}}}


def test_texts_without_a_value_go_over_too() -> None:
    model, other = FormModel(SCHEMA), FormModel(SCHEMA)
    node = model.find(("any",))
    assert isinstance(node, JsonNode)
    node.type_text("{oh")
    state = FormState({"name": "x"}, unread=unread_texts(model))
    assert state.unread == ((("any",), "{oh"),)
    restore_state(other, state)
    assert other.value() == {"name": "x"}
    assert unread_texts(other) == state.unread
    restore_state(FormModel({}), state)  # no place for it there


@pytest.mark.parametrize(
    ("state", "is_empty"),
    [
        (FormState({}), True),
        (FormState({}, text="{}"), True),
        (FormState({}, text=" "), True),
        (FormState({"a": None}), False),
        (FormState({}, text="{oh"), False),
        (FormState({}, unread=((("any",), "x"),)), False),
    ],
)
def test_nobody_misses_what_is_empty(state: FormState, is_empty: Any) -> None:
    assert state.is_empty == is_empty


CORPUS = Path(__file__).parents[5] / "shared" / "corpus"
TOOLS: list[Any] = [
    pytest.param(tool["inputSchema"], id=f"{file.stem}:{tool['name']}")
    for file in sorted(CORPUS.glob("*.json"))
    for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]
]

RECURSIVE = {
    "properties": {
        "name": {"type": "string"},
        "child": {"$ref": "#"},
        "all": {"items": {"$ref": "#"}},
    }
}
ODD: list[tuple[Any, Any]] = [
    (RECURSIVE, {"child": {"child": {"name": "x"}}, "all": [{"all": []}]}),
    ({"properties": {"a": True, "b": False}}, {"a": [1], "b": None}),
    ({"properties": {"t": {"items": [{"type": "string"}, {"type": "number"}]}}}, {"t": ["a", 1]}),
    ({"properties": {"e": {"enum": ["a", 1, None, ""]}}}, {"e": None}),
    ({"properties": {"n": {"type": "integer"}}}, {"n": 2**53 + 1}),
    ({"properties": {"n": {"type": "integer"}}}, {"n": "12"}),
    ({"properties": {"n": {"type": "number"}}}, {"n": True}),
    ({"properties": {"s": {"type": "string"}}}, {"s": "a\r\nb\u00a0\ud800"}),
    ({"properties": {"s": {"type": "string"}}}, {"s": ""}),
    ({"properties": {"s": {"type": ["string", "null"]}}}, {"s": None}),
    ({"properties": {"s": {"type": "string"}}}, {"s": None}),
    ({"properties": {"b": {"type": "boolean"}}}, {"b": 1}),
    ({"properties": {"o": {"properties": {"a": {}}}}}, {"o": {"z": {"deep": [1]}, "a": 1}}),
    ({"properties": {"o": {"properties": {"a": {}}}}}, {"o": [1]}),
    ({"allOf": [{"properties": {"a": {"type": "string"}}}], "required": ["a"]}, {"a": "x"}),
    ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": "y"}),
    (
        {"properties": {"a b": {"type": "string"}, "名": {}, "$ref": {}, "@": {}}},
        {"a b": "1", "名": 2, "$ref": 3},
    ),
    ({"properties": {"c": {"const": 1}}}, {"c": 1.5}),
    ({}, {"any": {"thing": [None, True, 0.5]}}),
]
"""Schema and value: what servers in the wild do not show, but may."""


@pytest.mark.parametrize(("schema", "value"), ODD)
def test_a_value_comes_out_as_it_went_in(schema: Any, value: Any) -> None:
    model = FormModel(schema)
    model.set_value(value)
    assert json.dumps(model.value()) == json.dumps(value)


@pytest.mark.parametrize(
    "schema", [True, False, None, 5, [], "x", {"type": "array"}, {"properties": []}]
)
def test_any_json_may_stand_where_the_schema_should(schema: Any) -> None:
    model = FormModel(schema)
    assert model.value() == {}
    assert isinstance(model.issues(), list)


@pytest.mark.parametrize("schema", TOOLS)
def test_an_untouched_form_of_a_real_tool_sends_nothing_optional(schema: Any) -> None:
    assert set(FormModel(schema).value()) <= set(schema.get("required", ()))


@pytest.mark.parametrize("schema", TOOLS)
def test_a_filled_form_of_a_real_tool_gives_its_value_back(schema: Any) -> None:
    value = {name: example(each, schema) for name, each in schema.get("properties", {}).items()}
    model = FormModel(schema)
    model.set_value(value)
    assert json.dumps(model.value()) == json.dumps(value)


def test_a_default_is_offered_but_never_sent_unseen() -> None:
    model = FormModel({"properties": {"a": {"type": "integer", "default": 3}}, "required": ["a"]})
    assert model.value() == {}


def test_an_untouched_form_sends_only_what_cannot_be_otherwise() -> None:
    """A required constant, and a required object as the frame of its fields; no empty list."""
    properties = {
        "l": {"type": "array", "items": {"type": "string"}},
        "o": {"properties": {"p": {"type": "string"}}},
        "c": {"const": "v1"},
    }
    assert FormModel({"properties": properties, "required": ["l", "o", "c"]}).value() == {
        "o": {}, "c": "v1",
    }  # fmt: skip
    assert FormModel({"properties": properties}).value() == {}


def test_a_recursive_schema_is_drawn_as_far_as_it_is_opened() -> None:
    model = FormModel(RECURSIVE)
    child = model.find(("child",))
    assert isinstance(child, ObjectNode)
    child.open()
    model.find(("child", "name")).set_value("x")
    assert model.value() == {"child": {"name": "x"}}


def test_required_recursion_ends_too() -> None:
    model = FormModel(
        {"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}, "required": ["a", "b"]}
    )
    assert sum(1 for _ in model.walk()) < 3 * MAX_FIELDS


def test_too_many_fields_become_one_json_field() -> None:
    wide = {"properties": {f"p{n}": {"type": "string"} for n in range(10_000)}}
    model = FormModel(wide)
    model.set_value({"p1": "x", "q": 1})
    assert isinstance(model.root, JsonNode)
    assert model.value() == {"p1": "x", "q": 1}
    long = FormModel({"properties": {"l": {"items": {"type": "integer"}}}})
    long.set_value({"l": list(range(5000))})
    assert isinstance(long.find(("l",)), JsonNode)


def test_broken_text_is_the_only_issue_at_its_place() -> None:
    model = FormModel({"properties": {"j": {"type": "object"}}, "required": ["j"]})
    node = model.find(("j",))
    assert isinstance(node, JsonNode)
    node.type_text("{")
    assert model.has_broken_text()
    assert [issue.where for issue in model.issues()] == ["j"]


def test_an_item_that_was_not_filled_in_is_an_error() -> None:
    model = FormModel({"properties": {"l": {"items": {"type": "integer"}}}})
    node = model.find(("l",))
    assert isinstance(node, ArrayNode)
    node.add()
    assert [str(issue) for issue in model.issues()] == ["l[0]: is not filled in yet"]


def test_an_unreadable_number_is_an_error_in_words() -> None:
    model = FormModel({"properties": {"n": {"type": "integer"}}})
    node = model.find(("n",))
    assert isinstance(node, ScalarNode)
    node.type_text("12a")
    assert [str(issue) for issue in model.issues()] == ["n: must be a whole number, is text"]


def test_the_model_needs_no_qt() -> None:
    code = "import sys, desktop.gui.form.model.form_model; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0


def example(schema: Any, root: Any, depth: int = 0) -> Any:
    """Some value that fits a real schema well enough to fill its field."""
    if "$ref" in schema and depth < 6:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return example(root.get("$defs", {}).get(name, {}), root, depth + 1)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "array":
        return [example(schema.get("items", {}), root, depth + 1)]
    if kind == "object":
        return {n: example(s, root, depth + 1) for n, s in schema.get("properties", {}).items()}
    plain = {"string": "text\u00a0中", "integer": 2**60, "number": 0.1, "boolean": False}
    return plain.get(kind) if isinstance(kind, str) else {"any": [1, None]}


HARD_ONES = [pytest.param(schema, id=name) for name, schema in HARD.items()]


@pytest.mark.parametrize("schema", HARD_ONES + TOOLS)
def test_whatever_is_drawn_from_a_schema_comes_out_as_it_went_in(schema: Any) -> None:
    """Types too: 1, 1.0 and true are three values. A draw need not fit the schema."""
    random = Random(20)
    for _ in range(4):
        value = draw_object(schema, random, schema, 0)
        drawn = draw(schema, random)
        for each in (value, object_of(drawn)):
            model = FormModel(schema)
            model.set_value(each)
            assert same_json(model.value(), each), json.dumps(each)


@pytest.mark.parametrize("schema", HARD_ONES)
def test_a_hard_schema_is_drawn_in_bounds_and_holds_nothing_but_constants(schema: Any) -> None:
    model = FormModel(schema)
    fields = [node for _, node in model.walk()]
    assert len(fields) <= 2 * MAX_FIELDS
    frames = ObjectNode | UnionNode
    filled = [node for node in fields if not node.is_absent and not isinstance(node, frames)]
    assert all(node.spec.kind == "const" and node.spec.required for node in filled)


def test_a_constant_is_not_added_to_a_value_that_was_given() -> None:
    properties = {"c": {"const": 1}, "o": {"properties": {"c": {"const": 1}}, "required": ["c"]}}
    model = FormModel({"properties": properties, "required": ["c", "o"]})
    assert model.value() == {"c": 1, "o": {"c": 1}}
    given: list[dict[str, Any]] = [{}, {"o": {}}]
    for value in given:
        model.set_value(value)
        assert model.value() == value
