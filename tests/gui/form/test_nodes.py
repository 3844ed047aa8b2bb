from __future__ import annotations

from typing import Any

from desktop.gui.form.fields import ABSENT, FieldSpec
from desktop.gui.form.nodes import ArrayNode, JsonNode, Node, ObjectNode, ScalarNode

TEXT = FieldSpec("t", "string")
NUMBER = FieldSpec("n", "integer")


def make(spec: FieldSpec, value: Any) -> Node:
    return ScalarNode(spec, value)


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


def test_items_are_added_moved_and_removed() -> None:
    node = ArrayNode(FieldSpec("l", "array"), TEXT, make, ABSENT)
    assert node.is_absent
    for text in "abc":
        node.add(text)
    node.move(2, -1)
    node.remove(0)
    assert node.value() == ["c", "b"]
    node.set_value(None)
    assert node.is_null


def test_an_object_keeps_what_it_has_no_field_for_and_the_order_of_its_keys() -> None:
    spec = FieldSpec("o", "object", properties={"a": {}, "b": {}})
    node = ObjectNode(spec, lambda name: FieldSpec(name, "string"), make, {"z": 1, "b": "x"})
    dict(node.children())["a"].set_value("new")
    assert list(node.value().items()) == [("z", 1), ("b", "x"), ("a", "new")]


def test_other_properties_may_not_hide_a_field() -> None:
    spec = FieldSpec("o", "object", properties={"a": {}})
    node = ObjectNode(spec, lambda name: FieldSpec(name, "string"), make, {})
    node.type_other('{"a": 1}')
    assert "'a'" in node.other.problem
    node.type_other("[1]")
    assert "object" in node.other.problem
