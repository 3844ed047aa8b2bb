"""Rules speak for the tools they were added for; a faulty one is named and stops nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.tool_types import ValidationIssue
from desktop.tools.rules import MOST_ISSUES, RuleBook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.tool_types import JsonObject


def end_after_start(arguments: JsonObject) -> Iterator[ValidationIssue]:
    if arguments["end"] < arguments["start"]:
        yield ValidationIssue(("end",), "rule", "must not be before start")


def test_a_rule_is_held_against_the_tools_whose_key_matches() -> None:
    book = RuleBook()
    book.add("calendar:book", end_after_start)
    assert [str(one) for one in book.check("calendar:book", {"start": 2, "end": 1})] == [
        "end: must not be before start"
    ]
    assert book.check("calendar:book", {"start": 1, "end": 2}) == []
    assert book.check("calendar:other", {"start": 2, "end": 1}) == []


@pytest.mark.parametrize("pattern", ["calendar:*", "*:book", "*"])
def test_a_star_stands_for_any_part_of_the_key(pattern: str) -> None:
    book = RuleBook()
    book.add(pattern, end_after_start)
    assert book.check("calendar:book", {"start": 2, "end": 1})


def test_a_rule_can_be_taken_out_again_twice_over() -> None:
    book = RuleBook()
    first, second = book.add("*", end_after_start), book.add("*", end_after_start)
    first()
    first()
    assert len(book.check("a:b", {"start": 2, "end": 1})) == 1
    second()
    assert book.check("a:b", {"start": 2, "end": 1}) == []


async def _late(_: Any) -> list[ValidationIssue]:
    return []


def _number(_: Any) -> int:
    return 5


def _words(_: Any) -> list[str]:
    return ["no finding"]


def _without_parameters() -> list[ValidationIssue]:
    return []


def _endless(_: Any) -> Iterator[ValidationIssue]:
    while True:
        yield ValidationIssue((), "rule", "again")


@pytest.mark.parametrize(
    "rule",
    [
        end_after_start,  # raises: there is no start
        _number,
        _words,
        _late,
        _without_parameters,
    ],
)
def test_a_rule_that_fails_is_a_warning_that_names_it(rule: Any) -> None:
    book = RuleBook()
    book.add("*", rule, "the rule of the house")
    (found,) = book.check("a:b", {})
    assert (found.severity, found.code) == ("warning", "ruleFailed")
    assert "the rule of the house" in found.message


def test_a_rule_may_find_nothing_or_without_end() -> None:
    book = RuleBook()
    book.add("*", lambda _: None)
    assert book.check("a:b", {}) == []
    book.add("*", _endless)
    assert len(book.check("a:b", {})) == MOST_ISSUES
