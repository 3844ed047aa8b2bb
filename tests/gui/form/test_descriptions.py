from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.gui.form.descriptions import limits_label, placeholder_text, type_label, value_label
from desktop.gui.form.model.schema_reader import SchemaReader

if TYPE_CHECKING:
    from desktop.gui.form.model.field_spec import FieldSpec


def spec(schema: Any) -> FieldSpec:
    return SchemaReader({}).read(schema, "x")


def test_types_are_words() -> None:
    assert type_label(spec({"type": "string", "format": "uri"})) == "text (uri)"
    assert type_label(spec({"type": ["integer", "null"]})) == "whole number or null"
    assert type_label(spec({"type": ["integer", "string"]})) == "one of several"
    assert type_label(spec({"anyOf": 5})) == "JSON"


def test_limits_are_words_and_odd_ones_are_left_out() -> None:
    limits = {"type": "integer", "minimum": 0, "maximum": "big", "multipleOf": True}
    assert limits_label(spec(limits)) == "at least 0"
    assert limits_label(spec({"type": "string", "maxLength": 5, "pattern": "^a"})) == (
        "at most 5 characters · pattern ^a"
    )


def test_a_placeholder_says_that_it_is_only_one() -> None:
    assert placeholder_text(spec({"type": "integer", "default": 3})) == "default: 3"
    assert placeholder_text(spec({"type": "string", "examples": ["a"]})) == "for example a"
    assert placeholder_text(spec({"type": "string", "default": None})) == ""


def test_values_are_shown_short() -> None:
    assert len(value_label("x" * 900)) < 50
    assert value_label("") == '""'
