from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.bootstrap import build_bootstrap
from desktop.cli.reaching import connect, enabled_servers, failed, named_server
from desktop.cli.screen import Console
from desktop.core import build_core_on
from desktop.errors import ConfigError, UsageError
from desktop.paths import Paths
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.bootstrap import Bootstrap


@pytest.fixture
def ground(tmp_path: Path) -> Bootstrap:
    servers = {
        "one": entry("plain"),
        "dead": entry("exits_at_start"),
        "off": entry("plain", enabled=False),
        "wrong": {"command": 5, "args": "x"},
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return build_bootstrap(Paths(config, tmp_path / "data"), own_path_first=True)


def test_only_what_is_switched_on_is_enabled(ground: Bootstrap) -> None:
    assert [config.name for config in enabled_servers(ground.store)] == ["one", "dead"]


def test_a_named_server_may_be_off_or_built_in(ground: Bootstrap) -> None:
    assert named_server(ground.store, "off").name == "off"
    assert named_server(ground.store, "calculator").source == "builtin"


def test_a_server_with_a_wrong_entry_is_told_by_its_error(ground: Bootstrap) -> None:
    with pytest.raises(ConfigError, match="wrong"):
        named_server(ground.store, "wrong")


def test_an_unknown_server_is_told_with_those_there_are(ground: Bootstrap) -> None:
    with pytest.raises(UsageError, match="one, dead, off"):
        named_server(ground.store, "two")


def test_a_missing_config_file_is_named(tmp_path: Path) -> None:
    ground = build_bootstrap(Paths(tmp_path / "none.json", tmp_path / "data"))
    with pytest.raises(UsageError, match=r"none\.json does not exist"):
        named_server(ground.store, "two")


async def test_connecting_leaves_each_server_in_the_state_it_came_to(ground: Bootstrap) -> None:
    core = build_core_on(ground)
    try:
        await connect(core, enabled_servers(ground.store), Console())
        assert core.service.get_connected_servers() == ["one"]
        assert [one.name for one in failed(core)] == ["dead"]
    finally:
        await core.close()
