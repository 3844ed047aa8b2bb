"""Formats know good from bad."""

from __future__ import annotations

import pytest

from desktop.tools.validation.formats import conforms, is_certain


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2026-01-31", "2026-02-31"),
        ("date", "2026-01-31", "20260131"),
        ("date-time", "2026-01-31T10:00:00Z", "2026-01-31"),
        ("date-time", "2016-12-31T23:59:60Z", "2016-12-31T23:58:60Z"),
        ("date-time", "1990-12-31T15:59:60.5-08:00", "1990-12-31T15:59:61-08:00"),
        ("time", "23:59:60Z", "23:59:600Z"),
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
        ("hostname", "a." * 126 + "a.", "a." * 127 + "a"),
        ("idn-hostname", "例子.测试", "a b"),
        ("duration", "P1Y2M3DT4H5M6S", "P"),
        ("duration", "PT1.5S", "PT"),
        ("duration", "P2W", "1 hour"),
        ("regex", r"^[a-z]+\d$", "(a"),
        ("json-pointer", "/a/0/~1b", "a/b"),
        ("json-pointer", "", "/~2"),
        ("relative-json-pointer", "1/a", "/a"),
        ("uri-reference", "../a?b#c", "a b"),
        ("iri-reference", "例?子", "//[1/a"),
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
