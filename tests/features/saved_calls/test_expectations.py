"""Each expectation met and not met, and the words for the difference."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from desktop.features.saved_calls.expectations import MAX_DIFFERENCES, differences
from desktop.features.saved_calls.saved_call import Expectations
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult, ValidationIssue

OK = ToolResult(
    True, "three: 3", structured={"n": 3, "list": [{"x": 1}, {"x": 2}]}, execution_time=0.5
)
SLOW = ToolResult(
    False, error=ToolError("Timeout", "took too long", ErrorCode.TIMEOUT), execution_time=9
)


def said(expect: dict[str, Any], result: ToolResult = OK) -> list[str]:
    return [
        difference.message
        for difference in differences(Expectations.model_validate(expect), result)
    ]


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"contains": ["three", "3"]},
        {"equals": {"n": 3}},
        {"equals": {"n": 3.0, "list[-1].x": 2}},
        {"equals": {"": {"list": [{"x": 1}, {"x": 2}], "n": 3}}},
        {"matches": {"type": "object", "required": ["n"]}},
        {"seconds": 0.5},
    ],
)
def test_these_are_met(expect: dict[str, Any]) -> None:
    assert said(expect) == []


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"contains": "four"}, ['"four" is not in the output: three: 3']),
        ({"equals": {"n": 4}}, ["n: expected 4, got 3"]),
        ({"equals": {"n": True}}, ["n: expected true, got 3"]),
        ({"equals": {"m": None}}, ["m is missing, expected null"]),
        ({"equals": {"list[1]": {"x": 3}}}, ["list[1].x: expected 3, got 2"]),
        ({"equals": {"list[0]": {}}}, ["list[0].x was not expected: 1"]),
        ({"equals": {"list": [1]}}, ['list: expected [1], got [{"x": 1}, {"x": 2}]']),
        (
            {"equals": {"": 5}},
            ['the whole: expected 5, got {"n": 3, "list": [{"x": 1}, {"x": 2}]}'],
        ),
        ({"matches": {"properties": {"n": {"type": "string"}}}}, ["n: must be text"]),
        ({"seconds": 0.1}, ["it took 0.5 s, expected at most 0.1 s"]),
        ({"error": True}, ["an error was expected, but the call succeeded: three: 3"]),
        ({"error": "timeout"}, ["timeout was expected, got success"]),
    ],
)
def test_these_are_not_and_the_difference_is_said(expect: dict[str, Any], words: list[str]) -> None:
    found = said(expect)
    assert len(found) == len(words)
    for one, other in zip(found, words, strict=True):
        assert one.startswith(other.split("must be")[0])


@pytest.mark.parametrize("error", [True, "timeout"])
def test_an_expected_error_is_no_difference(error: object) -> None:
    assert said({"error": error, "contains": "too long"}, SLOW) == []


def test_an_error_that_was_not_expected_is_the_only_thing_said_of_the_content() -> None:
    words = said({"contains": "x", "equals": {"a": 1}}, SLOW)
    assert words == ["no error was expected, but timeout: took too long"]
    assert said({"error": "tool_error"}, SLOW) == [
        "tool_error was expected, got timeout: took too long"
    ]


def test_a_failed_call_that_was_slow_too_says_both() -> None:
    assert len(said({"seconds": 1}, SLOW)) == 2


def test_without_structured_content_the_output_is_read_as_json() -> None:
    assert said({"equals": {"[0].a": 1}}, ToolResult(True, '[{"a": 1}]')) == []
    assert said({"equals": {"a": 1}}, ToolResult(True, "words")) == [
        "there is no structured content, and the output is no JSON: words"
    ]
    assert said({"matches": {"type": "string"}}, ToolResult(True, "words")) == [
        "there is nothing to match: the output is no JSON"
    ]


def test_many_differences_are_cut_and_long_values_shortened() -> None:
    result = ToolResult(True, structured=list(range(500)))
    found = differences(Expectations(equals={"": [9] * 500}), result)
    assert len(found) == MAX_DIFFERENCES
    long = said({"contains": "a"}, ToolResult(True, "x" * 10_000))
    assert len(long[0]) < 400


def test_a_value_of_any_depth_is_compared() -> None:
    deep: Any = 1
    other: Any = 2
    for _ in range(50_000):
        deep, other = [deep], [other]
    assert len(differences(Expectations(equals={}), ToolResult(True, structured=deep))) == 0
    found = differences(
        Expectations.model_construct(equals={"": deep}), ToolResult(True, structured=other)
    )
    assert len(found) == 1


@pytest.mark.parametrize("schema", [{"type": 7}, {"$ref": "#/nowhere"}])
def test_a_schema_that_cannot_be_checked_is_never_met(schema: dict[str, Any]) -> None:
    assert "the schema of matches cannot be used" in said({"matches": schema})[0]


def test_the_tools_own_output_schema_is_expected_unless_the_call_says_otherwise() -> None:
    wrong = ValidationIssue(("n",), "type", "must be text, is a whole number")
    odd = ValidationIssue((), "rule", "could not be checked", "warning")
    broken = replace(OK, output_issues=(wrong, odd))
    (words,) = said({}, broken)
    assert "breaks the tool's own outputSchema" in words
    assert "must be text" in words
    assert said({"output": "unchecked"}, broken) == []
    assert said({}, replace(OK, output_issues=(odd,))) == []
    assert "breaks" in said({"contains": "three"}, broken)[0]
    assert not any(
        "breaks" in one for one in said({"error": True}, replace(broken, error=SLOW.error))
    )
