"""A server is started in the sandbox that its config asks for, or not at all."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import Paths
from desktop.config.launch_details import launch_fingerprint
from desktop.config.models import AppSettings, ServerConfig, sandbox_words
from desktop.config.parser import read_server
from desktop.features.launch import confinement
from desktop.features.sandbox import bubblewrap
from desktop.features.sandbox.bubblewrap import confine
from desktop.features.sandbox.walls import private_home, walls_of
from desktop.processes.process import LaunchSpec
from desktop.servers.transport.launch import LaunchResolver, SandboxError
from desktop.servers.transport.login_shell import ShellPath
from tests.live_servers import connected, stdio, surroundings

if TYPE_CHECKING:
    from pathlib import Path

needs_engine = pytest.mark.skipif(
    (program := bubblewrap.find()) is None or bool(bubblewrap.why_not(program)),
    reason="needs bubblewrap, and a system that lets it work",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home/Documents").mkdir(parents=True)
    return tmp_path / "home"


@pytest.fixture
def paths(home: Path) -> Paths:
    found = Paths(home / ".config/app/mcp.json", home / ".local/share/app")
    found.data.mkdir(parents=True)
    found.config.parent.mkdir(parents=True)
    found.config.touch()
    return found


def server(sandbox: Any, **fields: Any) -> ServerConfig:
    return ServerConfig.checked(name="found", command=sys.executable, sandbox=sandbox, **fields)


def launch(home: Path, *args: str, command: str = sys.executable) -> LaunchSpec:
    return LaunchSpec(command, args, {"HOME": str(home), "PATH": os.defpath}, str(home))


def read(entry: dict[str, Any]) -> ServerConfig:
    return read_server("found", {"command": "npx", **entry}, AppSettings())


# --- the config


@pytest.mark.parametrize("preset", ["off", "folders", "no-network", "strict"])
def test_a_preset_is_written_by_its_name_alone(preset: str) -> None:
    config = read({"sandbox": preset})
    assert config.sandbox.preset == preset
    assert config.sandbox.in_file == preset


def test_what_differs_from_a_preset_is_written_beside_it() -> None:
    said = {"preset": "no-network", "read": ["/srv/maps"], "network": True}
    config = read({"sandbox": said})
    assert config.sandbox.in_file == said
    assert config.sandbox.has_network
    assert sandbox_words(config.sandbox) == "its own folders, /srv/maps, the network"


@pytest.mark.parametrize(
    "sandbox",
    [
        *("of", "", True, 1, [], {"preset": "no"}, {"folders": []}, {"network": "no"}),
        *({"read": "/a"}, {"preset": "off", "read": ["/a"]}, {"network": ["localhost"]}),
        {"preset": "off", "network": ["api.github.com"]},
    ],
)
def test_a_sandbox_that_is_not_understood_is_no_server(sandbox: object) -> None:
    with pytest.raises(ConfigError, match="sandbox"):
        read({"sandbox": sandbox})


def test_another_sandbox_is_another_server_to_be_agreed_to() -> None:
    prints = {
        launch_fingerprint(read({"sandbox": each}))
        for each in ("off", "folders", "strict", {"preset": "strict", "read": ["/srv"]})
    }
    assert len(prints) == 4
    assert launch_fingerprint(read({"sandbox": "off"})) == launch_fingerprint(read({}))


# --- what is refused


@pytest.mark.parametrize(
    ("opened", "why"),
    [
        ("/", "holds all of your home"),
        ("~", "holds all of your home"),
        ("{home}/..", "holds all of your home"),
        ("{home}/.local", "holds files of mcp-desktop itself"),
        ("{home}/.local/share/app/sandbox", "does not exist"),
        ("{home}/gone", "does not exist"),
        ("{home}/way", "holds all of your home"),
        ("Documents", "is not a whole path"),
        ("${HOME}/x", "is not a whole path"),
        ("/proc", "is the system's"),
    ],
)
def test_what_opens_too_much_is_refused_in_a_sentence(
    home: Path,
    paths: Paths,
    monkeypatch: pytest.MonkeyPatch,
    opened: str,
    why: str,
) -> None:
    monkeypatch.setenv("HOME", str(home))
    (home / "way").symlink_to("/")
    for key in ("read", "write"):
        config = server({"preset": "strict", key: [opened.replace("{home}", str(home))]})
        with pytest.raises(SandboxError, match=why):
            walls_of(config, launch(home), paths)


def test_arguments_that_are_the_home_are_refused_too(home: Path, paths: Paths) -> None:
    with pytest.raises(SandboxError, match="holds all of your home"):
        walls_of(server("folders"), launch(home, str(home)), paths)


async def test_without_what_makes_sandboxes_a_server_that_asks_for_one_is_not_started() -> None:
    launcher = LaunchResolver(os.environ, ShellPath(os.environ, "/bin/sh"), own_path_first=True)
    with pytest.raises(SandboxError, match="asks for a sandbox"):
        await launcher.prepare(server("folders"))


def test_without_bubblewrap_it_says_how_to_install_it(
    home: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: None)
    with pytest.raises(SandboxError, match="not installed") as refused:
        confine(server("folders"), launch(home), paths)
    assert "apt install bubblewrap" in refused.value.remedy


def test_where_the_system_forbids_it_that_is_said(
    home: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: "/bin/false")
    with pytest.raises(SandboxError, match="does not let bubblewrap work: exit code 1"):
        confine(server("folders"), launch(home), paths)


# --- what is open


def test_its_own_folders_are_its_roots_and_arguments_and_where_it_runs(
    home: Path, paths: Paths
) -> None:
    for name in ("a", "b", "c", "d"):
        (home / name).mkdir()
    config = server("folders", roots=(str(home / "a"), (home / "b").as_uri()))
    given = LaunchSpec(
        sys.executable, (f"--directory={home / 'c'}",), {"HOME": str(home)}, str(home / "d")
    )
    walls = walls_of(config, given, paths)
    assert walls.write == tuple(home / name for name in ("a", "b", "c", "d"))
    assert walls.cwd == home / "d"
    strict = walls_of(config.changed(sandbox="strict"), given, paths)
    assert strict.write == ()
    assert not strict.has_network


def test_a_folder_in_another_is_not_opened_by_itself(home: Path, paths: Paths) -> None:
    """Else the server could put a link in its place, which the next start would follow."""
    (home / "a/b").mkdir(parents=True)
    named = {"preset": "strict", "write": [str(home / "a"), str(home / "a/b")]}
    assert walls_of(server(named), launch(home), paths).write == (home / "a",)


def test_a_script_comes_with_its_program_and_a_file_alone(home: Path, paths: Paths) -> None:
    (home / "code/src").mkdir(parents=True)
    for name in ("code/package.json", "code/src/main.js", "key.json", "lone.py"):
        (home / name).touch()
    config = server("folders", env={"CREDENTIALS": str(home / "key.json")})
    read = walls_of(config, launch(home, str(home / "code/src/main.js"), "~/lone.py"), paths).read
    assert {home / "code", home / "key.json"} <= set(read)
    assert home not in read


@needs_engine
@pytest.mark.parametrize(
    "name",
    ["LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES", "BASH_ENV", "BASH_FUNC_echo%%", "PS4"],
)
@pytest.mark.parametrize("network", [True, False, ["a.example.com"]])
def test_a_variable_that_could_run_code_outside_of_the_sandbox_is_set_inside_alone(
    home: Path, paths: Paths, name: str, network: object
) -> None:
    """Else an entry could have bubblewrap, the gate or a shell load what the server left."""
    given = {"HOME": str(home), "PATH": os.defpath, name: "/x/code.so", "TOKEN": "secret"}
    config = server({"preset": "folders", "network": network}, env={name: "/x/code.so"})
    started = confine(config, LaunchSpec("/bin/npx", ("-y", "a"), given, str(home)), paths)
    assert name not in started.environment
    assert started.environment["TOKEN"] == "secret"
    words = " ".join(started.args)
    assert "/x/code.so" in words.rpartition("exec ")[2]
    assert "secret" not in words


def test_what_a_runner_writes_into_is_not_opened_to_be_read_alone(home: Path, paths: Paths) -> None:
    """uv keeps its tools beside its Pythons: it could not write them, and not start."""
    for name in ("uv/python", "uv/tools"):
        (home / ".local/share" / name).mkdir(parents=True)
    read = walls_of(server("folders"), launch(home), paths).read
    assert home / ".local/share/uv/python" in read
    assert not {home / ".local/share/uv", home / ".local/share/uv/tools"} & set(read)


def test_an_entry_opens_no_folder_by_naming_it_in_its_path(home: Path, paths: Paths) -> None:
    (home / "Documents/bin").mkdir()
    path = f"{home}/Documents:{os.defpath}"
    given = LaunchSpec(sys.executable, (), {"HOME": str(home), "PATH": path}, str(home))
    assert home / "Documents" in walls_of(server("strict"), given, paths).read
    own = walls_of(server("strict", env={"PATH": path}), given, paths).read
    assert home / "Documents" not in own


def test_a_file_of_this_app_is_not_read_because_the_arguments_or_a_variable_name_it(
    home: Path, paths: Paths
) -> None:
    for name in ("history.sqlite3", "key.json"):
        (paths.data / name).touch()
    config = server("folders", env={"KEY": str(paths.data / "key.json")})
    read = walls_of(config, launch(home, str(paths.data / "history.sqlite3")), paths).read
    assert not any(place == paths.data or paths.data in place.parents for place in read)


@pytest.mark.parametrize(
    ("command", "fetched"),
    [
        (
            ["/bin/npx", "-y", "a-server", "x"],
            ["/bin/npx", "-y", "--package", "a-server", "-c", "true"],
        ),
        (["/bin/npx", "-p", "@s/all", "one"], ["/bin/npx", "-p", "@s/all", "-c", "true"]),
        (["/bin/uvx", "a-server"], ["/bin/uvx", "--from", "a-server", "true"]),
        (["/bin/uvx", "--from", "a", "b"], ["/bin/uvx", "--from", "a", "true"]),
        (["/bin/uv", "tool", "run", "a"], ["/bin/uv", "tool", "run", "--from", "a", "true"]),
    ],
)
@needs_engine
def test_a_package_is_fetched_before_the_network_is_shut(
    home: Path, paths: Paths, command: list[str], fetched: list[str]
) -> None:
    for name in ("key", ".npmrc"):
        (home / name).touch()
    spec = launch(home, *command[1:], command=command[0])
    env = {"TOKEN": "x", "KEY_FILE": str(home / "key"), "NPM_CONFIG_REGISTRY": "http://x"}
    named = {"preset": "no-network", "read": [str(home / ".npmrc"), str(home / "key")]}
    config = server(named, roots=(str(home / "Documents"),), env=env)
    script = confine(config, spec, paths).args[1]
    before, _, after = script.partition("; exec ")
    assert f"--ro-bind {home}/.npmrc" in before
    for given in (str(home / "Documents"), str(home / "key")):
        assert given in after
        assert given not in before
    assert "--unsetenv TOKEN --unsetenv KEY_FILE --chdir" in before
    assert f"-- {' '.join(fetched)} </dev/null" in before
    assert "--unshare-net" not in before
    assert "--unshare-net" in after
    assert after.endswith(f"-- {' '.join(command)}")
    assert confine(server("folders"), spec, paths).command.endswith("bwrap")


@needs_engine
def test_what_is_fetched_goes_into_a_home_that_no_server_has_written_to(
    home: Path, paths: Paths
) -> None:
    """Else a server without a network could leave there what it read for the next fetch to send."""
    scripts = [
        confine(server("no-network"), launch(home, "-y", name, command="/bin/npx"), paths).args[1]
        for name in ("a-server@1", "a-server@2")
    ]
    marks = [script.split()[2] for script in scripts]
    homes = [mark.removesuffix(".fetched") for mark in marks]
    assert len(set(homes)) == 2
    for own, other, script in zip(homes, reversed(homes), scripts, strict=True):
        assert f"--bind {own} {home}" in script
        assert other not in script
        assert str(private_home(paths, "found")) + " " not in script


def test_no_two_servers_have_one_home(paths: Paths) -> None:
    names = ["a" * 64, "a" * 63 + "b", "a b", "a_b", "文件", "工具", "..", "."]
    homes = {private_home(paths, name) for name in names}
    assert len(homes) == len(names)
    assert all(each.parents[1] == paths.data / "sandbox" for each in homes)


# --- a real server


@needs_engine
async def test_a_server_works_in_its_sandbox_and_leaves_nothing(home: Path, paths: Paths) -> None:
    launcher = LaunchResolver(
        {**os.environ, "HOME": str(home)},
        ShellPath(os.environ, "/bin/sh"),
        own_path_first=True,
        folder=home,
        confine=confinement(paths),
    )
    around = surroundings(launcher=launcher)
    for preset in ("folders", "no-network", "strict"):
        async with connected(stdio("daemon_child", sandbox=preset), around) as connection:
            assert connection.is_connected, connection.state.words
            assert connection.tools
    assert private_home(paths, "daemon_child").is_dir()


def test_a_program_of_a_package_comes_with_the_packages_that_it_loads(
    home: Path, paths: Paths
) -> None:
    """Also where it is called by a link, as npm makes them."""
    package = home / "apps/node_modules/a-server"
    (package / "bin").mkdir(parents=True)
    (package / "bin/a.js").touch()
    (package.parent / ".bin").mkdir()
    (package.parent / ".bin/a").symlink_to(package / "bin/a.js")
    for spec in (
        launch(home, command=str(package.parent / ".bin/a")),
        launch(home, str(package / "bin/a.js")),
    ):
        assert package.parent in walls_of(server("strict"), spec, paths).read


@needs_engine
async def test_a_sandbox_that_is_too_tight_is_named_with_what_the_server_said(
    home: Path, paths: Paths
) -> None:
    (home / "token").write_text("x", encoding="utf-8")
    code = f"open({str(home / 'token')!r})"
    launcher = LaunchResolver(
        {**os.environ, "HOME": str(home)},
        ShellPath(os.environ, "/bin/sh"),
        own_path_first=True,
        folder=home,
        confine=confinement(paths),
    )
    config = server("strict", args=("-c", code))
    async with connected(config, surroundings(launcher=launcher)) as connection:
        words = str(connection.state.words)
    unreached = server("folders", args=("-c", "raise SystemExit('Name or service not known')"))
    async with connected(unreached, surroundings(launcher=launcher)) as connection:
        assert "too tight" not in str(connection.state.words)  # it has a network
    silent = server("strict", args=("-c", "raise SystemExit('nothing is accessible')"))
    async with connected(silent, surroundings(launcher=launcher)) as connection:
        assert "ran in a sandbox and may touch what it needs to run" in str(connection.state.words)
    assert f"Its sandbox may be too tight for it (reading {home / 'token'})" in words
    assert "what it may touch" in words
