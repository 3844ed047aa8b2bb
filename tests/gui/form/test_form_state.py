from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.form_state import FormState, put_back, unread_texts
from desktop.gui.form.model import FormModel
from desktop.gui.form.nodes import JsonNode

SCHEMA = {"properties": {"name": {"type": "string"}, "any": {}}}


def test_texts_without_a_value_go_over_too() -> None:
    model, other = FormModel(SCHEMA), FormModel(SCHEMA)
    node = model.find(("any",))
    assert isinstance(node, JsonNode)
    node.type_text("{oh")
    state = FormState({"name": "x"}, unread=unread_texts(model))
    assert state.unread == ((("any",), "{oh"),)
    put_back(other, state)
    assert other.value() == {"name": "x"}
    assert unread_texts(other) == state.unread
    put_back(FormModel({}), state)  # no place for it there


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
