from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

from desktop.tools.alternatives import flattened


def told(schema: Any, value: Any) -> list[str]:
    found: Any = Draft202012Validator(schema)
    return [str(each.validator) for error in found.iter_errors(value) for each in flattened(error)]


def test_an_error_without_alternatives_is_told_as_it_is() -> None:
    assert told({"type": "string"}, 1) == ["type"]


def test_the_branch_of_the_right_kind_is_told() -> None:
    schema = {"anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer"}]}
    assert told(schema, "long") == ["maxLength"]


def test_types_that_are_all_wrong_become_one_error() -> None:
    assert told({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1) == ["type"]


def test_more_than_one_match_is_told() -> None:
    assert told({"oneOf": [{}, True]}, 1) == ["oneOf"]
