from __future__ import annotations

import pytest

from desktop.tools.patterns import UncheckedPatternError, matches


def test_a_pattern_is_searched_not_anchored() -> None:
    assert matches("b+", "abbc")
    assert not matches("^b", "abbc")


def test_a_named_group_of_ecmascript_is_understood() -> None:
    assert matches(r"^(?<year>\d{4})-(?<=-)x$", "2026-x")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[a-z0-9]+(?:-[a-z0-9]+)*$", "some-slug" * 20),
        (r"^(\w+\.)*\w+$", "a.b.c" * 20),
        (r"^\S+@\S+\.\S+$", "person@example.com"),
    ],
)
def test_common_patterns_are_run_on_long_text(pattern: str, text: str) -> None:
    assert matches(pattern, text)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a{1,5})*$", "(.*)*!", r"\p{L}", "(", 5])
def test_a_pattern_that_could_hang_or_is_foreign_is_refused(pattern: object) -> None:
    with pytest.raises(UncheckedPatternError):
        matches(pattern, "a" * 60 + "!")
