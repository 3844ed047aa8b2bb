from __future__ import annotations

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.nodes import JsonNode, ScalarNode

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
