from __future__ import annotations

import pytest

from desktop.tools.string_formats import make_format_checker


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2026-01-31", "2026-02-31"),
        ("date-time", "2026-01-31T10:00:00Z", "2026-01-31"),
        ("time", "10:00:00", "25:00"),
        ("uri", "https://example.com/a", "example"),
        ("uuid", "00000000-0000-4000-8000-000000000000", "0"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("email", "a@b.c", "a"),
    ],
)
def test_each_format_knows_good_from_bad(name: str, good: str, bad: str) -> None:
    checker = make_format_checker()
    assert checker.conforms(good, name)
    assert not checker.conforms(bad, name)
    assert checker.conforms(5, name)


def test_an_unknown_format_is_never_an_error() -> None:
    assert make_format_checker().conforms("x", "made-up")
