"""What a command line really runs, and whether a runner still fetches it, with real processes."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.processes.package_runners import (
    PackageCommand,
    PackageFetch,
    find_fetch,
    find_runner,
    program_name,
    readable,
)
from desktop.processes.process_command import describe_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FILES = "@modelcontextprotocol/server-filesystem"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([f"npm exec {FILES} /home/me/Documents"], FILES),
        (["npm", "exec", FILES, "/home/me/Documents"], FILES),
        (["npx", "-y", f"{FILES}@1.2", "~/Documents"], f"{FILES}@1.2"),
        (["node", "/usr/bin/npx", "--yes", FILES], FILES),
        (["node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", FILES], FILES),
        (["npx", "--package=@scope/all", "one"], "@scope/all"),
        (["npx", "-p", "@scope/all", "one"], "@scope/all"),
        (["sh", "-c", "'mcp-server-everything'"], "mcp-server-everything"),
        (["sh", "-c", "mcp-server-filesystem ~/Documents"], "mcp-server-filesystem"),
        (["/bin/sh", "-c", "exec uvx mcp-server-time"], "mcp-server-time"),
        (["node", "/x/_npx/1/node_modules/.bin/mcp-server-everything"], "mcp-server-everything"),
        (["node", f"/x/node_modules/{FILES}/dist/index.js", "/a"], FILES),
        (["node", "/home/me/weather/build/index.js"], "weather/build/index.js"),
        (["uvx", "--from", "git+https://x/y", "one"], "git+https://x/y"),
        (["uv", "tool", "uvx", "mcp-server-time", "--local-timezone", "UTC"], "mcp-server-time"),
        (["uv", "--directory", "/x", "run", "server.py"], "uv"),
        (["python3.12", "/c/archive-v0/x/bin/mcp-server-time"], "mcp-server-time"),
        (["python3", "-I", "-m", "mcp_server_git"], "mcp_server_git"),
        (["python3", "-c", "print()"], "python3"),
        (["python3", "-m"], "python3"),
        (["docker", "run", "-i", "--rm", "-e", "A=b", "mcp/fetch"], "mcp/fetch"),
        (["python3", "-I", "-S", "/app/__main__.py", "builtin", "calculator"], "calculator"),
        (["/opt/bin/github-mcp-server", "stdio"], "github-mcp-server"),
        (["sh"], "sh"),
        (["bwrap", "--unshare-pid", "--bind", "/a", "/b", "--", "npx", "-y", FILES], FILES),
        (["bwrap", "--version"], "bwrap"),
        (["sh", "-c", "[ -e x ] || { fetch; }; exec bwrap --dir /a -- uvx a-server"], "a-server"),
        (["sh", "-c", "'"], "sh"),
    ],
)
def test_a_command_line_is_called_by_what_it_runs(words: list[str], name: str) -> None:
    assert program_name(words) == name


@pytest.mark.parametrize(
    ("start", "runner"),
    [
        ("npx", "npx"),
        ("npm exec", "npx"),
        ("npm x", "npx"),
        ("pnpx", "pnpm"),
        ("pnpm dlx", "pnpm"),
        ("yarn dlx", "yarn"),
        ("bunx", "bunx"),
        ("bun x", "bunx"),
        ("uvx", "uvx"),
        ("uv tool uvx", "uvx"),
        ("uv tool run", "uvx"),
        ("uv run", "uv"),
        ("pipx run", "pipx"),
        ("docker run", "docker"),
        ("podman run", "podman"),
    ],
)
def test_each_runner_has_the_name_that_people_call_it(start: str, runner: str) -> None:
    assert find_runner([*start.split(), "some-server"]) == PackageCommand(runner, "some-server")
    assert find_runner([start.split()[0], "other", "some-server"]) != PackageCommand(
        runner, "some-server"
    )


@pytest.mark.parametrize("option", ["-p", "--package", "--from"])
def test_the_package_is_the_value_of_its_option(option: str) -> None:
    for given in ([option, "a-package"], [f"{option}=a-package"]):
        assert find_runner(["npx", *given, "program"]) == PackageCommand("npx", "a-package")
    assert find_runner(["npx", option]) == PackageCommand("npx", "")


@pytest.mark.parametrize(
    "option",
    [
        "--call",
        "-c",
        "--registry",
        "--cache",
        "--userconfig",
        "--prefix",
        "--workspace",
        "-w",
        "--python",
        "--with",
        "--index",
        "--index-url",
        "--default-index",
        "--extra-index-url",
        "--directory",
        "--project",
        "--env-file",
        "-e",
        "--env",
        "-v",
        "--volume",
        "--mount",
        "--name",
        "--network",
        "--net",
        "-u",
        "--user",
        "--entrypoint",
        "--workdir",
        "--platform",
        "-l",
        "--label",
        "--add-host",
        "-h",
        "--hostname",
        "--gpus",
        "--memory",
        "--cpus",
        "--pull",
    ],
)
def test_the_value_of_another_option_is_not_taken_for_the_package(option: str) -> None:
    assert program_name(["docker", "run", option, "a-value", "image"]) == "image"
    assert program_name(["docker", "run", f"{option}=a-value", "image"]) == "image"


@pytest.mark.parametrize(
    "interpreter",
    [
        "node",
        "nodejs",
        "bun",
        "deno",
        "python",
        "python3.12",
        "pypy3",
        "ruby",
        "perl",
        "NODE.EXE",
    ],
)
def test_a_script_stands_for_its_interpreter(interpreter: str) -> None:
    assert program_name([f"/usr/bin/{interpreter}", "weather.js"]) == "weather.js"
    assert program_name([interpreter, "run", "weather.ts"]) == "weather.ts"
    assert program_name([interpreter]) == interpreter


@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "zsh", "ash", "ksh"])
def test_what_a_shell_runs_stands_for_it(shell: str) -> None:
    assert program_name([shell, "-c", "uvx a-server"]) == "a-server"
    assert program_name([shell, "start-it", "now"]) == "start-it"
    assert program_name([shell, "-l", "start-it"]) == shell
    assert readable([f"/bin/{shell}", "-c", "'a' 'b'"]) == [f"/bin/{shell}", "-c", "a", "b"]
    assert readable([shell, "script", "x"]) == [shell, "script", "x"]


@pytest.mark.parametrize(
    "folder",
    [
        "index",
        "main",
        "server",
        "app",
        "cli",
        "run",
        "start",
        "__main__",
        "build",
        "dist",
        "src",
        "lib",
        "out",
        "bin",
    ],
)
def test_a_name_that_says_nothing_comes_with_its_folder(folder: str) -> None:
    assert program_name(["node", f"/a/weather/{folder}.js"]) == f"weather/{folder}.js"
    assert program_name(["node", f"{folder}.js"]) == f"{folder}.js"


@pytest.mark.parametrize("option", ["-r", "--require", "--import", "--loader", "-W", "-X"])
def test_an_option_of_an_interpreter_takes_its_value_along(option: str) -> None:
    assert program_name(["node", option, "a-value", "weather.js"]) == "weather.js"


@pytest.mark.parametrize("option", ["-c", "-e", "--eval", "-p", "--print", "-"])
def test_code_on_the_command_line_is_no_script(option: str) -> None:
    assert program_name(["node", option, "code()"]) == "node"


def test_what_lies_in_a_folder_of_modules_is_the_package_there() -> None:
    assert program_name(["node", "/a/node_modules/one/node_modules/two/x.js"]) == "two"
    assert program_name(["node", "/a/node_modules/@s/two/x.js"]) == "@s/two"
    assert program_name(["node", "/a/node_modules/.bin/three"]) == "three"
    assert program_name(["node", "/a/node_modules"]) == "node_modules"


def test_the_guardian_and_the_built_in_servers_have_their_own_names() -> None:
    assert program_name(["python3", "-S", "/app/__main__.py", "guardian"]) == "guardian"
    assert program_name(["python3", "/app/__main__.py", "builtin"]) == "/app/__main__.py"


def test_shells_in_shells_are_looked_through_four_deep() -> None:
    def nested(depth: int, *words: str) -> Sequence[str]:
        for _ in range(depth):
            words = ("sh", "-c", shlex.join(words))
        return words

    assert find_runner(nested(4, "uvx", "a-server")) == PackageCommand("uvx", "a-server")
    assert find_runner(nested(5, "uvx", "a-server")) is None
    assert program_name(nested(4, "a-server")) == "a-server"
    assert program_name(nested(5, "a-server")) == ""


def test_a_program_of_ones_own_is_no_runner() -> None:
    assert find_runner(["node", "server.js"]) is None
    assert find_runner(["npm", "start"]) is None
    assert find_runner([]) is None
    assert program_name([]) == ""


def test_a_runner_without_a_package_is_called_by_its_own_name() -> None:
    assert find_runner(["npx", "--yes"]) == PackageCommand("npx", "")
    assert program_name(["npx", "--yes"]) == "npx"


def test_a_program_whose_path_has_a_space_is_no_title(tmp_path: Path) -> None:
    program = tmp_path / "my server"
    program.touch()
    assert program_name([str(program)]) == "my server"


def test_runners_within_runners_have_an_end() -> None:
    assert find_runner(["sh", "-c", "sh -c 'sh -c \"sh -c sh\"'"]) is None


def test_the_title_has_the_package_first_and_no_secret() -> None:
    title = describe_command([f"npm exec {FILES} /home/me/Documents"])
    assert title.title == f"{FILES}  (npm)"
    assert title.short == f"npm exec {FILES} /home/me/Documents"
    shell = describe_command(["sh", "-c", "'mcp-server-everything' '--token' 'abc'"])
    assert shell.title == "mcp-server-everything  (sh)"
    assert shell.short == "sh -c mcp-server-everything --token ‹redacted›"


RUNNER = """\
import socket, subprocess, sys, time
peer = socket.create_connection(("127.0.0.1", int(sys.argv[2]))) if sys.argv[2] != "0" else None
print("up", flush=True)
for line in sys.stdin:
    if peer is not None:
        peer.close()
    # It says itself that it is up: before that its command line may still be empty.
    code = "print('started', flush=True); input()"
    child = subprocess.Popen([sys.executable, "-S", "-c", code], stdin=subprocess.PIPE)
    input()
    child.communicate(b"\\n")
    break
