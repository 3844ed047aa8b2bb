"""File, environment and built-ins make one list; it is clear who wins."""

from __future__ import annotations

import json

import pytest

from desktop.config.catalog import EffectiveConfig, build_catalog
from desktop.config.document import parse
from desktop.config.models import ServerConfig

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
    assert "the file's is used" in str(catalog.problems["a"])


def test_a_wrong_server_of_the_file_is_not_replaced_by_the_environments() -> None:
    catalog = _build({"mcpServers": {"a": {}}}, {"a": {"command": "y"}})
    assert catalog.servers == {}
    assert "neither" in str(catalog.problems["a"])


def test_a_wrong_server_of_the_environment_leaves_the_files() -> None:
    catalog = _build({"a": {"command": "x"}}, {"a": {}, "b": {}})
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
        ({"builtin": "nothing"}, "is one of calculator, time"),
        ({"builtin": "time", "command": "x"}, "keep one"),
        ({"builtin": "time", "url": "https://x"}, "url"),
    ],
)
def test_a_built_in_that_is_none_is_told_of(entry: dict[str, object], reason: str) -> None:
    assert reason in str(_build({"x": entry}, None, TIME).problems["x"])
