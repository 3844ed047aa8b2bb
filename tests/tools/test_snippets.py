from __future__ import annotations

import ast
import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.cli.arguments import read_arguments
from desktop.config.models import ServerConfig
from desktop.tools.snippets import plain_json, python_script, request_text, terminal_command
from tests.cli.terminal import LIMIT, ROOT, Terminal
from tests.server_commands import command
from tests.web_servers import WebServer


def test_the_request_is_what_the_protocol_wants() -> None:
    assert json.loads(request_text("echo", {"text": "你好", "n": 2**70})) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "你好", "n": 2**70}},
    }


def test_what_can_be_read_is_written_as_it_is_and_what_cannot_be_seen_escaped() -> None:
    assert plain_json({"text": "你好"}) == '{"text": "你好"}'
    assert plain_json({"text": "\u202e\x7f"}) == '{"text": "\\u202e\\u007f"}'


CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
SCHEMA: dict[str, Any] = {
    "properties": {
        "text": {"type": "string"},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "yes": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"a": {"type": "string"}}},
        "dotted.name": {"type": "string"},
        "odd": {"$ref": "#/$defs/odd"},
        "any": {},
    },
    "$defs": {"odd": {"type": ["string", "integer"]}},
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.sampled_from(["", "1", "true", "null", "[1]", "{}", "'", '"', "$(id)", "`x`"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
NAMES = (
    st.sampled_from([*SCHEMA["properties"], "inner.a", "other", "a=b", "a:", "-x", ""]) | st.text()
)

EXAMPLES = 3 * settings().max_examples


def read_back(line: str, schema: Any) -> tuple[str, dict[str, Any]]:
    """The tool and arguments that `call` would take from this line of a POSIX shell."""
    words = shlex.split(line)
    assert words[:2] == ["mcp-desktop", "call"]
    words = words[2:]
    whole = words.pop(1) if words[0] == "--args" else None
    words = words[1:] if whole is not None else words
    words = words[1:] if words[0] == "--" else words
    return words[0], read_arguments(words[1:], whole).arguments(schema)


def same(one: Any, other: Any) -> bool:
    """Equal by type too, as 1, 1.0 and true are three JSON values."""
    return repr(one) == repr(other)


@pytest.mark.skipif(os.name != "posix", reason="another shell")
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=EXAMPLES)
@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_every_argument_comes_back_with_its_type(arguments: dict[str, Any]) -> None:
    line = terminal_command("one:tool", arguments, SCHEMA)
    assert line.isprintable()
    key, found = read_back(line, SCHEMA)
    assert key == "one:tool"
    assert same(dict(sorted(found.items())), dict(sorted(arguments.items())))


def test_plain_words_where_the_schema_leaves_no_doubt() -> None:
    arguments = {"text": "it's", "count": 3, "share": 2.0, "yes": True, "maybe": "1", "list": ["a"]}
    assert terminal_command("one:tool", arguments, SCHEMA) == (
        "mcp-desktop call one:tool 'text=it'\"'\"'s' count=3 share=2.0 yes=true maybe=1 "
        "'list:=[\"a\"]'"
    )


def test_a_key_that_could_be_misread_puts_all_into_one_json() -> None:
    line = terminal_command("one:tool", {"text": "a", "inner.a": 1}, SCHEMA)
    assert shlex.split(line)[2:] == ["--args", '{"text": "a", "inner.a": 1}', "one:tool"]


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [("one:\x1bx", "", "control characters"), ("one:x", "a" * 200_000, "too long")],
)
def test_what_no_terminal_can_be_given_is_refused(key: str, value: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        terminal_command(key, {"text": value}, SCHEMA)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real tools is not here")
def test_texts_and_numbers_for_every_real_tool_come_back() -> None:
    for file in sorted(CORPUS.glob("*.json")):
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]:
            schema = tool["inputSchema"]
            for value in ("text", "12", 12, 1.5, True, None, ["a"], {"b": 1}):
                arguments = dict.fromkeys(schema.get("properties", {}), value)
                line = terminal_command("s:t", arguments, schema)
                assert same(read_back(line, schema)[1], arguments), line


@pytest.mark.skipif(os.name != "posix", reason="another shell")
def test_the_command_runs_in_a_real_shell(tmp_path: Path) -> None:
    """Through `sh`, the program's own command line and a real server, which says what it got."""
    program, args = command("plain")
    terminal = Terminal(tmp_path)
    terminal.configure(**{"the server": {"command": program, "args": args}})
    folder = tmp_path / "bin"
    folder.mkdir()
    shim = folder / "mcp-desktop"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m desktop "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    text = 'it\'s $HOME `id` "q" 你好\n'
    line = terminal_command("the server:echo", {"message": text}, {})
    done = subprocess.run(
        ["sh", "-c", f"{line} --json"],
        env={**terminal.environment, "PATH": f"{folder}:{os.environ['PATH']}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["data"]["output"] == text


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
