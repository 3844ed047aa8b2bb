"""Other clients' entries are read as they mean them; a wrong one is told of alone.

Every client's spelling is known, and where its file has the servers.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.document import parse
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import (
    find_entries,
    find_wrapper,
    is_bare_map,
    read_server,
    read_servers,
)
from desktop.config.spellings import infer_transport, spellings_in, transport_named

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


SETTINGS = AppSettings()

WRONG: list[tuple[Any, str]] = [
    (None, "must be an object"),
    ([], "must be an object"),
    ("npx", "must be an object"),
    ({}, 'needs "command"'),
    ({"command": ""}, 'or "url" .a running server'),
    ({"command": 3}, '"command" must be text'),
    ({"command": []}, 'needs "command"'),
    ({"command": [3]}, '"command" must be text'),
    ({"command": "x", "url": "http://h"}, 'both "command" and "url"'),
    ({"type": "stdio"}, '"command" must name the program'),
    ({"type": "http", "command": "x"}, '"url" must have the address'),
    ({"type": "pigeon", "command": "x"}, '"type" must be one of'),
    ({"type": 3, "command": "x"}, '"type" must be'),
    ({"command": "x", "args": "-y secret pkg"}, "this looks like 3"),
    ({"command": "x", "args": "it's"}, '"args" must be a list'),
    ({"command": "x", "args": {}}, '"args" must be a list of strings'),
    ({"command": "x", "args": [{}]}, r'"args\[0\]" must be a string'),
    ({"command": "x", "args": [None]}, r"args\[0\]"),
    ({"command": "x", "env": []}, '"env" must be an object'),
    ({"command": "x", "env": {"A": []}}, '"env.A" must be'),
    ({"command": "x", "env": {"": "1"}}, '"env" has a variable with an empty name'),
    ({"command": "x", "enabled": "no"}, '"enabled" must be true or false'),
    ({"command": "x", "disabled": 1}, '"disabled" must be true or false'),
    ({"command": "x", "disabled": True, "enabled": True}, "contradict"),
    ({"command": "x", "timeout": 60000}, "seconds here"),
    ({"command": "x", "timeout": "soon"}, '"timeout" must be a number'),
    ({"command": "x", "timeout": -1}, "at least 1"),
    ({"command": "x", "disabledTools": "t"}, '"disabledTools" must be a list'),
    ({"command": "x", "toolRules": {"t": "a > b"}}, '"toolRules.t" must be a list'),
    ({"command": "x", "toolRules": ["a > b"]}, '"toolRules" must be an object'),
    ({"serverUrl": "h"}, '"serverUrl" must start with'),
    ({"url": "http://a", "baseUrl": "http://b"}, "different values"),
    ({"command": "x", "cwd": 3}, '"cwd" must be text'),
    ({"command": "x", "roots": "/a"}, '"roots" must be a list'),
    ({"command": "x", "roots": [3]}, r'"roots\[0\]" must be text'),
    ({"command": "x", "roots": [{"name": "a"}]}, r'"roots\[0\]" must be text'),
    ({"url": 3}, '"url" must be text'),
]


def _read(entry: object) -> ServerConfig:
    return read_server("a", entry, SETTINGS)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"command": "npx", "args": ["-y", 1, True, 1.5]}, {"args": ("-y", "1", "true", "1.5")}),
        (
            {"command": "x", "env": {"A": 1, "B": False, "C": None, "D": "d"}},
            {"env": {"A": "1", "B": "false", "D": "d"}},
        ),
        ({"command": "x", "args": None, "env": None, "cwd": None, "timeout": None}, {"args": ()}),
        ({"command": "x", "disabled": True, "autoApprove": ["t"]}, {"enabled": False}),
        ({"command": "x", "enabled": False, "disabled": True}, {"enabled": False}),
        ({"command": "x", "enabled": None, "disabled": None}, {"enabled": True}),
        (
            {"command": "x", "timeout": 60, "connectTimeout": 5},
            {"timeout": 60, "connect_timeout": 5},
        ),
        (
            {"command": "x", "disabledTools": ["t"], "cwd": "~"},
            {"disabled_tools": ("t",), "cwd": "~"},
        ),
        ({"command": "x", "protocolEra": "legacy"}, {"era": "legacy"}),
        (
            {"command": "x", "roots": ["~/a", {"uri": "file:///b", "name": "B"}, "c:\\d", "c:/e"]},
            {"roots": ("~/a", "file:///b", "c:\\d", "c:/e")},
        ),
        (
            {"serverUrl": "https://h/mcp", "headers": {"A": 1}},
            {"transport": "http", "headers": {"A": "1"}},
        ),
        ({"type": "sse", "url": "https://h/mcp"}, {"transport": "sse"}),
        ({"type": "http", "url": "https://h/sse"}, {"transport": "http"}),
        ({"transportType": "streamableHttp", "baseUrl": "https://h"}, {"transport": "http"}),
        ({"type": "stdio", "command": "x", "url": "https://h"}, {"transport": "stdio"}),
        ({"url": "https://h", "serverUrl": "https://h"}, {"url": "https://h"}),
    ],
)
def test_an_entry_is_read(entry: dict[str, Any], expected: dict[str, Any]) -> None:
    config = _read(entry)
    assert {name: getattr(config, name) for name in expected} == expected


@pytest.mark.parametrize(("entry", "words"), WRONG)
def test_a_wrong_entry_is_told_by_the_key_as_it_was_spelled(entry: object, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        _read(entry)
    assert "secret" not in str(caught.value)


def test_times_that_are_not_set_come_from_the_settings() -> None:
    config = read_server("a", {"command": "x"}, AppSettings(call_timeout=7, connect_timeout=8))
    assert (config.timeout, config.connect_timeout) == (7, 8)


def test_one_wrong_server_leaves_the_others() -> None:
    data = {"mcpServers": {"good": {"command": "x"}, "bad:name": {"command": "x"}, "": {}, "b": 1}}
    servers, problems = read_servers(parse(json.dumps(data).encode(), "it"), SETTINGS)
    assert [*servers] == ["good"]
    assert [*problems] == ["bad:name", "", "b"]
    assert str(problems["b"]).startswith('Server "b": must be an object')


@pytest.mark.parametrize("wrapper", [True, False])
def test_servers_of_one_name_are_told_with_their_lines(wrapper: bool) -> None:
    entries = '{\n"a": {"command": "x"},\n"a": {"command": "y"}, "b": {"command": "z"}}'
    text = f'{{"mcpServers": {entries}}}' if wrapper else entries
    servers, problems = read_servers(parse(text.encode(), "it"), SETTINGS)
    assert [*servers] == ["b"]
    assert "lines 2 and 3" in str(problems["a"])


def test_reading_changes_nothing() -> None:
    entry = {"command": "x", "args": [1], "env": {"A": None}, "transport": "stdio"}
    before = json.dumps(entry)
    _read(entry)
    assert json.dumps(entry) == before
