from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from builtin_servers.catalog import CATALOG
from desktop.base.errors import UsageError
from desktop.base.paths import Paths
from desktop.bootstrap import (
    MAX_EARLY,
    build_bootstrap,
    builtin_configs,
    session_server,
    session_servers,
)
from desktop.servers.transport.login_shell import ShellPath

if TYPE_CHECKING:
    from pathlib import Path


def test_the_built_in_servers_are_there_and_off() -> None:
    configs = builtin_configs()
    assert [config.name for config in configs] == list(CATALOG)
    assert {(config.enabled, config.source) for config in configs} == {(False, "builtin")}


def test_a_broken_config_is_an_error_to_look_at_and_not_one_that_is_raised(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{", encoding="utf-8")
    ground = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path))
    assert ground.store.error is not None


def test_the_ground_is_there_before_the_sdk() -> None:
    script = "import sys, desktop.bootstrap; print([n for n in sys.modules if n == 'mcp'])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_session_gets_a_built_in_with_what_it_is_started_with(tmp_path: Path) -> None:
    store = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path)).store
    store.set_tool_enabled("calculator", "evaluate", False)
    config = session_server(store, "calculator", ("--flag", "a b"))
    assert (config.builtin, config.args) == ("calculator", ("--flag", "a b"))
    assert config.disabled_tools == ("evaluate",)
    assert session_server(store, "time").disabled_tools == ()


def test_a_server_of_the_person_with_that_name_is_not_the_built_in(tmp_path: Path) -> None:
    own = {"calculator": {"command": "mine", "disabledTools": ["add"]}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": own}), encoding="utf-8")
    store = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path)).store
    config = session_server(store, "calculator")
    assert (config.builtin, config.command, config.disabled_tools) == ("calculator", "", ())
    with pytest.raises(UsageError, match="No built-in or local server is named 'mine'"):
        session_server(store, "mine")


def test_a_session_uses_the_folders_that_the_config_gives_a_built_in(tmp_path: Path) -> None:
    given = {"filesystem": {"builtin": "filesystem", "args": ["/srv"], "env": {"LANG": "C"}}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": given}), encoding="utf-8")
    store = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path)).store
    config = session_server(store, "filesystem")
    assert (config.args, dict(config.env)) == (("/srv",), {"LANG": "C"})
    assert session_server(store, "filesystem", ("/tmp",)).args == ("/tmp",)


def test_what_a_session_needs_a_folder_for_does_not_start_without_one(tmp_path: Path) -> None:
    store = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path)).store
    for name in ("filesystem", "sqlite"):
        with pytest.raises(UsageError, match="was given nothing that it may use"):
            session_server(store, name)
    with pytest.raises(UsageError, match="was given nothing"):
        session_server(store, "filesystem", ("--read-only",))
    store.set_arguments("filesystem", ["--read-only", "/srv"])
    assert session_server(store, "filesystem").args == ("--read-only", "/srv")
    assert store.servers["filesystem"].source == "builtin"
    store.set_arguments("filesystem", [])
    with pytest.raises(UsageError):
        session_server(store, "filesystem")


def test_a_session_can_have_a_local_server_of_the_persons_own(tmp_path: Path) -> None:
    own = {
        "mine": {"command": "mine", "args": ["a"], "enabled": False, "disabledTools": ["x"]},
        "docs": {"builtin": "filesystem", "args": ["/docs"]},
        "web": {"url": "https://example.org/mcp"},
    }
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": own}), encoding="utf-8")
    store = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path)).store
    assert session_servers(store) == [*CATALOG, "mine", "docs"]
    config = session_server(store, "mine")
    assert (config.command, config.args, config.enabled) == ("mine", ("a",), True)
    assert config.disabled_tools == ("x",)
    assert session_server(store, "mine", ("b",)).args == ("b",)
    assert session_server(store, "docs").args == ("/docs",)
    with pytest.raises(UsageError, match="No built-in or local server is named 'web'"):
        session_server(store, "web")


async def test_a_login_shell_that_was_asked_already_is_not_asked_again(tmp_path: Path) -> None:
    asked = ShellPath({"PATH": os.defpath}, shell="/bin/sh")
    path = await asked.get()
    ground = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path), shell_path=asked)
    assert ground.launcher.shell_path.known == path


async def test_only_the_first_few_are_started_early(tmp_path: Path) -> None:
    ground = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path), own_path_first=True)
    calculator = ground.store.servers["calculator"]
    await ground.start_early(
        calculator.changed(name=f"s{number}") for number in range(MAX_EARLY + 3)
    )
    assert len(ground.tracker.tracked) == MAX_EARLY
    receipt = await ground.tracker.close_all()
    assert len(receipt.closed) == MAX_EARLY


async def test_what_nobody_agreed_to_is_neither_started_early_nor_used_by_a_session(
    tmp_path: Path,
) -> None:
    paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
    await build_bootstrap(paths).keep_trust()
    written = {
        "evil": {"command": "touch", "args": [str(tmp_path / "was-started")]},
        "filesystem": {"builtin": "filesystem", "args": ["/"]},
    }
    paths.config.write_text(json.dumps({"mcpServers": written}), encoding="utf-8")
    ground = build_bootstrap(paths, own_path_first=True)
    await ground.start_early([ground.store.servers["evil"]])
    assert not ground.tracker.tracked
    for name in ("filesystem", "evil"):
        with pytest.raises(UsageError, match=f'Server "{name}" is new'):
            session_server(ground.store, name)
    await ground.close()


async def test_arguments_of_a_built_in_that_somebody_else_wrote_are_asked_about(
    tmp_path: Path,
) -> None:
    paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
    paths.config.write_text('{"mcpServers": {}}', encoding="utf-8")
    await build_bootstrap(paths).keep_trust()
    ground = build_bootstrap(paths)
    ground.store.set_arguments("filesystem", ["/srv"])
    assert not ground.store.untrusted
    document = json.loads(paths.config.read_text("utf-8"))
    document["mcpDesktop"]["overrides"]["filesystem"]["args"] = ["/"]
    document["mcpDesktop"]["overrides"]["shell"] = {"args": ["--cwd=/"]}
    paths.config.write_text(json.dumps(document), encoding="utf-8")
    ground.store.reload()
    assert set(ground.store.untrusted) == {"filesystem", "shell"}
    with pytest.raises(UsageError, match='Server "filesystem"'):
        session_server(ground.store, "filesystem")
    ground.store.set_arguments("filesystem", ["/srv"])
    assert set(ground.store.untrusted) == {"shell"}
    await ground.close()
