"""The parameters of a tool as a flat list; odd schemas have fewer of them, never an error."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.parameters import Parameter, parameters

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where."},
        "unit": {"type": ["string", "null"], "enum": ["C", "F", None], "default": None},
        "any": True,
    },
    "required": ["city"],
}


def test_parameters_are_those_of_the_schema_in_its_order() -> None:
    assert parameters(SCHEMA) == (
        Parameter("city", "string", "Where.", required=True),
        Parameter("unit", "string | null", enum=("C", "F", None), has_default=True),
        Parameter("any", "any"),
    )


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": None},
        {"properties": []},
        {"properties": {}, "required": 7},
        {"type": "array"},
    ],
)
def test_a_schema_without_parameters_has_none(schema: dict[str, Any]) -> None:
    assert parameters(schema) == ()


def test_odd_parts_of_a_schema_are_passed_over() -> None:
    odd: dict[str, Any] = {
        "properties": {"a": {"type": 7, "description": [], "enum": "x"}},
        "required": None,
    }
    assert parameters(odd) == (Parameter("a", "7", enum=("x",)),)
