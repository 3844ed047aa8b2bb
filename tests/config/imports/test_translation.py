from __future__ import annotations

from typing import Any

import pytest

from desktop.config.imports.apps import app_named
from desktop.config.imports.translation import to_ours
from desktop.errors import ConfigError


def ours(entry: dict[str, Any], app: str = "") -> dict[str, Any]:
    return to_ours(entry, app_named(app))[0]


def left_out(entry: dict[str, Any]) -> str:
    return "".join(one.subject for one in to_ours(entry, None)[1] if one.kind == "left_out")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"cmd": "x", "envs": {"A": "1"}}, {"command": "x", "env": {"A": "1"}}),
        ({"command": ["x", "a"], "environment": {}}, {"command": "x", "args": ["a"], "env": {}}),
        ({"command": {"path": "x", "args": ["a"]}}, {"command": "x", "args": ["a"]}),
        ({"httpUrl": "https://x"}, {"url": "https://x", "type": "http"}),
        ({"type": "local", "command": "x"}, {"type": "stdio", "command": "x"}),
        ({"type": "remote", "url": "https://x"}, {"url": "https://x"}),
        ({"cmd": "x", "env_keys": ["K"]}, {"command": "x", "env": {"K": "${K}"}}),
        ({"command": "x", "disabled": True}, {"command": "x", "disabled": True}),
    ],
)
def test_the_keys_of_other_clients_become_ours(
    entry: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert ours(entry) == expected


@pytest.mark.parametrize(
    ("written", "app", "seconds"),
    [
        (60, "cline", 60.0),
        (5000, "gemini-cli", 5.0),
        (300000, "", 300.0),
        (0, "", 1.0),
        (10**12, "librechat", 3600.0),
    ],
)
def test_times_become_seconds_within_our_limits(written: int, app: str, seconds: float) -> None:
    assert ours({"command": "x", "timeout": written}, app)["timeout"] == seconds


def test_an_address_without_a_type_is_sse_for_gemini_alone() -> None:
    assert ours({"url": "https://x/feed"}, "gemini-cli")["type"] == "sse"
    assert "type" not in ours({"url": "https://x/feed"}, "cursor")


def test_what_has_no_counterpart_is_told_and_notes_are_not() -> None:
    entry: dict[str, Any] = {
        "command": "x",
        "autoApprove": [],
        "sandbox": {},
        "description": "d",
        "gallery": True,
    }
    assert left_out(entry) == "autoApprove, sandbox"
    assert left_out({"command": "x"}) == ""


def test_a_file_of_variables_is_told_and_not_read() -> None:
    (finding,) = to_ours({"command": "x", "envFile": "/secret/.env"}, None)[1]
    assert (finding.kind, finding.subject) == ("env_file", "/secret/.env")


def test_a_part_of_the_other_app_cannot_be_taken_over() -> None:
    with pytest.raises(ConfigError, match="part of the other app"):
        to_ours({"type": "builtin", "name": "developer"}, None)
