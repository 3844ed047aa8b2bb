from __future__ import annotations

import pytest

from desktop.config.checks import NAME_LIMIT, check_name
from desktop.config.imports.naming import free_name, suggest_name, usable_name


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"command": "uvx", "args": ["mcp-server-git"]}, "git"),
        ({"command": "npx", "args": ["-y", "@scope/weather-mcp@1.2"]}, "weather"),
        ({"command": "/opt/tools/files.py"}, "files"),
        ({"url": "https://docs.example.com:8080/mcp"}, "docs.example.com"),
    ],
)
def test_a_server_without_a_name_gets_one_from_its_package_or_address(
    entry: dict[str, object], name: str
) -> None:
    assert suggest_name(entry) == name


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("github", "github"),
        ("文件", "文件"),
        ("a:b::c", "a-b-c"),
        ("line\nbreak\x1b[31m", "line-break-[31m"),
        ("\u202etxt", "txt"),
        ("x" * 300, "x" * NAME_LIMIT),
        ("", "server"),
        (":::", "server"),
        ("\ud800", "server"),
    ],
)
def test_a_name_with_odd_characters_becomes_the_nearest_that_can_be_used(
    name: str, usable: str
) -> None:
    assert usable_name(name) == usable
    check_name(usable_name(name))


def test_a_taken_name_gets_the_client_then_numbers_and_stays_in_the_limit() -> None:
    assert free_name("a", ()) == "a"
    assert free_name("a", {"a"}, "cursor") == "a-cursor"
    assert free_name("a", {"a", "a-cursor"}, "cursor") == "a-cursor-2"
    assert free_name("a", {"a", "a-2"}) == "a-3"
    long = "x" * NAME_LIMIT
    assert len(free_name(long, {long}, "claude-desktop")) == NAME_LIMIT
