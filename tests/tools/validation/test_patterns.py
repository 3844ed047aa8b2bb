"""A stranger's pattern is tried as it is meant, and never for longer than its time."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest

from desktop.tools.validation import validate
from desktop.tools.validation.patterns import (
    MAX_COPIES,
    MAX_MATCH_SECONDS,
    MAX_PATTERN,
    MAX_REPEATS,
    UncheckedPatternError,
    is_readable,
    matches,
)

ENDLESS = [
    ("^" + "a?" * 30 + "a" * 30 + "$", "a" * 29),
    ("^" + "a?" * 190 + "a" * 190 + "$", "a" * 190),
    ("^(?:(?:a{1,9}){1,9}){1,9}$", "a" * 60 + "b"),
    ("^(a|aa){9}(a|aa){9}(a|aa){9}$", "a" * 60),
    ("^(a|a)*$", "a" * 60 + "!"),
    ("(?=(a|a)*$)b", "a" * 60 + "!"),
    ("(?<=(?:a|a)*)c", "a" * 5_000),
    (r"(a*)*\1b", "a" * 60),
    ("(.*)*!", "a" * 60),
    ("^(?:.*?,){50}z", "a," * 1_000_000),
    (r"(\w+\s*)*\d(?!a)$", "word " * 200_000),
]
"""Each takes Python's `re` from seconds to years."""


@pytest.mark.parametrize(("pattern", "text"), ENDLESS)
def test_a_pattern_that_explodes_is_given_up_inside_the_match(pattern: str, text: str) -> None:
    started = process_time()
    with suppress(UncheckedPatternError):  # some of them `regex` sees through
        matches(pattern, text)
    # CPU time, so that a busy machine is none the worse; the margin is for compiling it.
    assert process_time() - started < 10 * MAX_MATCH_SECONDS


@pytest.mark.parametrize(("pattern", "text"), ENDLESS)
def test_a_schema_with_many_such_patterns_is_checked_in_the_time_of_a_few(
    pattern: str, text: str
) -> None:
    schema = {"properties": {f"p{n}": {"pattern": f"(?:){{{n}}}" + pattern} for n in range(60)}}
    started = process_time()
    validate(schema, {f"p{n}": text for n in range(60)})
    assert process_time() - started < 1.5


@pytest.mark.parametrize("draft", ["2019-09", "2020-12"])
def test_a_pattern_beside_unevaluated_properties_is_bounded_too(draft: str) -> None:
    pattern = "^(?:(?:a{1,9}){1,9}){1,9}$"
    schema = {
        "$schema": f"https://json-schema.org/draft/{draft}/schema",
        "patternProperties": {pattern: True},
        "unevaluatedProperties": False,
    }
    started = process_time()
    validate(schema, {"a" * 60 + "b": 1})
    assert process_time() - started < 1
    plain = {**schema, "patternProperties": {"^x-": True}}
    assert not validate(plain, {"x-a": 1})
    assert [issue.severity for issue in validate(plain, {"y": 1})] == ["error"]


def test_what_was_too_slow_is_not_tried_again_on_as_long_a_text() -> None:
    pattern, text = "^(?:(?:c{1,9}){1,9}){1,9}$", "c" * 60 + "!"
    with pytest.raises(UncheckedPatternError, match="could take too long"):
        matches(pattern, text)
    started = process_time()
    for again in (text, text + "!") * 50:
        with pytest.raises(UncheckedPatternError, match="could take too long"):
            matches(pattern, again)
    assert process_time() - started < 10 * MAX_MATCH_SECONDS
    assert matches(pattern, "ccc")  # a shorter one is


def test_of_slow_patterns_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: dict[str, int] = {}
    monkeypatch.setattr("desktop.tools.validation.patterns._slow", slow)
    monkeypatch.setattr("desktop.tools.validation.patterns._MAX_REMEMBERED", 2)
    monkeypatch.setattr("desktop.tools.validation.patterns.MAX_MATCH_SECONDS", 0.001)
    for letter in "xyz":
        with pytest.raises(UncheckedPatternError, match="could take too long"):
            matches(f"^(?:(?:{letter}{{1,9}}){{1,9}}){{1,9}}$", letter * 60 + "!")
    assert len(slow) == 1


