"""A rule that was written down compares two values, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.tools.comparison import Comparison, RuleTextError
from desktop.tools.rules import RuleBook


def told(text: str, **arguments: Any) -> list[str]:
    return [str(issue) for issue in Comparison.parse(text)(arguments)]


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("end >= start", {"start": 1, "end": 1}, {"start": 2, "end": 1.5}),
        ("end>start", {"start": "2026-01-31", "end": "2026-02-01"}, {"start": "b", "end": "a"}),
        ("a < b", {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ("a <= 10", {"a": 10}, {"a": 11}),
        ("a.b[1] == 'x'".replace("'", '"'), {"a": {"b": [0, "x"]}}, {"a": {"b": [0, "y"]}}),
        ("mode != null", {"mode": "on"}, {"mode": None}),
        ("copy == true", {"copy": True}, {"copy": False}),
        (
            "end > start",
            {"start": "2026-01-31T10:00:00+02:00", "end": "2026-01-31T09:00:00Z"},
            {"start": "2026-01-31T10:00:00-02:00", "end": "2026-01-31T10:00:00Z"},
        ),
    ],
)
def test_a_comparison_holds_or_is_a_finding_at_its_left_side(
    text: str, good: Any, bad: Any
) -> None:
    rule = Comparison.parse(text)
    assert rule(good) == []
    (issue,) = rule(bad)
    assert (issue.path, issue.layer, issue.severity) == (rule.left, "rule", "error")


def test_the_finding_says_what_is_asked_and_by_which_rule() -> None:
    assert told("end >= start", start=2, end=1) == [
        "end: must not be less than start (your rule end >= start)"
    ]
    assert told("a.n > 0", a={"n": 0}) == ["a.n: must be more than 0 (your rule a.n > 0)"]


def test_what_is_not_there_is_not_compared() -> None:
    assert told("end >= start", start=2) == []
    assert told("a.b >= c[0]", a=5, c=[]) == []


@pytest.mark.parametrize(
    "text",
    ["", "end", "end >=", ">= start", "a = b", "a >= [1]", "a..b > 1", "a[x] > 1", "a > b c",
     "__import__('os') > 1 or", "a > " + "b" * 1000],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(RuleTextError, match=r"is no|compares with"):
        Comparison.parse(text)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": 1, "end": "2"},
        {"start": [1], "end": [0]},
        {"start": True, "end": False},
        {"start": "2026-01-31T10:00:00", "end": "2026-01-31T10:00:00Z"},
    ],
)
def test_what_has_no_order_is_a_warning_that_names_the_rule(arguments: Any) -> None:
    book = RuleBook()
    book.add("*", Comparison.parse("end > start"), "end > start")
    (issue,) = book.check("a:b", arguments)
    assert issue.severity == "warning"
    assert "'end > start' could not be applied" in issue.message
