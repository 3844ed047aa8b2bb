from __future__ import annotations

from typing import Any

from desktop.gui.form.model.field_spec import ABSENT
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.nodes import JsonNode, ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from tests.gui.form.hard_schemas import HARD

MAP = {"type": "object", "additionalProperties": {"type": "integer"}}


def node(schema: Any, value: Any = ABSENT) -> ObjectNode:
    model = FormModel({"properties": {"o": schema}})
    if value is not ABSENT:
        model.set_value({"o": value})
    found = model.find(("o",))
    assert isinstance(found, ObjectNode)
    return found


def test_it_keeps_what_it_has_no_field_for_and_the_order_of_its_keys() -> None:
    found = node(
        {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}, {"z": 1, "b": "x"}
    )
    dict(found.children())["a"].set_value("new")
    assert list(found.value().items()) == [("z", 1), ("b", "x"), ("a", "new")]


def test_keys_are_added_named_renamed_and_removed() -> None:
    found = node(MAP)
    assert found.is_map
    entry = found.add_entry()
    assert (found.value(), str(entry.problem)) == ({}, "needs a name")
    found.rename_entry(entry, "a")
    entry.node.set_value(1)
    found.rename_entry(entry, "b")
    assert found.value() == {"b": 1}
    found.remove_entry(entry)
    assert found.value() == {}


def test_a_key_that_is_there_already_is_said_and_not_sent() -> None:
    found = node({**MAP, "properties": {"own": {}}}, {"a": 1})
    for key in ("a", "own"):
        entry = found.add_entry()
        found.rename_entry(entry, key)
        assert str(entry.problem) == "already exists"
        assert found.problem
        found.remove_entry(entry)
    assert (found.value(), found.problem) == ({"a": 1}, "")


def test_the_value_has_the_shape_that_the_schema_gives_its_key() -> None:
    schema = HARD["free keys of a pattern"]["properties"]["x"]
    found = node(schema)
    entry = found.add_entry()
    kinds: list[str] = []
    for key in ("n1", "s1", "other"):
        found.rename_entry(entry, key)
        kinds.append(entry.node.spec.kind)
    assert kinds == ["number", "string", "json"]
    assert str(entry.problem) == "must match ^s or ^n"


def test_names_have_rules_too() -> None:
    found = node(HARD["names under a rule"]["properties"]["x"], {"UP": "x"})
    assert found.entries[0].problem
    assert found.value() == {"UP": "x"}


def test_a_full_object_takes_no_more_keys() -> None:
    found = node({**MAP, "maxProperties": 1}, {"a": 1})
    assert not found.may_add


def root_of(schema: Any) -> tuple[FormModel, ObjectNode]:
    model = FormModel(schema)
    assert isinstance(model.root, ObjectNode)
    return model, model.root


def test_fields_come_and_go_with_their_condition_and_keep_what_was_typed() -> None:
    model, root = root_of(HARD["if then else"])
    model.find(("kind",)).set_value("a")
    model.apply_conditions()
    model.find(("for_a",)).set_value(5)
    assert model.value() == {"kind": "a", "for_a": 5}
    model.find(("kind",)).set_value("b")
    assert model.value() == {"kind": "b"}
    assert list(root.fields or ()) == ["kind", "for_b"]
    model.find(("kind",)).set_value("a")
    assert model.value() == {"kind": "a", "for_a": 5}


def test_a_field_becomes_required_while_another_is_filled_in() -> None:
    model, root = root_of(HARD["dependent"])
    name = model.find(("name",))
    told: list[int] = []
    root.reshaped = lambda: told.append(1)
    for value, is_required in ((1, True), (ABSENT, False)):
        model.find(("card",)).set_value(value)
        model.apply_conditions()
        assert model.find(("name",)) is name
        assert name.spec.required == is_required
    assert len(told) == 2


def test_what_belongs_to_another_condition_is_kept_as_a_free_key() -> None:
    model, root = root_of(HARD["if then else"])
    model.set_value({"kind": "b", "for_a": 5})
    assert isinstance(model.root, ObjectNode)
    assert [entry.key for entry in model.root.entries] == ["for_a"]
    model.find(("kind",)).set_value("a")
    assert model.value() == {"kind": "a", "for_a": 5}
    assert isinstance(model.find(("for_a",)), ScalarNode | JsonNode)
    assert root is not model.root
