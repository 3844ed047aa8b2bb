"""A server gets no more memory, processes and CPU than its config says, and that is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from desktop.base.errors import ConfigError, NextStep
from desktop.base.paths import Paths
from desktop.config.launch_details import launch_fingerprint
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import read_server
from desktop.features.launch import confinement
from desktop.features.sandbox import bubblewrap, limits
from desktop.processes import tree_limits
from desktop.servers.transport.launch import LaunchResolver, SandboxError
from desktop.servers.transport.login_shell import ShellPath
from tests.live_servers import QUICK, connected, surroundings, until

if TYPE_CHECKING:
    from desktop.servers.connection import ServerConnection
    from desktop.servers.context import ConnectionContext
    from desktop.servers.state import ServerState

GREEDY = str(Path(__file__).with_name("greedy.py"))
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="others have no such limits")
IN_ONE = "strict" if (engine := bubblewrap.find()) and not bubblewrap.why_not(engine) else "off"
SCOPE = """#!/bin/sh
# systemd-run as far as it is used: keeps its words, and becomes the command.
case "$*" in *cgroup.controllers*) echo "{controllers}"; exit;; esac
[ -n "$XDG_RUNTIME_DIR" ] || exit 1
echo "$@" > {words}
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


def read(said: object) -> ServerConfig:
    return read_server("found", {"command": "npx", "limits": said}, AppSettings())


def greedy(said: object, sandbox: str = "off") -> ServerConfig:
    args = ("-S", "-I", GREEDY)
    return ServerConfig.checked(
        name="greedy", command=sys.executable, args=args, limits=said, sandbox=sandbox, era="legacy"
    )


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConnectionContext:
    """Without systemd."""
    monkeypatch.setattr(limits, "find", lambda: None)
    home = tmp_path / "home"
    home.mkdir()
    launcher = LaunchResolver(
        {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": "/run/user/me"},
        ShellPath(os.environ, "/bin/sh"),
        own_path_first=True,
        folder=home,
        confine=confinement(Paths(tmp_path / "mcp.json", tmp_path / "data")),
    )
    return surroundings(launcher=launcher, pauses=QUICK)


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in place of systemd's, and where it writes its words."""
    program = fake_systemd(tmp_path, "cpu memory pids")
    monkeypatch.setattr(limits, "find", lambda: program)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/me")
    return tmp_path / "words"


def told(words: Path) -> str:
    return words.read_text(encoding="utf-8")


def fake_systemd(folder: Path, controllers: str) -> str:
    program = folder / "systemd-run"
    text = SCOPE.format(words=folder / "words", controllers=controllers)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    return str(program)


# --- the config


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("", {}),
        ({"memory": "1 GB"}, {"memory": "1 GB"}),
        ({"memory": "1.5gib", "cpu": 50}, {"memory": "1.5 GiB", "cpu": 50}),
        (
            "memory = 512MB; processes=100,cpu=200%",
            {"memory": "512 MB", "processes": 100, "cpu": 200},
        ),
    ],
)
def test_limits_are_read_from_an_object_or_one_line_and_written_in_whole_units(
    said: object, written: dict[str, Any]
) -> None:
    found = read(said).limits
    assert found.in_file == written
    assert read(found.text) == read(found.in_file) == read(said)


@pytest.mark.parametrize(
    "said",
    [
        *(1, [], "much", "memory=1 GB, memory=2 GB", {"memory": "1"}, {"memory": "1 MB"}),
        *({"memory": True}, {"memory": -1}, {"processes": -1}, {"processes": "9"}, {"cpu": 0.5}),
        *({"disk": "1 GB"}, {"memory": "9" * 400 + "GB"}),
    ],
)
def test_limits_that_are_not_understood_are_no_server(said: object) -> None:
    with pytest.raises(ConfigError, match="limits"):
        read(said)


def test_other_limits_are_another_server_to_be_agreed_to() -> None:
    prints = {launch_fingerprint(read(each)) for each in ("", "cpu=50", "cpu=60", "processes=50")}
    assert len(prints) == 4
    assert launch_fingerprint(read({"cpu": 0})) == launch_fingerprint(read(""))


# --- what is held, by a real server


