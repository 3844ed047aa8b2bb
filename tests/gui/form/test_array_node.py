from __future__ import annotations

from typing import Any

from desktop.gui.form.array_node import ArrayNode
from desktop.gui.form.fields import ABSENT
from desktop.gui.form.model import FormModel

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
