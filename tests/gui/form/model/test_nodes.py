from __future__ import annotations

from typing import Any

from desktop.gui.form.model.field_spec import ABSENT, FieldSpec
from desktop.gui.form.model.form_model import FormModel
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, ScalarNode

PAIR = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}


def node(schema: Any, value: Any = ABSENT) -> ArrayNode:
    model = FormModel({"properties": {"l": schema}})
    if value is not ABSENT:
        model.set_value({"l": value})
    found = model.find(("l",))
    assert isinstance(found, ArrayNode)
    return found


def test_items_are_added_moved_and_removed() -> None:
    found = node({"items": {"type": "string"}})
    assert found.is_absent
    for text in "abc":
        found.add(text)
    found.move(2, -1)
    found.remove(0)
    assert found.value() == ["c", "b"]
    found.set_value(None)
    assert found.is_null


def test_the_places_of_a_tuple_are_there_and_its_empty_end_is_not_sent() -> None:
    found = node(PAIR)
    found.open()
    assert (len(found.items or ()), found.value()) == (2, [])
    (found.items or [])[1].set_value(5)
    assert found.value() == [None, 5]
    assert found.is_needed(0)
    assert not found.may_add


def test_a_tuple_may_have_a_tail() -> None:
    found = node({**PAIR, "items": {"type": "boolean"}}, ["a", 1, True])
    found.add(False)
    assert found.value() == ["a", 1, True, False]
    assert found.item_spec.kind == "boolean"


def test_a_full_list_takes_no_more() -> None:
    found = node({"items": {"type": "string"}, "maxItems": 2}, ["a"])
    assert found.may_add
    found.add()
    assert not found.may_add


TEXT = FieldSpec("t", "string")
NUMBER = FieldSpec("n", "integer")


def test_erased_text_is_not_sent_and_empty_text_has_to_be_asked_for() -> None:
    node = ScalarNode(TEXT)
    node.type_text("a")
    node.type_text("")
    assert node.is_absent
    node.set_value("")
    assert node.value() == ""


def test_an_item_of_a_list_may_be_empty_text() -> None:
    node = ScalarNode(FieldSpec("", "string", in_list=True), "a")
    node.type_text("")
    assert node.value() == ""


def test_numbers_of_any_size_are_kept_and_unreadable_ones_stay_as_typed() -> None:
    node = ScalarNode(NUMBER)
    for text, value in (("9007199254740993", 2**53 + 1), ("1e400", 10**400), ("12a", "12a")):
        node.type_text(text)
        assert (node.value(), node.text) == (value, text)


def test_a_number_with_more_digits_than_can_be_sent_says_so() -> None:
    node = ScalarNode(FieldSpec("n", "number"))
    node.type_text("0.1234567890123456789")
    assert "0.12345678901234568" in node.note


def test_json_text_that_is_wrong_stays_and_has_no_value() -> None:
    node = JsonNode(FieldSpec("j"), {"a": 1})
    node.type_text('{"a": ')
    assert node.is_absent
    assert node.text == '{"a": '
    assert node.problem.startswith("line 1, column")