def tree(connection: ServerConnection) -> list[psutil.Process]:
    """None between its end and its next start."""
    try:
        server = psutil.Process(connection.pid or 0)
        return [server, *server.children(recursive=True)] if connection.pid else []
    except psutil.NoSuchProcess:
        return []


@on_linux
@pytest.mark.parametrize(
    ("sandbox", "said", "tool", "arguments", "is_counted", "words"),
    [
        ("off", "memory=150 MB", "fill", {"megabytes": 400}, False, "memory limit of 150 MB"),
        (IN_ONE, "memory=150 MB", "fill_child", {"megabytes": 100}, True, "memory limit of 150 MB"),
        ("off", "memory=60 MB, processes=12", "fork", {"count": 30}, True, "limit of 12 processes"),
    ],
)
async def test_a_server_that_takes_more_than_its_limit_ends_with_all_it_started_and_says_so(
    around: ConnectionContext,
    sandbox: str,
    said: str,
    tool: str,
    arguments: dict[str, Any],
    is_counted: bool,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first by the kernel, which bounds each process; the others by the app."""
    monkeypatch.setattr(tree_limits, "INTERVAL", 0.01 if is_counted else 60.0)
    async with connected(greedy(said, sandbox), around) as connection:
        states: list[ServerState] = []
        connection.state_changed.connect(lambda: states.append(connection.state))
        before = tree(connection)
        for _ in range(3):
            if not (await connection.call_tool(tool, arguments)).success:
                break
            before += [each for each in tree(connection) if each not in before]
        await until(connection.state_changed, lambda: any(words in each.error for each in states))
        problem = next(each.problem for each in states if words in each.error)
        assert problem is not None
        assert NextStep("edit") in problem.steps
        assert '"limits" in the config' in problem.remedy
    assert not any(each.is_running() for each in before)


@on_linux
@pytest.mark.parametrize("sandbox", ["off", IN_ONE])
async def test_systemd_puts_a_server_into_a_scope_and_its_tree_is_ended_as_without_one(
    around: ConnectionContext, systemd: Path, sandbox: str
) -> None:
    said = {"memory": "1 GB", "processes": 90, "cpu": 50}
    async with connected(greedy(said, sandbox), around) as connection:
        await connection.call_tool("fork", {"count": 3})
        started = tree(connection)
        assert len(started) >= 4
        assert not any("systemd-run" in " ".join(each.cmdline()) for each in started)
    assert not any(each.is_running() for each in started)
    words = told(systemd)
    for each in ("MemoryMax=1000000000", "MemorySwapMax=0", "TasksMax=90", "CPUQuota=50%"):
        assert f"--property={each} " in words


@on_linux
@pytest.mark.parametrize("number", [9, 15])
@pytest.mark.parametrize("holder", ["the system", "the app"])
async def test_a_kill_is_taken_for_the_memory_limit_where_the_system_holds_that_alone(
    around: ConnectionContext, request: pytest.FixtureRequest, holder: str, number: int
) -> None:
    if holder == "the system":
        request.getfixturevalue("systemd")
    async with connected(greedy("memory=1 GB"), around) as connection:
        errors: list[str] = []
        connection.state_changed.connect(lambda: errors.append(connection.state.error))
        tree(connection)[0].send_signal(number)
        await until(connection.state_changed, lambda: any(errors))
    is_told = any("its memory limit of 1 GB" in error for error in errors)
    assert is_told is (holder == "the system")


async def test_the_cpu_is_not_said_to_be_held_where_no_systemd_holds_it(
    around: ConnectionContext, tmp_path: Path
) -> None:
    with pytest.raises(SandboxError, match="only systemd can do") as refused:
        await around.launcher.prepare(greedy("cpu=50"))
    assert '"cpu"' in refused.value.remedy
    assert limits.scope_options(fake_systemd(tmp_path, "memory pids")) is None


async def test_without_what_holds_limits_a_server_that_has_some_is_not_started() -> None:
    launcher = LaunchResolver(os.environ, ShellPath(os.environ, "/bin/sh"), own_path_first=True)
    with pytest.raises(SandboxError, match="or limits, which this app has not"):
        await launcher.prepare(greedy("memory=1 GB"))
