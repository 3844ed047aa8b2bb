from __future__ import annotations

from typing import Any

from desktop.gui.form.alternatives import MOST_SHAPES, Alternatives, label_of, read_alternatives
from desktop.gui.form.references import References


def read(schema: Any) -> Alternatives | None:
    return read_alternatives(References({"$defs": {"A": {"type": "string"}}}), schema)


def test_one_shape_beside_null_is_that_shape() -> None:
    found = read({"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "T"})
    assert found == Alternatives({"type": "integer", "title": "T"}, has_null=True)


def test_constants_are_a_choice_with_titles() -> None:
    found = read({"oneOf": [{"const": 1, "title": "one"}, {"const": "b"}]})
    assert found == Alternatives({"enum": [1, "b"], "enumNames": ["one", "b"]})


def test_shapes_carry_what_all_share_and_the_name_they_were_referred_by() -> None:
    found = read({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "number"}], "title": "T", "minimum": 1})
    assert found
    assert [(shape.schema, shape.reference) for shape in found.shapes] == [
        ({"minimum": 1, "type": "string"}, "A"),
        ({"minimum": 1, "type": "number"}, ""),
    ]


def test_impossible_and_repeated_shapes_are_left_out() -> None:
    found = read({"type": "object", "anyOf": [{"type": "string"}, {"title": "a"}, {"title": "a"}]})
    assert found == Alternatives({"type": "object", "title": "a"})


def test_nothing_to_choose_from_and_too_much_are_none() -> None:
    assert read({"anyOf": []}) is None
    assert read({"anyOf": [{"type": "null"}]}) is None
    assert read({"anyOf": [{"title": str(n)} for n in range(MOST_SHAPES + 1)]}) is None


def test_a_choice_is_named_by_its_value() -> None:
    assert [label_of(value) for value in ("a", "", 1, None)] == ["a", '""', "1", "null"]
