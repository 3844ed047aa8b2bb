"""Zones by name, and what was probably meant."""

from __future__ import annotations

import pytest

from builtin_servers.call import ToolError
from builtin_servers.zones import find_zone


def test_a_zone_is_found_by_its_name() -> None:
    assert str(find_zone("Europe/Paris")) == "Europe/Paris"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("europe/paris", "Europe/Paris"),
        ("Paris", "Europe/Paris"),
        ("new york", "America/New_York"),
        ("Europe/Pariss", "Europe/Paris"),
        ("Berlim", "Europe/Berlin"),
        ("utc ", "UTC"),
    ],
)
def test_an_unknown_zone_names_what_was_probably_meant(name: str, meant: str) -> None:
    with pytest.raises(ToolError, match=f"Did you mean .*{meant}"):
        find_zone(name)


@pytest.mark.parametrize("name", ["", "Europe", "../../etc/passwd", "/etc/localtime", "\0", "qqqq"])
def test_what_is_no_zone_at_all_is_refused(name: str) -> None:
    with pytest.raises(ToolError, match="There is no time zone"):
        find_zone(name)


def test_a_long_name_is_clipped() -> None:
    with pytest.raises(ToolError) as caught:
        find_zone("x" * 100_000)
    assert len(str(caught.value)) < 300