"""


class Runner:
    """A process that is called as a runner, may hold a connection open, and starts its server."""

    def __init__(self, script: Path, package: str, port: int, home: Path) -> None:
        script.write_text(RUNNER)
        self.process = subprocess.Popen(
            [sys.executable, "-S", str(script), package, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"HOME": str(home), "PATH": ""},
        )
        self._read()

    def start_its_server(self) -> None:
        self._write()
        self._read()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _write(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.readline()


@pytest.fixture
def registry() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def test_uvx_downloads_while_it_holds_a_connection_and_has_no_server(
    tmp_path: Path, registry: socket.socket
) -> None:
    runner = Runner(tmp_path / "uvx", "mcp-server-time", registry.getsockname()[1], tmp_path)
    try:
        assert find_fetch(runner.process.pid) == PackageFetch("uvx", "mcp-server-time", True)
        runner.start_its_server()
        assert find_fetch(runner.process.pid) is None
    finally:
        runner.end()


def test_uvx_without_a_connection_prepares(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "uvx", "mcp-server-time", 0, tmp_path)
    try:
        assert find_fetch(runner.process.pid) == PackageFetch("uvx", "mcp-server-time", False)
    finally:
        runner.end()


def test_npx_downloads_until_its_cache_has_the_whole_package(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "npx", f"{FILES}@1.2", 0, tmp_path)
    modules = tmp_path / ".npm" / "_npx" / "0123" / "node_modules"
    try:
        assert find_fetch(runner.process.pid) == PackageFetch("npx", f"{FILES}@1.2", True)
        (modules / FILES).mkdir(parents=True)
        (modules / FILES / "package.json").write_text("{}")
        assert find_fetch(runner.process.pid) == PackageFetch("npx", f"{FILES}@1.2", True)
        (modules / ".package-lock.json").write_text("{}")
        assert find_fetch(runner.process.pid) == PackageFetch("npx", f"{FILES}@1.2", False)
    finally:
        runner.end()
    assert find_fetch(runner.process.pid) is None


def test_a_server_that_is_no_package_fetches_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert find_fetch(process.pid) is None
    finally:
        process.communicate(b"\n")
