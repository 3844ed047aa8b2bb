"""What is started is what the config says, filled in, found and with its own environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.errors import ConfigError, ServerError
from desktop.paths import builtin_command
from desktop.servers.launch import LaunchResolver
from desktop.servers.shell_path import ShellPath

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def launcher(tmp_path: Path) -> LaunchResolver:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    environ = {"PATH": f"{tmp_path}{os.pathsep}/usr/bin:/bin", "HOME": "/home/me", "WHO": "me"}
    return LaunchResolver({**environ, "MY_TOKEN": "secret"}, ShellPath(environ, "/bin/sh"))


async def test_a_program_is_found_and_gets_its_arguments_and_environment(
    launcher: LaunchResolver, tmp_path: Path
) -> None:
    config = ServerConfig(
        name="a",
        transport="stdio",
        command="program",
        args=("--for", "${WHO}"),
        env={"KEY": "${WHO}!"},
        cwd=str(tmp_path),
    )
    launch = await launcher.prepare(launcher.expanded(config))
    assert launch.command == str(tmp_path / "program")
    assert launch.args == ("--for", "me")
    assert launch.cwd == str(tmp_path)
    assert launch.environment["KEY"] == "me!"
    assert "MY_TOKEN" not in launch.environment


async def test_the_path_of_the_config_is_searched(launcher: LaunchResolver, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (tmp_path / "program").rename(folder / "hidden")
    config = ServerConfig(name="a", transport="stdio", command="hidden", env={"PATH": str(folder)})
    assert (await launcher.prepare(config)).command == str(folder / "hidden")


def test_an_unset_variable_is_an_error_that_names_it(launcher: LaunchResolver) -> None:
    config = ServerConfig(name="a", transport="stdio", command="${NOT_SET}")
    with pytest.raises(ConfigError, match="NOT_SET"):
        launcher.expanded(config)


async def test_a_program_that_is_not_there_is_an_error_with_the_servers_name(
    launcher: LaunchResolver,
) -> None:
    config = ServerConfig(name="a", transport="stdio", command="nothing-of-this-name")
    with pytest.raises(ServerError, match="Searched PATH") as caught:
        await launcher.prepare(config)
    assert caught.value.server == "a"


def test_a_built_in_server_is_started_by_the_app_itself_with_its_arguments(
    launcher: LaunchResolver, tmp_path: Path
) -> None:
    config = ServerConfig(
        name="files", transport="stdio", builtin="filesystem", args=("${HOME}/notes",)
    )
    known = LaunchResolver(launcher.environ, launcher.shell_path, data=tmp_path)
    expanded = known.expanded(config)
    command, args = builtin_command("filesystem")
    assert (expanded.command, expanded.args) == (command, (*args, "/home/me/notes"))
    assert expanded.env == {"MCP_DESKTOP_DATA": str(tmp_path)}
    assert launcher.expanded(config).env == {}
