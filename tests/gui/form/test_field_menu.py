from __future__ import annotations

from typing import Any

from desktop.gui.form.field_menu import actions_of, default_of, state_of
from desktop.gui.form.fields import ABSENT
from desktop.gui.form.nodes import ScalarNode
from desktop.gui.form.schema_reader import SchemaReader


def node(schema: Any, value: Any = ABSENT, *, required: bool = False) -> ScalarNode:
    return ScalarNode(SchemaReader({}).read(schema, "x", required=required), value)


def action_labels(of: ScalarNode) -> list[str]:
    return [action.label for action in actions_of(of)]


def test_each_action_is_offered_where_it_changes_something() -> None:
    schema = {"type": ["string", "null"], "default": "d"}
    assert action_labels(node(schema)) == ['Send empty text ""', "Send null"]
    assert action_labels(node(schema, "a")) == [
        'Send empty text ""', "Send null", "Use default: d", "Do not send",
    ]  # fmt: skip
    assert action_labels(node({"type": "integer"})) == []


def test_a_default_is_offered_unless_it_is_there_or_could_not_be_sent() -> None:
    assert default_of(node({"type": "integer", "default": 0})) is not None
    assert default_of(node({"type": "integer", "default": 0}, 0)) is None
    assert default_of(node({"type": "string", "default": None})) is None


def test_the_three_states_have_words() -> None:
    schema = {"type": ["string", "null"]}
    values = (ABSENT, None, "", "a")
    assert [state_of(node(schema, value)) for value in values] == [
        "not sent", "null", 'empty text ""', "",
    ]  # fmt: skip
    assert state_of(node(schema, required=True)) == ""
