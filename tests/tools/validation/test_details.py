"""Details of findings that somebody leans on: their codes, where texts are cut, what is counted."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.validation import budget, find_misfits, validator
from desktop.tools.validation.budget import validation_budget
from desktop.tools.validation.patterns import UncheckedPatternError, matches
from desktop.tools.validation.rules import Comparison


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
