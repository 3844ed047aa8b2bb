"""File, environment and built-ins make one list; it is clear who wins.

`MCP_SERVERS` adds servers, as JSON or as a file; what is wrong with it is told.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.config.document import parse
from desktop.config.effective import EffectiveConfig, build_catalog, read_environment
from desktop.config.models import AppSettings, ServerConfig

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = AppSettings()
TEXT = '{"mcpServers": {"a": {"command": "x",},}} // comment'


def test_json_and_a_file_mean_the_same(path: Path) -> None:
    path.write_text(TEXT, "utf-8")
    for value in (TEXT, f"  {TEXT}\n", str(path), f" {path} "):
        servers, problems, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
        assert servers["a"].source == "environment"
        assert (problems, notices) == ({}, [])


@pytest.mark.parametrize("is_file", [True, False])
def test_a_list_of_servers_with_names_is_taken_too(path: Path, *, is_file: bool) -> None:
    value = json.dumps(
        [{"name": "a", "command": "x", "args": ["1"]}, {"name": "b", "url": "https://x.test/mcp"}]
    )
    path.write_text(value, "utf-8")
    environ = {"MCP_SERVERS": str(path) if is_file else value}
    servers, problems, notices = read_environment(environ, SETTINGS)
    assert [(name, config.transport) for name, config in servers.items()] == [
        ("a", "stdio"),
        ("b", "http"),
    ]
    assert servers["a"].args == ("1",)
    assert (problems, notices) == ({}, [])
    assert read_environment({"MCP_SERVERS": "[]"}, SETTINGS) == ({}, {}, [])


@pytest.mark.parametrize("environ", [{}, {"MCP_SERVERS": ""}, {"MCP_SERVERS": " \n"}])
def test_without_it_there_is_nothing(environ: dict[str, str]) -> None:
    assert read_environment(environ, SETTINGS) == ({}, {}, [])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{", "MCP_SERVERS: its JSON is not valid JSON"),
        ("/no/such/file", "file not found"),
        ("a\0b", "file not found"),
        ("/", "is not a file"),
        ('[{"command": "x"}]', 'entry 1 of the list must be an object with a "name"'),
        ('[{"name": "a", "command": "x"}, 3]', "entry 2 of the list"),
        ('[{"name": 5, "command": "x"}]', "entry 1 of the list"),
        ('[{"name": "a", "command": "x"}, {"name": "a"}]', 'two servers are called "a"'),
        ('{"servers": {}, "mcpServers": {}}', "both"),
        ("x" * 5000, "MCP_SERVERS"),
        ("{\udcff}", "not valid JSON"),
    ],
)
def test_a_wrong_value_is_told_of_with_a_remedy(value: str, words: str) -> None:
    servers, _, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
    assert servers == {}
    assert words in str(notices[0])
    assert notices[0].remedy


def test_one_wrong_server_is_its_own_problem() -> None:
    value = '{"a": {"command": "x"}, "b": {}}'
    servers, problems, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
    assert ([*servers], [*problems], notices) == (["a"], ["b"], [])


TIME = ServerConfig(name="time", transport="stdio", command="t", enabled=False, source="builtin")


def _build(data: object, environment: object = None, *builtins: ServerConfig) -> EffectiveConfig:
    environ = {} if environment is None else {"MCP_SERVERS": json.dumps(environment)}
    return build_catalog(parse(json.dumps(data).encode(), "it"), environ, builtins)


def test_the_file_comes_first_then_the_environment_then_the_built_in() -> None:
    catalog = _build({"f": {"command": "x"}}, {"e": {"command": "y"}}, TIME)
    assert [(name, config.source) for name, config in catalog.servers.items()] == [
        ("f", "file"),
        ("e", "environment"),
        ("time", "builtin"),
    ]
    assert (catalog.problems, catalog.notices) == ({}, [])


def test_where_file_and_environment_have_one_name_the_file_wins_and_it_is_told() -> None:
    catalog = _build({"a": {"command": "x"}}, {"a": {"command": "y"}})
    assert catalog.servers["a"].command == "x"
    assert "the file takes precedence" in str(catalog.problems["a"])


def test_a_wrong_server_of_the_file_is_not_replaced_by_the_environments() -> None:
    catalog = _build({"mcpServers": {"a": {}}}, {"a": {"command": "y"}})
    assert catalog.servers == {}
    assert 'needs "command"' in str(catalog.problems["a"])


def test_a_wrong_server_of_the_environment_leaves_the_files() -> None:
    catalog = _build({"a": {"command": "x"}}, {"a": {}, "b": {}})
    assert len(catalog.refused) == 2
    assert [*catalog.servers] == ["a"]
    assert [*catalog.problems] == ["a", "b"]


def test_a_built_in_gives_way_with_a_notice() -> None:
    catalog = _build({"time": {"command": "mine"}}, None, TIME)
    assert catalog.servers["time"].command == "mine"
    assert catalog.problems == {}
    assert "built-in" in str(catalog.notices[0])


def test_overrides_switch_what_is_not_in_the_file_and_wrong_ones_are_told() -> None:
    overrides = {"time": {"enabled": True}, "e": 3, "f": {"enabled": False}}
    data = {"mcpServers": {"f": {"command": "x"}}, "mcpDesktop": {"overrides": overrides}}
    catalog = _build(data, {"e": {"command": "y"}}, TIME)
    assert all(config.enabled for config in catalog.servers.values())
    assert '"mcpDesktop.overrides.e" must be an object' in str(catalog.notices[0])


def test_a_built_in_with_arguments_of_the_person_is_that_built_in() -> None:
    own = {"time": {"builtin": "time"}, "notes": {"builtin": "filesystem", "args": ["/notes"]}}
    catalog = _build(own, None, TIME)
    assert catalog.notices == []
    assert catalog.problems == {}
    assert catalog.servers["notes"].transport == "stdio"
    assert catalog.servers["notes"].args == ("/notes",)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"builtin": "nothing"}, '"builtin" must be one of calculator, time'),
        ({"builtin": "time", "command": "x"}, "keep only one"),
        ({"builtin": "time", "url": "https://x"}, "url"),
    ],
)
def test_a_built_in_that_is_none_is_told_of(entry: dict[str, object], reason: str) -> None:
    assert reason in str(_build({"x": entry}, None, TIME).problems["x"])
