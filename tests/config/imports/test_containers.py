from __future__ import annotations

import pytest

from desktop.config.imports.containers import find_written
from desktop.errors import ConfigError

ENTRY = {"command": "x"}


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"mcpServers": {"a": ENTRY}}, ["a"]),
        ({"servers": {"a": ENTRY}, "inputs": []}, ["a"]),
        ({"mcp_servers": {"a": ENTRY}}, ["a"]),
        ({"mcp": {"servers": {"a": ENTRY}}}, ["a"]),
        ({"mcp": {"a": {"type": "local", "command": ["x"]}}}, ["a"]),
        ({"context_servers": {"a": ENTRY, "ext": {"settings": {}}}, "theme": {}}, ["a"]),
        ({"extensions": {"a": {"cmd": "x"}}}, ["a"]),
        ({"a": ENTRY, "b": ENTRY}, ["a", "b"]),
        ({"command": "uvx", "args": ["mcp-server-git"]}, ["git"]),
        ({"mcpServers": None}, []),
        ({"editor.fontSize": 14}, []),
        ({}, []),
    ],
)
def test_servers_are_found_wherever_a_client_keeps_them(
    data: dict[str, object], names: list[str]
) -> None:
    assert [one.name for one in find_written(data)] == names


def test_servers_of_a_project_follow_and_say_so() -> None:
    data = {"mcpServers": {"a": ENTRY}, "projects": {"/p": {"mcpServers": {"a": ENTRY}}, "/q": 3}}
    assert [(one.name, one.scope) for one in find_written(data)] == [("a", ""), ("a", "/p")]


def test_two_tables_of_servers_are_not_guessed_between() -> None:
    with pytest.raises(ConfigError, match="not clear"):
        list(find_written({"mcpServers": {}, "servers": {}}))
    with pytest.raises(ConfigError, match="must be an object"):
        list(find_written({"mcpServers": []}))
