"""Formats know good from bad; a pattern is tried only where it cannot hang."""

from __future__ import annotations

import pytest

from desktop.tools.validation.formats import (
    MAX_MATCH_STEPS,
    MAX_RISKY_TEXT,
    UncheckedPatternError,
    conforms,
    is_certain,
    matches,
)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2026-01-31", "2026-02-31"),
        ("date", "2026-01-31", "20260131"),
        ("date-time", "2026-01-31T10:00:00Z", "2026-01-31"),
        ("date-time", "2026-01-31 10:00:00", "2026-01-31T25:00:00Z"),
        ("time", "10:00:00", "25:00"),
        ("uri", "https://example.com/a", "example"),
        ("uri", "data:text/plain," + "x" * 100_000, "https://exa mple.com"),
        ("url", "file:///a", "http://[1"),
        ("uuid", "00000000-0000-4000-8000-000000000000", "0"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("ipv6", "::1", "1::2::3"),
        ("email", "a@b.c", "a"),
    ],
)
def test_a_certain_format_knows_good_from_bad(name: str, good: str, bad: str) -> None:
    assert is_certain(name)
    assert conforms(good, name)
    assert not conforms(bad, name)
    assert conforms(5, name)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("hostname", "example.com", "-a.com"),
        ("hostname", "localhost", "a..b"),
        ("hostname", "a" * 63 + ".com.", "a" * 64),
        ("idn-hostname", "例子.测试", "a b"),
        ("duration", "P1Y2M3DT4H5M6S", "P"),
        ("duration", "PT1.5S", "PT"),
        ("duration", "P2W", "1 hour"),
        ("regex", r"^[a-z]+\d$", "(a"),
        ("json-pointer", "/a/0/~1b", "a/b"),
        ("json-pointer", "", "/~2"),
        ("relative-json-pointer", "1/a", "/a"),
        ("uri-reference", "../a?b#c", "a b"),
        ("iri", "https://例子.测试/", "例子"),
        ("uri-template", "https://a/{b}{?c}", "https://a/{b"),
    ],
)
def test_a_loose_format_knows_good_from_bad_as_well(name: str, good: str, bad: str) -> None:
    assert not is_certain(name)
    assert conforms(good, name)
    assert not conforms(bad, name)


@pytest.mark.parametrize("name", ["hostname", "duration", "json-pointer", "uri-template", "uri"])
def test_a_long_text_is_judged_at_once(name: str) -> None:
    for text in ("a." * 200_000, "/" * 200_000, "{" * 200_000, "P1" * 200_000):
        conforms(text, name)


def test_an_unknown_format_is_never_a_finding() -> None:
    assert conforms("x", "made-up")
    assert conforms("x", 5)
    assert not is_certain("made-up")


# --- regular expressions ----------------------------------------------------------------------


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


def is_tried(pattern: str, length: int) -> bool:
    try:
        matches(pattern, "b" * length)
    except UncheckedPatternError:
        return False
    return True


@pytest.mark.parametrize(
    "pattern",
    ["(a|a)*$", r"(.a+)*$", r"(\wa+)*$", r"(a[ab]+)*$", r"(a,b+)*$", "(ab{1,2})*$", r"(a)\1$"],
)
def test_a_pattern_of_exponential_time_is_tried_on_short_texts_alone(pattern: str) -> None:
    assert is_tried(pattern, MAX_RISKY_TEXT)
    assert not is_tried(pattern, MAX_RISKY_TEXT + 1)


@pytest.mark.parametrize(
    ("pattern", "power"),
    [
        ("^a$", 0), ("^a*$", 1), ("a$", 1), ("a*$", 2), ("a+b{2,}$", 3), (r"(-a+)*$", 2),
        (r"(\.a+)*$", 2), (r"(-\w+)*$", 2), (r"^([a-z]+,)*$", 1),
    ],
)  # fmt: skip
def test_each_unbounded_repetition_costs_another_power_of_the_length(
    pattern: str, power: int
) -> None:
    longest = int(MAX_MATCH_STEPS ** (1 / power) + 1e-6) if power else 10 * MAX_MATCH_STEPS
    assert not power or not is_tried(pattern, longest + 1)
    assert is_tried(pattern, min(longest, MAX_MATCH_STEPS // 100))
