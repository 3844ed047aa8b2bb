"""Details of findings that somebody leans on: their codes, where texts are cut, what is counted."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.redaction.policy import find_secret_values
from desktop.tool_types import ToolResult
from desktop.tools.output_check import check_output
from desktop.tools.validation import budget, find_misfits, validate, validator
from desktop.tools.validation.budget import validation_budget
from desktop.tools.validation.patterns import UncheckedPatternError, matches
from desktop.tools.validation.rules import Comparison

ONE_OF: Any = {
    "oneOf": [
        {"properties": {"a": {"default": 1}}, "required": ["a"]},
        {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
    ]
}


def words(schema: Any, value: Any) -> list[str]:
    return [issue.message for issue in find_misfits(schema, value)]


def test_one_option_too_many_is_counted() -> None:
    (message,) = words({"enum": list(range(13))}, "x")
    assert message.endswith(" and 1 more")
    (message,) = words({"enum": list(range(12))}, "x")
    assert "more" not in message


def test_a_pattern_of_two_hundred_letters_is_shown_whole() -> None:
    for length, shown in ((200, "(" + "x" * 199), (201, "(" + "x" * 199 + "…")):
        with pytest.raises(UncheckedPatternError) as caught:
            matches("(" + "x" * (length - 1), "y")
        assert f"'{shown}'" in str(caught.value)


def test_findings_have_codes() -> None:
    (issue,) = Comparison.parse("a > b")({"a": 1, "b": 2})
    assert issue.code == "comparison"
    (issue,) = find_misfits([], {})
    assert issue.code == "oddSchema"


def test_a_check_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_STEPS", 10)
    schema = {"items": {"type": "integer", "minimum": 0}}
    assert any("too complex" in message for message in words(schema, [1] * 100))


def test_a_check_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise LookupError("a fault of the library")

    monkeypatch.setattr(validator.CompiledSchema, "errors", fail)
    (message,) = words({"type": "integer", "title": "of its own"}, "x")
    assert message == "The tool's schema cannot be checked: a fault of the library"


def test_the_parts_of_a_schema_are_counted_to_its_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validator, "MAX_SCHEMA_PARTS", 5)
    schema: Any = {"title": "a schema of a test of its own"}
    for _ in range(6):
        schema = {"not": schema}
    (message,) = words(schema, {})
    assert "more than 5 parts" in message


def test_the_time_of_patterns_is_counted() -> None:
    with validation_budget({}) as spent:
        assert spent.matches("a+b", "a" * 2_000) is False
        assert spent.pattern_seconds > 0


def test_a_default_forbids_nothing_that_fits_as_it_is() -> None:
    assert validate(ONE_OF, {"b": 2}) == []


async def test_what_only_concerns_whoever_fills_in_is_no_misfit_of_a_result() -> None:
    schema = {"type": "object", "properties": {"old": {"deprecated": True}}}
    assert await check_output(schema, ToolResult(True, structured={"old": 1})) == ()


def test_a_secret_is_found_beside_the_signs_of_all_others() -> None:
    signs = "sk- gh glpat- xox AKIA AIza hf_ npm_ eyJ -----BEGIN "
    secret = "ghp_" + "a1B2" * 9
    assert secret in find_secret_values(f"{signs} {secret}")
