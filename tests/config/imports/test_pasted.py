"""What a person pastes to add a server, as READMEs print it, is understood as that server."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from desktop.base.errors import ConfigError
from desktop.config.document import Document
from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.file_formats import find_written
from desktop.config.imports.pasted import MAX_PASTED, entry_of_line, read_text
from desktop.config.imports.reader import read_pasted
from desktop.config.models import AppSettings

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}
LINE = "npx -y @modelcontextprotocol/server-memory"


def servers(text: str) -> dict[str, Any]:
    found = read_text(text)
    assert isinstance(found, Document)
    return {each.name: each.entry for each in find_written(found.data)}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"mcpServers": {"memory": MEMORY}}),
        json.dumps({"servers": {"memory": MEMORY}}, indent=2),
        json.dumps({"memory": MEMORY}),
        json.dumps(MEMORY),
        f'"memory": {json.dumps(MEMORY)},',
        f"Add this:\n```json\n{json.dumps({'memory': MEMORY})}\n```\nand restart.",
        f"Put {json.dumps({'mcpServers': {'memory': MEMORY}})} into your settings",
        LINE,
        f"$ {LINE}\n",
        f"“{LINE}”",
        f"```bash\n{LINE}\n```",
        "# first\nnpm install -g npx\nnpx -y \\\n  @modelcontextprotocol/server-memory",
        f"claude mcp add memory -- {LINE}",
        f"claude mcp add memory -s user -- {LINE}",
        f"codex mcp add memory -- {LINE}",
        f"gemini mcp add memory {LINE}",
        f"claude mcp add-json memory '{json.dumps(MEMORY)}'",
        f"code --add-mcp '{json.dumps({'name': 'memory', **MEMORY})}'",
        "@modelcontextprotocol/server-memory",
        "npm:@modelcontextprotocol/server-memory",
        "https://www.npmjs.com/package/@modelcontextprotocol/server-memory",
        '[mcp_servers.memory]\ncommand = "npx"\n'
        'args = ["-y", "@modelcontextprotocol/server-memory"]',
        "mcpServers:\n  memory:\n    command: npx\n"
        '    args: ["-y", "@modelcontextprotocol/server-memory"]\n',
        f"vscode:mcp/install?{quote(json.dumps({'name': 'memory', **MEMORY}))}",
        "https://insiders.vscode.dev/redirect/mcp/install?name=memory&config="
        + quote(json.dumps(MEMORY)),
    ],
)
def test_one_server_is_understood_however_it_is_written(text: str) -> None:
    (found,) = servers(text).values()
    assert (found["command"], found["args"]) == (MEMORY["command"], MEMORY["args"])
    places = ClientLocations.here()
    (read,) = read_pasted(text, places, AppSettings()).servers
    assert read.name == "memory"
    assert read.config is not None
    assert read.config.args == ("-y", "@modelcontextprotocol/server-memory")


@pytest.mark.parametrize(
    ("text", "name", "entry"),
    [
        ("KEY=1 uvx mcp-server-git", "git", {"command": "uvx", "env": {"KEY": "1"}}),
        ("env A=b C='d e' uvx x-mcp", "x", {"env": {"A": "b", "C": "d e"}}),
        ("export K=v\ncd /srv\nuv run s.py", "s", {"env": {"K": "v"}, "cwd": "/srv"}),
        ("cd /srv && uv run s.py", "s", {"cwd": "/srv", "args": ["run", "s.py"]}),
        ("mcp-server-fetch", "fetch", {"command": "npx"}),
        ("mcp_server_fetch", "fetch", {"command": "uvx"}),
        ("mcp-server-x[cli]", "x", {"command": "uvx", "args": ["mcp-server-x[cli]"]}),
        ("https://pypi.org/project/mcp-server-time/", "time", {"command": "uvx"}),
        ("mcp/time", "time", {"args": ["run", "-i", "--rm", "mcp/time"]}),
        ("docker run -i --rm -e K ghcr.io/github/github-mcp-server", "github", {}),
        ("node /home/me/weather/build/index.js", "weather", {"command": "node"}),
        ("localhost:3000/mcp", "localhost", {"url": "http://localhost:3000/mcp"}),
        ("mcp.example.com/mcp", "mcp.example.com", {"url": "https://mcp.example.com/mcp"}),
        (
            "claude mcp add --transport http s https://s.example/mcp --header 'A: Bearer x'",
            "s",
            {"type": "http", "url": "https://s.example/mcp", "headers": {"A": "Bearer x"}},
        ),
        ("claude mcp add gh -e A=1 B=2 -- npx y -f", "gh", {"env": {"A": "1", "B": "2"}}),
        ("gemini mcp add slow python s.py --port 3", "slow", {"args": ["s.py", "--port", "3"]}),
    ],
)
def test_what_stands_around_it_is_kept(text: str, name: str, entry: dict[str, Any]) -> None:
    ((found_name, found),) = servers(text).items()
    assert found_name == name
    assert {key: found[key] for key in entry} == entry


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one",
        "just some words",
        "Note: it works.",
        "two words\nof prose",
        "it's quoted wrong",
        "{",
        "[]",
        "{" * (MAX_PASTED + 1),
    ],
)
def test_what_is_no_server_is_refused_in_words(text: str) -> None:
    with pytest.raises(ConfigError, match=r"\w"):
        read_pasted(text, ClientLocations.here(), AppSettings())


def test_the_page_of_a_project_is_no_server_and_what_to_copy_is_said() -> None:
    with pytest.raises(ConfigError, match="README"):
        read_text("https://github.com/modelcontextprotocol/servers")


def test_a_mistake_in_json_is_told_with_its_line_and_without_the_text() -> None:
    with pytest.raises(ConfigError) as caught:
        read_text('{\n "mcpServers": {"a": sk-secret}\n}')
    assert caught.value.line == 2
    assert "sk-secret" not in str(caught.value)


def test_a_file_is_read_by_its_path_and_by_its_address(tmp_path: Path) -> None:
    file = tmp_path / "their servers.json"
    file.write_text(json.dumps({"servers": {"memory": MEMORY}}), "utf-8")
    for text in (str(file), file.as_uri(), f'"{file}"'):
        assert read_text(text) == file
        (read,) = read_pasted(text, ClientLocations.here(), AppSettings()).servers
        assert read.name == "memory"


@pytest.mark.skipif(sys.platform == "win32", reason="a share has a path there")
@pytest.mark.parametrize("url", ["file://elsewhere{path}", "file://{path}#part"])
def test_the_address_of_another_file_is_refused_with_its_reason(url: str, tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_text(json.dumps({"servers": {"memory": MEMORY}}), "utf-8")
    with pytest.raises(ConfigError, match="The address of the file must "):
        read_text(url.format(path=tmp_path / "servers.json"))


@pytest.mark.parametrize(
    ("written", "asked", "is_secret", "is_path"),
    [
        ("<YOUR_TOKEN>", "GITHUB_TOKEN", True, False),
        ("YOUR_API_KEY", "GITHUB_TOKEN", True, False),
        ("ghp_xxxxxxxx", "GITHUB_TOKEN", True, False),
        ("xxx", "GITHUB_TOKEN", True, False),
        ("/path/to/allowed/files", "GITHUB_TOKEN", True, True),
    ],
)
def test_what_a_readme_leaves_to_the_reader_is_asked_for(
    written: str, asked: str, is_secret: bool, is_path: bool
) -> None:
    text = json.dumps({"gh": {"command": "x", "env": {"GITHUB_TOKEN": written}}})
    (read,) = read_pasted(text, ClientLocations.here(), AppSettings()).servers
    (question,) = read.inputs
    assert (question.description, question.is_secret) == (asked, is_secret)
    assert question.is_path is is_path


@pytest.mark.parametrize(
    ("path", "is_asked"),
    [
        ("/Users/username/Desktop", True),
        ("/home/your-name/x", True),
        ("C:\\Users\\<name>\\x", True),
        ("/path/to/file.db", True),
        ("/home/maxxx/files", False),
        ("https://example.com/path/to/mcp", False),
    ],
)
def test_the_folder_of_nobody_is_asked_for(path: str, is_asked: bool) -> None:
    text = json.dumps({"fs": {"command": "npx", "args": ["-y", "fs", path]}})
    (read,) = read_pasted(text, ClientLocations.here(), AppSettings()).servers
    assert [question.is_path for question in read.inputs] == [True] * is_asked


def test_two_blanks_of_two_variables_are_two_questions() -> None:
    text = json.dumps({"a": {"command": "x", "env": {"ONE": "YOUR_KEY", "TWO": "YOUR_KEY"}}})
    (read,) = read_pasted(text, ClientLocations.here(), AppSettings()).servers
    assert [question.id for question in read.inputs] == ["ONE", "TWO"]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("npx -y pkg '/a b'", {"command": "npx", "args": ["-y", "pkg", "/a b"]}),
        ("K=v uvx x", {"command": "uvx", "args": ["x"], "env": {"K": "v"}}),
        ("http://127.0.0.1:3999/mcp", {"url": "http://127.0.0.1:3999/mcp"}),
        ("npx", {}),
        ("", {}),
        ("it's", {}),
        ("A=1", {}),
        ("/opt/my tools/server", {}),
        (f"{sys.executable} -m x", {"command": sys.executable, "args": ["-m", "x"]}),
    ],
)
def test_what_was_put_in_the_place_of_a_command_is_taken_apart(
    text: str, entry: dict[str, Any]
) -> None:
    if sys.platform != "win32":
        assert entry_of_line(text) == entry