@pytest.mark.parametrize(
    "pattern",
    [
        "a" * (MAX_PATTERN + 1),
        "a?" * (MAX_REPEATS + 1),
        "(?:ab){%d}" % MAX_COPIES,  # noqa: UP031 - braces of its own
        "a{000000000000900000000}",
        "(?:(?:a{100}){100}){100}",
        "(?:a{%d})(?:a{%d})" % (MAX_COPIES, 1),  # noqa: UP031
        "(?:a{65535}){65535}",
        "((){1000}){1000}",
        "(?:(?:(?:a{50}){50}){0}){4000}",
    ],
)
def test_a_pattern_too_large_to_compile_is_not_compiled(pattern: str) -> None:
    assert not is_readable(pattern)
    with pytest.raises(UncheckedPatternError, match=r"longer than|has too many repetitions"):
        matches(pattern, "a")


@pytest.mark.parametrize(
    "pattern",
    [
        "a" * MAX_PATTERN,
        "a?" * MAX_REPEATS,
        "a*b+c{2}d?" * (MAX_REPEATS // 4),
        "a{%d}" % MAX_COPIES,  # noqa: UP031 - braces of its own
        "(?:ab){%d}" % (MAX_COPIES // 2),  # noqa: UP031
        "(?:(?:a{10}){10}){50}",
        "(?:a{%d}){1}" % MAX_COPIES,  # noqa: UP031
    ],
)
def test_a_pattern_at_a_limit_is_compiled(pattern: str) -> None:
    assert is_readable(pattern)


@pytest.mark.parametrize("pattern", ["(?R)", "a?" * (MAX_REPEATS + 1)])
def test_the_message_shows_the_pattern_as_far_as_it_is_short(pattern: str) -> None:
    with pytest.raises(UncheckedPatternError) as raised:
        matches(pattern, "a")
    shown = repr(pattern) if len(pattern) <= 200 else repr(pattern[:200] + "…")
    assert str(raised.value).startswith(f"the pattern {shown} ")


def test_the_message_about_a_long_pattern_is_short() -> None:
    with pytest.raises(UncheckedPatternError) as raised:
        matches("(" + "a" * 3_900, "a")
    assert len(str(raised.value)) < 300


def test_a_pattern_is_searched_not_anchored() -> None:
    assert matches("b+", "abbc")
    assert not matches("^b", "abbc")


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^(?<year>\d{4})-(?<=-)x$", "2026-x", "26-x"),
        (r"^(?<a>.)\k<a>$", "xx", "xy"),
        (r"^\p{Lu}\p{L}*$", "Éa", "éa"),
        (r"^\u{1F600}[\u{41}-\u{43}]$", "\U0001f600B", "\U0001f600D"),
        (r"^\u00e9\x41\cJ$", "éA\n", "éA"),
        (r"^\u{10FFFF}[^\u{41}]$", "\U0010ffffB", "\U0010ffffA"),
        (r"^a{e}$", "a{e}", "a"),
        (r"^{}$", "{}", ""),
        (r"^[{}[]+$", "{[}", "a"),
        (r"^[^\]\[]+$", "a", "["),
        (r"^[[:alpha:]]$", "a]", "b"),
        (r"^\/[\w.\-/]+$", "/a-b/c", "a"),
        # zod's own: email, date, UUID
        (
            r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
            "a.b@example.com",
            "a..b@example.com",
        ),
        (
            r"^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29"
            r"|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
            r"|(?:02)-(?:0[1-9]|1\d|2[0-8])))$",
            "2024-02-29",
            "2023-02-29",
        ),
    ],
)
def test_ecmascript_is_read_as_it_is_meant(pattern: str, good: str, bad: str) -> None:
    assert matches(pattern, good)
    assert not matches(pattern, bad)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[a-z0-9]+(?:-[a-z0-9]+)*$", "some-slug" * 20_000),
        (r"^(\w+\.)*\w+$", "a.b.c" * 2_000),
        (r"^\S+@\S+\.\S+$", "person@example.com"),
    ],
)
def test_common_patterns_are_run_on_long_text(pattern: str, text: str) -> None:
    assert matches(pattern, text)


@pytest.mark.parametrize(
    "pattern",
    ["(", 5, None, "(?R)*", "(?1)", "(?&a)", "(?P>a)", "(?e)a", r"\L<x>", r"\Ka", "(?>a)", "[b-a]"],
)
def test_what_no_ecmascript_reads_is_refused(pattern: object) -> None:
    with pytest.raises(UncheckedPatternError):
        matches(pattern, "a")
