"""A server that comes as an image is held by options of the program that runs it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.config.containers import may_touch
from desktop.config.models import ServerConfig
from desktop.features.launch import confinement
from desktop.servers.transport.launch import LaunchResolver, SandboxError
from desktop.servers.transport.login_shell import ShellPath
from tests.live_servers import connected, surroundings
from tests.server_commands import command

if TYPE_CHECKING:
    from pathlib import Path

DOCKER = """#!/bin/sh
# docker as far as it is used: keeps its words, and runs a server in the place of the image.
echo "$@" > {words}
exec {server}
"""


def server(*options: str, **fields: Any) -> ServerConfig:
    args = ("run", "-i", "--rm", *options, "mcp/found")
    return ServerConfig.checked(name="found", **{"command": "docker", "args": args, **fields})


@pytest.fixture
def launcher(tmp_path: Path) -> LaunchResolver:
    """Finds a docker of its own, which writes its words into a file beside it."""
    program, arguments = command("plain")
    file, folder = tmp_path / "bin/docker", tmp_path / "bin"
    folder.mkdir()
    text = DOCKER.format(words=tmp_path / "words", server=" ".join((program, *arguments)))
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return LaunchResolver(
        {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        ShellPath(os.environ, "/bin/sh"),
        own_path_first=True,
        folder=tmp_path,
        confine=confinement(Paths(tmp_path / "app/mcp.json", tmp_path / "data")),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of a shell")
async def test_a_container_gets_its_sandbox_and_limits_as_options_and_lists_its_tools(
    launcher: LaunchResolver, tmp_path: Path
) -> None:
    (tmp_path / "a,b").mkdir()
    said = {"preset": "no-network", "read": [str(tmp_path / "a,b")]}
    config = server(sandbox=said, limits="memory=1 GB, processes=100, cpu=50", era="legacy")
    async with connected(config, surroundings(launcher=launcher)) as connection:
        assert connection.tools
    place = tmp_path / "a,b"
    words = told(tmp_path / "words").split()
    label = words[1]
    assert label.startswith("--label=mcp-desktop=")
    assert words == [
        *("run", label, "--security-opt=no-new-privileges", "--network=none"),
        f'--mount=type=bind,"source={place}","target={place}",readonly',
        *("--memory=1000000000b", "--memory-swap=1000000000b", "--pids-limit=100", "--cpus=0.5"),
        *("-i", "--rm", "mcp/found"),
    ]


def told(words: Path) -> str:
    return words.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("preset", "option", "is_refused"),
    [
        ("folders", ("--privileged",), True),
        ("folders", ("-v", "/var/run/docker.sock:/s"), True),
        ("folders", ("--network", "host"), True),
        ("folders", ("-v", "/srv/data:/data"), False),
        ("folders", ("--network=own",), False),
        ("no-network", ("--network=own",), True),
        ("no-network", ("--network", "none"), False),
        ("strict", ("--mount", "type=bind,src=/srv/data,dst=/data"), True),
        ("off", ("--privileged",), False),
        ({"preset": "folders", "network": ["a.example.com"]}, (), True),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of a shell")
async def test_a_command_that_opens_what_its_sandbox_shuts_is_refused(
    launcher: LaunchResolver, preset: Any, option: tuple[str, ...], is_refused: bool
) -> None:
    config = server(*option, sandbox=preset)
    if not is_refused:
        await launcher.prepare(config)
        return
    with pytest.raises(SandboxError) as refused:
        await launcher.prepare(config)
    assert " ".join(option).replace("=own", " own") in str(refused.value)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of a shell")
async def test_a_container_that_another_command_made_cannot_be_held(
    launcher: LaunchResolver,
) -> None:
    for fields in ({"sandbox": "folders"}, {"limits": "memory=1 GB"}):
        with pytest.raises(SandboxError, match="docker run"):
            await launcher.prepare(server(args=("exec", "-i", "there", "serve"), **fields))
    await launcher.prepare(server(args=("exec", "-i", "there", "serve")))


@pytest.mark.parametrize(
    ("option", "preset", "words"),
    [
        ((), "off", "its container, the network"),
        (("-v", "/srv:/data:ro"), "folders", "its container, -v /srv:/data:ro, the network"),
        (("--net=none", "-v", "named:/data"), "off", "its container"),
        (("--privileged",), "off", "its container, --privileged, the network"),
        (("--network", "host"), "off", "its container, --network host, the network"),
        ((), {"preset": "no-network", "write": ["/srv"]}, "its container, /srv"),
    ],
)
def test_what_a_container_may_touch_is_read_from_its_own_options(
    option: tuple[str, ...], preset: Any, words: str
) -> None:
    config = server(*option, sandbox=preset)
    assert may_touch(config, config.sandbox) == words
