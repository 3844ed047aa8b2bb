"""Values as Gemini takes them."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.gemini_values import with_values
from desktop.llm.formats.report import Report

TEXT = {"type": "string", "enum": ["x"]}


WHAT_CAN_BE_SAID_EXACTLY: list[tuple[Any, Any]] = [
    ({"const": "x"}, TEXT),
    ({"type": "string", "const": "x", "title": "t"}, {"title": "t", **TEXT}),
    ({"const": None}, {"type": "null"}),
    ({"const": 5}, {"type": "integer", "enum": [5]}),
    ({"const": 1.5}, {"type": "number", "enum": [1.5]}),
    ({"type": ["string", "null"], "enum": ["x", None]}, {"anyOf": [TEXT, {"type": "null"}]}),
    ({"type": "string", "enum": ["", "x"]}, {"anyOf": [TEXT, {"type": "string", "maxLength": 0}]}),
    ({"type": "string", "enum": ["x", None, 1]}, TEXT),
    ({"enum": [True, False]}, {"type": "boolean"}),
]


@pytest.mark.parametrize(("node", "told"), WHAT_CAN_BE_SAID_EXACTLY)
def test_what_can_be_said_exactly_is(node: Any, told: Any) -> None:
    report = Report()
    assert with_values(node, (), report) == told
    assert report.loosened == 0


WHAT_CANNOT_IS_LOOSER_AN: list[tuple[Any, Any]] = [
    ({"const": True}, {"description": "one of [true]", "type": "boolean"}),
    ({"const": {"a": 1}}, {"description": 'one of [{"a": 1}]', "type": "object"}),
    ({"type": "integer", "enum": ["1"]}, {"type": "integer"}),
    (
        {"enum": ["x", None], "anyOf": [{}]},
        {"anyOf": [{}], "description": 'one of ["x", null]'},
    ),
]


@pytest.mark.parametrize(("node", "told"), WHAT_CANNOT_IS_LOOSER_AN)
def test_what_cannot_is_looser_and_told(node: Any, told: Any) -> None:
    report = Report()
    assert with_values(node, (), report) == told
    assert report.loosened == 1


@pytest.mark.parametrize("node", [{"type": "string"}, TEXT, {"type": "integer", "enum": [1, 2]}])
def test_what_is_fine_stays_as_it_is(node: Any) -> None:
    assert with_values(node, (), Report()) is node
