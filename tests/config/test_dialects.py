"""Every client's spelling is known, and where its file has the servers."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.config.dialects import (
    find_entries,
    find_wrapper,
    infer_transport,
    is_bare_map,
    spellings_in,
    transport_named,
)
from desktop.errors import ConfigError

S = {"command": "x"}


@pytest.mark.parametrize(
    ("spelling", "transport"),
    [
        ("stdio", "stdio"),
        ("STDIO", "stdio"),
        ("http", "http"),
        ("streamable-http", "http"),
        ("streamableHttp", "http"),
        ("streamable_http", "http"),
        ("sse", "sse"),
        ("ws", None),
        ("", None),
    ],
)
def test_every_spelling_of_a_transport_is_known(spelling: str, transport: str | None) -> None:
    assert transport_named(spelling) == transport


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        (S, "stdio"),
        ({"url": "http://h/mcp"}, "http"),
        ({"serverUrl": "http://h/sse"}, "sse"),
        ({"baseUrl": "http://h/sse/?a=/b"}, "sse"),
        ({"url": "http://h/sse/x"}, "http"),
        ({"url": "http://h?x=/sse"}, "http"),
        ({**S, "url": "http://h"}, None),
        ({}, None),
        ({"url": None}, None),
        ({"url": 3}, "http"),
    ],
)
def test_a_transport_is_inferred_from_what_is_there(
    entry: dict[str, Any], transport: str | None
) -> None:
    assert infer_transport(entry) == transport


@pytest.mark.parametrize("wrapper", ["mcpServers", "mcp_servers", "servers"])
def test_every_wrapper_is_known(wrapper: str) -> None:
    data: dict[str, Any] = {"$schema": "x", wrapper: {"a": S}, "inputs": []}
    assert find_wrapper(data) == wrapper
    assert find_entries(data) is data[wrapper]


def test_two_wrappers_at_once_are_refused() -> None:
    with pytest.raises(ConfigError, match='both "mcpServers" and "servers"'):
        find_entries({"mcpServers": {}, "servers": {}})


@pytest.mark.parametrize("wrong", [[], 3, "x", True])
def test_a_wrapper_that_holds_no_object_is_refused(wrong: object) -> None:
    with pytest.raises(ConfigError, match='"mcpServers" must be an object'):
        find_entries({"mcpServers": wrong})


def test_a_bare_map_is_known_by_what_looks_like_a_server() -> None:
    data = {"a": S, "b": {}, "theme": "dark", "mcpDesktop": {}}
    assert is_bare_map(data)
    assert find_entries(data) == {"a": S, "b": {}}
    assert find_entries({"a": {"cmd": "x"}}) == {"a": {"cmd": "x"}}


@pytest.mark.parametrize("data", [{}, {"theme": "dark"}, {"mcpDesktop": {}}, {"mcpServers": None}])
def test_a_file_may_have_no_servers(data: dict[str, Any]) -> None:
    assert find_entries(data) == {}
    assert not is_bare_map(data)


def test_spellings_are_found_in_our_order() -> None:
    assert spellings_in({"baseUrl": 1, "url": 2}, "url") == ["url", "baseUrl"]
