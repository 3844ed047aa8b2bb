from __future__ import annotations

import ast
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.models import ServerConfig
from desktop.tools.call_texts.python_script import python_script
from tests.server_commands import command
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from pathlib import Path

MAX_SECONDS = 50.0
TEXT = 'it\'s \\ "quoted"\n\x1b 你好 ${HOME}'


def stdio(**fields: Any) -> ServerConfig:
    program, args = command("plain")
    known = {"name": "plain", "transport": "stdio", "command": program, "args": tuple(args)}
    return ServerConfig.checked(**{**known, **fields})


def run(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """As a person would: saved to a file and given to Python."""
    file = folder / "call.py"
    file.write_text(script, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=MAX_SECONDS,
        check=False,
    )


def test_the_program_calls_a_server_over_stdio(tmp_path: Path) -> None:
    done = run(python_script(stdio(), "echo", {"message": TEXT}), tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{TEXT}\n"), done.stderr


def test_the_servers_environment_comes_from_whoever_runs_the_program(tmp_path: Path) -> None:
    config = stdio(env={"PLAIN_KEY": "hush", "OTHER": "${SOURCE}", "AUTH": "Bearer ${SOURCE}"})
    names = ["PLAIN_KEY", "OTHER", "AUTH"]
    script = python_script(config, "env", {"names": names})
    assert "hush" not in script
    done = run(script, tmp_path, PLAIN_KEY="mine", SOURCE="told")
    assert ast.literal_eval(done.stdout) == dict(
        zip(names, ["mine", "told", "Bearer told"], strict=True)
    )
    missing = run(script, tmp_path, PLAIN_KEY="mine")
    assert missing.returncode != 0
    assert "KeyError: 'SOURCE'" in missing.stderr


@pytest.mark.parametrize("headers", [{}, {"X-Key": "hush", "Authorization": "Bearer ${TOKEN}"}])
def test_the_program_calls_a_server_over_http(headers: dict[str, str], tmp_path: Path) -> None:
    with WebServer("http") as server:
        script = python_script(server.config(headers=headers), "echo", {"message": "hi"})
        assert "hush" not in script
        done = run(script, tmp_path, HEADER_X_KEY="mine", TOKEN="told")
    assert (done.returncode, done.stdout.splitlines()[:1]) == (0, ["hi"]), done.stderr


def test_the_program_calls_a_server_over_sse(tmp_path: Path) -> None:
    with WebServer("sse") as server:
        done = run(python_script(server.config(), "echo", {"message": "hi"}), tmp_path)
    assert (done.returncode, done.stdout.splitlines()[:1]) == (0, ["hi"]), done.stderr


def test_nothing_that_looks_like_a_secret_is_copied() -> None:
    config = stdio(
        command="~/bin/server",
        args=("--token", "hush", "--api-key=hush", "--root=${ROOT:-/tmp}", "${KEY}"),
        env={"KEY": "x hush ${KEY}"},
        cwd="${HOME}/x",
    )
    url = "https://me:hush@host/mcp?api_key=hush&page=1"
    http = ServerConfig.checked(name="web", transport="http", url=url, headers={"Cookie": "hush"})
    for script in (python_script(config, "t", {}), python_script(http, "t", {})):
        ast.parse(script)
        assert "hush" not in script
        assert "# Not copied, set these in your environment first:" in script
    script = python_script(config, "t", {})
    for line in (
        'command=os.path.expanduser("~/bin/server")',
        '"--api-key=" + os.environ["SERVER_ARG_3"]',
        '"--root=" + (os.environ.get("ROOT") or "/tmp")',
        'os.environ["KEY"]',
        'cwd=os.environ["HOME"] + "/x"',
    ):
        assert line in script


@pytest.mark.parametrize(
    "value",
    ["", "'", '"', "\\", "\\'", '\\"', "\n\r\0\u202e", 2**70, 1.5, -0.0, None, True, [], {}],
)
def test_every_value_is_the_same_in_python(value: Any) -> None:
    script = python_script(stdio(), "t", {"a": value, "deep": {"b": [value, {"c": value}]}})
    tree = ast.parse(script)
    assigned = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    assert ast.literal_eval(assigned[1]) == {"a": value, "deep": {"b": [value, {"c": value}]}}
    assert all(char.isprintable() or char == "\n" for char in script)
