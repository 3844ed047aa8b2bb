"""What is started is what the config says, filled in, found and with its own environment.

A server gets a terminal's environment without the person's secrets, and its program is found.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError, NextStep, ServerError
from desktop.base.paths import builtin_command
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import read_server
from desktop.servers.transport.launch import (
    LaunchResolver,
    find_command,
    server_environment,
    withheld_variables,
)
from desktop.servers.transport.login_shell import ShellPath

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.processes.process import LaunchSpec


def _program(folder: Path, name: str, mode: int = 0o755) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\n", "utf-8")
    file.chmod(mode)
    return file


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "CLIENT_SECRET",
        "DB_PASSWORD",
        "SIGNING_KEY",
        "AWS_PROFILE",
        "github_token",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "MCP_SERVERS",
        "MCP_DESKTOP_DATA",
        "PYTHONPATH",
        "PYTHONHOME",
        "QT_QPA_PLATFORM",
    ],
)
def test_secrets_and_our_own_names_are_not_inherited(name: str) -> None:
    assert name not in server_environment({name: "x"}, "", {})


@pytest.mark.parametrize(
    "name",
    [
        "HTTPS_PROXY",
        "LANG",
        "LC_ALL",
        "XDG_CACHE_HOME",
        "NODE_EXTRA_CA_CERTS",
        "HOME",
        "SSH_AUTH_SOCK",
        "KEYBOARD",
    ],
)
def test_the_rest_is_inherited(name: str) -> None:
    assert server_environment({name: "x"}, "", {})[name] == "x"


def test_a_password_in_a_url_is_inherited_only_where_downloads_need_it() -> None:
    url = "https://me:pa55word@host.example/x"
    names = ("DATABASE_URL", "REPORT_TO", "HTTPS_PROXY", "PIP_INDEX_URL", "npm_config_registry")
    inherited = server_environment(dict.fromkeys(names, url), "", {})
    assert set(inherited) & set(names) == set(names[2:])


def test_the_secrets_of_a_server_are_known_by_name_by_form_and_by_their_variable() -> None:
    environ = {"MY_TOKEN": "of-the-machine", "LEVEL": "a-harmless-value"}
    config = ServerConfig.checked(
        name="a",
        transport="stdio",
        command="x",
        args=("${LEVEL}", "postgres://me:pa55word@host/db"),
        env={"GIVEN": "${MY_TOKEN}", "API_KEY": "by-its-name", "OTHER": "ghp_0123456789"},
    )
    known = {"of-the-machine", "pa55word", "by-its-name", "ghp_0123456789"}
    assert LaunchResolver(environ, ShellPath(environ)).secrets(config) == known
    unset = LaunchResolver({}, ShellPath({})).secrets(config)
    assert unset == known - {"of-the-machine"}


def test_the_servers_own_variables_win_and_may_be_secrets() -> None:
    own = {"GITHUB_TOKEN": "t", "LANG": "C", "QT_QPA_PLATFORM": "minimal"}
    assert own.items() <= server_environment({"LANG": "en", "GITHUB_TOKEN": "x"}, "/a", own).items()


def test_the_path_is_the_shells_then_the_own(tmp_path: Path) -> None:
    assert server_environment({"PATH": "/b:/c"}, "/a:/b", {})["PATH"] == "/a:/b:/c"
    assert server_environment({"PATH": "/b"}, "/a", {"PATH": "/mine"})["PATH"] == "/mine"


def test_an_exported_function_is_not_inherited_and_the_loaders_path_is_restored() -> None:
    environ = {
        "BASH_FUNC_x%%": "() { :; }",
        "LD_LIBRARY_PATH": "/ours",
        "LD_LIBRARY_PATH_ORIG": "/l",
    }
    assert server_environment(environ, "", {}) == {"LD_LIBRARY_PATH": "/l", "PATH": ""}


def test_a_name_is_found_in_the_first_folder_that_has_it(tmp_path: Path) -> None:
    _program(tmp_path / "a", "tool", 0o644)
    tool = _program(tmp_path / "b", "tool")
    _program(tmp_path / "c", "tool")
    path = os.pathsep.join(str(tmp_path / name) for name in "abc")
    assert find_command("tool", path) == str(tool)


def test_a_path_starts_at_the_servers_folder(tmp_path: Path) -> None:
    tool = _program(tmp_path / "bin", "tool")
    assert find_command(str(tool), "") == str(tool)
    assert os.path.samefile(find_command("./bin/tool", "", str(tmp_path)), tool)
    with pytest.raises(ServerError, match=f'"./tool" does not exist in the folder {tmp_path}'):
        find_command("./tool", "", str(tmp_path))


def test_on_windows_npx_is_npx_cmd(tmp_path: Path) -> None:
    _program(tmp_path, "npx")
    command = _program(tmp_path, "npx.cmd")
    suffixes = [".exe", ".cmd"]
    assert find_command("npx", str(tmp_path), suffixes=suffixes) == str(command)
    assert find_command("npx.cmd", str(tmp_path), suffixes=suffixes) == str(command)
    assert find_command(str(tmp_path / "npx"), "", suffixes=suffixes) == str(command)


def test_an_error_names_the_searched_folders_one_a_line_and_the_remedy() -> None:
    path = os.pathsep.join(f"/folder/{number}" for number in range(25))
    with pytest.raises(ServerError) as caught:
        find_command("npx", path, server="files")
    lines = str(caught.value).splitlines()
    assert caught.value.server == "files"
    assert lines[:2] == ['The command "npx" was not found. Searched PATH:', "  /folder/0"]
    assert lines[20:] == [
        "  /folder/19",
        "  ... and 5 more",
        "npx comes with Node.js: install it from https://nodejs.org, then restart the server.",
    ]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("uvx", "uvx comes with uv"),
        ("docker", "comes with Docker"),
        ("python3.12", "comes with Python"),
        ("npx -y package", 'move them to "args"'),
        ("frobnicate", "Check the spelling"),
        ("", "PATH is empty"),
        ("a\0b", "was not found"),
        ("/no/such/tool", "does not exist"),
        ("/", "is a folder"),
    ],
)
def test_a_missing_command_says_what_to_do(command: str, words: str) -> None:
    with pytest.raises(ServerError, match=words):
        find_command(command, "" if not command else "/no/such/folder")


def test_a_file_that_is_not_executable_is_told_of(tmp_path: Path) -> None:
    file = _program(tmp_path, "tool", 0o644)
    with pytest.raises(ServerError, match=f"chmod \\+x {file}"):
        find_command("tool", str(tmp_path))


def test_a_missing_folder_is_told_of() -> None:
    with pytest.raises(ServerError, match="/no/such/folder"):
        find_command("sh", "/bin", "/no/such/folder")


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


def shell_saying(folder: Path, exports: str) -> str:
    """A login shell whose own files set these variables."""
    shell = folder / "shell"
    shell.write_text(f'#!/bin/sh\n{exports}\neval "$2"\n', "utf-8")
    shell.chmod(0o755)
    return str(shell)


@pytest.mark.parametrize("reference", ["${OF_SHELL}", "${env:OF_SHELL}", "$OF_SHELL"])
async def test_a_variable_that_only_the_login_shell_sets_reaches_the_server(
    tmp_path: Path, reference: str
) -> None:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    shell = shell_saying(tmp_path, "export OF_SHELL=from-the-shell OTHER=1")
    launcher = LaunchResolver(environ, ShellPath(environ, shell))
    entry = {"command": "x", "env": {"GIVEN": reference}}
    config = read_server("s", entry, AppSettings())
    await launcher.load_secrets(config)
    assert launcher.expanded(config).env == {"GIVEN": "from-the-shell"}
    assert "OTHER" not in (await launcher.prepare(config.changed(command="true"))).environment


async def test_the_path_that_a_config_adds_to_is_that_of_the_login_shell(tmp_path: Path) -> None:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    shell = shell_saying(tmp_path, f"export PATH={tmp_path}/tools:$PATH")
    launcher = LaunchResolver(environ, ShellPath(environ, shell))
    config = ServerConfig(name="s", command="x", env={"PATH": "/opt/x:${PATH}"})
    await launcher.load_secrets(config)
    path = launcher.expanded(config).env["PATH"].split(":")
    assert path[:3] == ["/opt/x", f"{tmp_path}/tools", "/usr/bin"]


def test_what_a_server_does_not_get_is_named() -> None:
    environ = {"AWS_PROFILE": "dev", "HOME": "/h", "MY_TOKEN": "t", "GIVEN_KEY": "k", "LANG": "C"}
    assert withheld_variables(environ, {"GIVEN_KEY": "${GIVEN_KEY}"}) == ["AWS_PROFILE", "MY_TOKEN"]
    assert withheld_variables({"QT_KEY": "1", "BASH_FUNC_SECRET": "() { :; }"}, {}) == []


def test_folders_of_a_path_that_are_passed_over_are_named(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"\$OTHER/bin \(passed over: not a full path\)"):
        find_command("nothing-of-this-name", f"{tmp_path}:$OTHER/bin")


def test_a_folder_as_a_command_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="is a folder, not a program"):
        find_command(str(tmp_path), "/usr/bin")


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


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("npxx", "npx"),
        ("mpx", "npx"),
        ("uxv", "uvx"),
        ("waether", "weather"),
        ("quite-another", None),
        ("/x/npxx", None),
    ],
)
def test_a_command_that_is_spelled_like_one_that_is_there_is_proposed(
    tmp_path: Path, command: str, found: str | None
) -> None:
    for name in ("npx", "uvx", "weather"):
        _program(tmp_path, name)
    (tmp_path / "npxy").write_text("no program", "utf-8")
    with pytest.raises(ServerError) as caught:
        find_command(command, str(tmp_path), suffixes=[""])
    steps = caught.value.steps
    assert steps[-1] == NextStep("edit")
    assert steps[:-1] == ((NextStep("use_command", found),) if found else ())


@pytest.mark.parametrize(
    ("command", "step"),
    [
        ("npx -y some-server", "take_apart"),
        ("TOKEN=x npx some-server", "take_apart"),
        ("http://127.0.0.1:3999/mcp", "use_url"),
        ("/opt/my tools/server", "edit"),
    ],
)
def test_a_command_line_or_an_address_as_the_command_can_be_put_right(
    tmp_path: Path, command: str, step: str
) -> None:
    with pytest.raises(ServerError) as caught:
        find_command(command, str(tmp_path), suffixes=[""])
    assert caught.value.steps[0].kind == step


def test_what_a_missing_command_comes_with_can_be_installed(tmp_path: Path) -> None:
    with pytest.raises(ServerError) as caught:
        find_command("npx", str(tmp_path), suffixes=[""])
    assert caught.value.steps[0] == NextStep("install", "Node.js", "https://nodejs.org")


@pytest.mark.parametrize(
    ("own_path_first", "given"),
    [
        (False, {"https_proxy", "NPM_CONFIG_REGISTRY", "UV_DEFAULT_INDEX", "PIP_INDEX_URL"}),
        (True, set[str]()),
    ],
)
async def test_how_the_network_is_reached_is_known_to_servers_of_an_app_from_an_icon(
    tmp_path: Path, own_path_first: bool, given: set[str]
) -> None:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    told = "\n".join(
        f"export {name}=https://mirror.example/{name}"
        for name in ("https_proxy", "NPM_CONFIG_REGISTRY", "UV_DEFAULT_INDEX", "PIP_INDEX_URL")
    )
    shell = shell_saying(tmp_path, f"{told}\nexport NPM_CONFIG_TOKEN=s3cret OTHER=1 MY_INDEX=2")
    launcher = LaunchResolver(environ, ShellPath(environ, shell), own_path_first)
    await launcher.shell_path.get()
    got = (await launcher.prepare(ServerConfig(name="s", command="true"))).environment
    assert got.keys() - {"PATH", "HOME"} == given


DOCKER = """#!/bin/sh
# docker as far as it is used: one container runs, with the label that `running` has.
[ "$1 $2 $3" = "ps -q --filter" ] && [ "$4" = "label=$(cat {folder}/running)" ] && echo c1
[ "$1" = kill ] && echo "$@" >> {folder}/killed
exit 0
"""


@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
async def test_a_container_is_killed_by_the_label_that_no_other_start_has(tmp_path: Path) -> None:
    _program(tmp_path, "docker").write_text(DOCKER.format(folder=tmp_path), encoding="utf-8")
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    launcher = LaunchResolver(environ, ShellPath(environ), own_path_first=True)

    async def started(*args: str) -> LaunchSpec:
        config = ServerConfig.checked(name="boxed", command="docker", args=args)
        return await launcher.prepare(launcher.expanded(config))

    first = await started("run", "-i", "--rm", "image", "--name", "not-of-the-container")
    other = await started("container", "run", "-i", "image")
    _, label = first.args[1].split("=", 1)
    assert first.args == ("run", f"--label={label}", *first.args[2:])
    assert other.args[:2] == ("container", "run")
    (tmp_path / "running").write_text(label, encoding="utf-8")
    for launch in (other, first):
        ended = await asyncio.create_subprocess_exec(*launch.at_kill, env=environ)
        await ended.wait()
    assert (tmp_path / "killed").read_text(encoding="utf-8") == "kill c1\n"
    assert (await started("exec", "-i", "there", "serve")).at_kill == ()


@pytest.mark.parametrize(
    ("before", "own"),
    [
        ("-D run", "-D"),
        ("--context work --debug container run", "--context work --debug"),
        ("-H=tcp://there:1 compose -f own.yml --ansi=never run", "-H=tcp://there:1"),
        ("compose run", ""),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
async def test_the_label_is_asked_of_the_daemon_that_made_the_container(
    tmp_path: Path, before: str, own: str
) -> None:
    words = tmp_path / "words"
    _program(tmp_path, "docker").write_text(f'#!/bin/sh\necho "$@" >> {words}; echo c1', "utf-8")
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    launcher = LaunchResolver(environ, ShellPath(environ), own_path_first=True)
    args = before.split()
    config = ServerConfig.checked(name="boxed", command="docker", args=(*args, "-i", "image"))
    launch = await launcher.prepare(launcher.expanded(config))

    *given, label = launch.args[: len(args) + 1]
    assert (given, launch.args[len(args) + 1 :]) == (args, ("-i", "image"))
    ended = await asyncio.create_subprocess_exec(*launch.at_kill, env=environ)
    await ended.wait()
    asked, killed = words.read_text(encoding="utf-8").splitlines()
    assert asked == f"{own} ps -q --filter {label.removeprefix('--')}".lstrip()
    assert killed == f"{own} kill c1".lstrip()


@pytest.mark.parametrize(
    "args", ["compose up", "--debug ps", "compose", "-H", "ps run", "compose -f"]
)
@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
async def test_what_makes_no_container_gets_no_label(tmp_path: Path, args: str) -> None:
    _program(tmp_path, "docker")
    launcher = LaunchResolver({"PATH": str(tmp_path)}, ShellPath({}), own_path_first=True)
    config = ServerConfig.checked(name="boxed", command="docker", args=tuple(args.split()))
    launch = await launcher.prepare(launcher.expanded(config))
    assert (launch.args, launch.at_kill) == (config.args, ())
