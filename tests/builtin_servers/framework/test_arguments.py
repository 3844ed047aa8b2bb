"""The small reader of a server's command line."""

from __future__ import annotations

import pytest

from builtin_servers.framework.arguments import parse_arguments
from builtin_servers.framework.tool import ArgumentError


def test_switches_options_and_the_rest_are_told_apart() -> None:
    given = parse_arguments(
        ["a", "--on", "--file", "x", "--name=y=z", "b", "--", "--on"],
        switches=["--on", "--off"],
        options=["--file", "--name"],
    )
    assert given.switches == {"--on"}
    assert given.options == {"--file": "x", "--name": "y=z"}
    assert given.rest == ["a", "b", "--on"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--file"], "--file needs a value"),
        (["--no"], "unknown option '--no'"),
        (["--on=1"], "unknown option '--on=1'"),
        (["a", "b"], "at most 1"),
    ],
)
def test_what_does_not_fit_is_said(arguments: list[str], reason: str) -> None:
    with pytest.raises(ArgumentError, match=reason):
        parse_arguments(arguments, switches=["--on"], options=["--file"], max_rest=1)
