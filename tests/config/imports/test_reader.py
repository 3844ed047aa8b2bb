"""Each client's own file, read as that client means it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.base.errors import ConfigError
from desktop.config.imports.clients import APPS, ClientLocations, app_named
from desktop.config.imports.file_formats import MAX_SERVERS
from desktop.config.imports.reader import (
    DetectedClient,
    NoServersError,
    ReadServer,
    ReadSource,
    Source,
    discover,
    look_at,
    read_address,
    read_source,
)
from desktop.config.models import AppSettings, ServerConfig
from tests.config.imports.conftest import HOME

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = AppSettings()


def key(found: DetectedClient) -> str:
    return found.source.app.key if found.source.app is not None else ""


def test_every_client_of_a_home_is_found_with_its_servers(places: ClientLocations) -> None:
    found = discover(places, SETTINGS)
    assert {key(one) for one in found} == {app.key for app in APPS}
    assert [one.error for one in found if one.error] == []
    counts = {(key(one), one.source.path and one.source.path.name): one.count for one in found}
    assert counts["claude-desktop", "claude_desktop_config.json"] == 2
    assert counts["goose", "config.yaml"] == 3


def test_a_file_cannot_say_that_its_server_is_from_a_registry(
    tmp_path: Path, places: ClientLocations
) -> None:
    entry = {"command": "x", "catalogue": {"name": "com.example/trusted", "version": "1"}}
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps({"mcpServers": {"a": entry}}), "utf-8")
    (server,) = read_source(Source(file), places, SETTINGS).servers
    assert server.config is not None
    assert server.config.catalogue == {}


def test_nothing_is_found_where_nothing_is(tmp_path: Path, places: ClientLocations) -> None:
    assert discover(replace(places, home=tmp_path, project=None), SETTINGS) == []


def test_files_that_cannot_be_read_are_told_and_leave_the_others(
    tmp_path: Path, places: ClientLocations
) -> None:
    home = tmp_path / "home"
    shutil.copytree(HOME, home)
    (home / ".cursor" / "mcp.json").write_text("{ broken")
    (home / ".lmstudio" / "mcp.json").unlink()
    (home / ".lmstudio" / "mcp.json").mkdir()
    loop = home / ".copilot" / "mcp-config.json"
    loop.unlink()
    loop.symlink_to(loop)
    (home / ".config" / "zed" / "settings.json").write_text('{"theme": "x"}')
    found = {key(one): one for one in discover(replace(places, home=home), SETTINGS)}
    assert "line 1, column" in found["cursor"].error
    assert "is a folder" in found["lm-studio"].error
    assert "cannot be read" in found["copilot"].error
    assert "zed" not in found
    assert found["claude-desktop"].count == 2


def test_what_a_person_hands_over_is_read_or_told(tmp_path: Path, places: ClientLocations) -> None:
    good = look_at(str(HOME / ".cursor" / "mcp.json"), places, SETTINGS)
    assert (key(good), good.count, good.error) == ("cursor", 2, "")
    for what in (str(tmp_path), str(tmp_path / "none.json"), "mcp-desktop://x", "a\0b"):
        found = look_at(what, places, SETTINGS)
        assert (found.read, found.count) == (None, 0)
        assert found.error


def read_app(key: str, places: ClientLocations, number: int = 0) -> dict[str, ReadServer]:
    app = app_named(key)
    assert app is not None
    source = Source(places.files_of(app)[number], app)
    return {server.name: server for server in read_source(source, places, SETTINGS).servers}


def config(one: ReadServer) -> ServerConfig:
    assert one.config is not None, one.error
    return one.config


def kinds(one: ReadServer) -> set[tuple[str, str]]:
    """What may not work; see test_dangers for what may do harm."""
    return {
        (finding.kind, finding.subject or finding.place)
        for finding in one.findings
        if not finding.is_danger and finding.kind != "host"
    }


def read_text(text: str, folder: Path, places: ClientLocations, name: str = "a.json") -> ReadSource:
    (folder / name).write_text(text, encoding="utf-8")
    return read_source(Source(folder / name), places, SETTINGS)


def test_claude_desktop(places: ClientLocations) -> None:
    servers = read_app("claude-desktop", places)
    assert config(servers["github"]).args[-1] == "@modelcontextprotocol/server-github"
    assert kinds(servers["github"]) == {("secret", "env.GITHUB_PERSONAL_ACCESS_TOKEN")}
    assert kinds(servers["filesystem"]) == {("missing", "/nowhere/at/all")}


def test_claude_code(places: ClientLocations) -> None:
    servers = read_app("claude-code", places)
    assert config(servers["sentry"]).transport == "http"
    assert config(servers["api"]).url == "${API_BASE:-https://api.example}/sse"
    assert kinds(servers["api"]) == {("unset", "API_KEY")}
    assert servers["db"].scope == "/src/app"
    assert config(read_app("claude-code", places, 1)["shared"]).command == "${TOOLS:-/opt}/serve"


def test_cursor(places: ClientLocations) -> None:
    servers = read_app("cursor", places)
    assert config(servers["linear"]).headers["Authorization"] == "Bearer ${env:LINEAR_TOKEN}"
    assert config(servers["notes"]).args[0] == f"{places.home}/notes/server.py"
    assert ("env_file", f"{places.home}/.env") in kinds(servers["notes"])
    assert ("unset", "workspaceFolder") in kinds(servers["notes"])


def test_windsurf(places: ClientLocations) -> None:
    figma = config(read_app("windsurf", places)["figma"])
    assert (figma.transport, figma.url) == ("http", "https://mcp.figma.example/mcp")
    assert figma.headers == {"X-Team": "7"}


def test_vs_code(places: ClientLocations) -> None:
    perplexity = read_app("vscode", places)["perplexity"]
    assert config(perplexity).env == {"PERPLEXITY_API_KEY": "${PERPLEXITY_KEY}"}
    assert config(perplexity).args[-1] == "${REGION:-eu}"
    assert kinds(perplexity) == {("input", "PERPLEXITY_KEY"), ("left_out", "dev, sandboxEnabled")}
    here = config(read_app("vscode", places, 1)["here"])
    assert here.cwd == str(places.project)
    assert config(read_app("vscode", places, 2)["older"]).command == "uvx"


def test_cline_and_roo(places: ClientLocations) -> None:
    servers = read_app("cline", places)
    assert config(servers["weather"]).timeout == 60
    assert not config(servers["docs"]).enabled
    assert config(servers["docs"]).transport == "http"
    assert config(read_app("roo", places)["search"]).transport == "sse"


def test_lm_studio(places: ClientLocations) -> None:
    assert ("secret", "headers.Authorization") in kinds(read_app("lm-studio", places)["hf"])


def test_gemini_cli(places: ClientLocations) -> None:
    servers = read_app("gemini-cli", places)
    assert config(servers["stream"]).transport == "http"
    assert config(servers["stream"]).timeout == 5
    assert config(servers["stream"]).disabled_tools == ("drop_table",)
    assert config(servers["events"]).transport == "sse"


def test_qwen_code(places: ClientLocations) -> None:
    servers = read_app("qwen-code", places)
    stream = config(servers["stream"])
    assert (stream.transport, stream.timeout, stream.disabled_tools) == ("http", 5, ("drop",))
    assert stream.headers == {"Authorization": "Bearer ${QWEN_TOKEN}"}
    assert config(servers["events"]).transport == "sse"


def test_kimi(places: ClientLocations) -> None:
    servers = read_app("kimi", places)
    files = config(servers["files"])
    assert (files.connect_timeout, files.timeout, files.enabled_tools) == (20, 90, ("read",))
    assert config(servers["linear"]).headers == {"Authorization": "Bearer ${LINEAR_TOKEN}"}
    assert kinds(servers["files"]) == set()


def test_trae(places: ClientLocations) -> None:
    notes = config(read_app("trae", places)["notes"])
    assert (notes.command, notes.env) == ("uvx", {"LEVEL": "2"})


def test_5ire(places: ClientLocations) -> None:
    servers = read_app("5ire", places)
    assert list(servers) == ["clock", "web"]
    assert config(servers["clock"]).args == ("mcp-server-time",)
    assert kinds(servers["web"]) == set()


def test_a_list_of_trae_s_terminal_client(tmp_path: Path, places: ClientLocations) -> None:
    text = """
mcp_servers:
  - name: files
    type: stdio
    command: /usr/bin/true
    timeout: 30s
    disabled_tools: [remove]
  - {name: web, type: http, url: "https://web.example/mcp", timeout: 1500ms}
"""
    files, web = read_text(text, tmp_path, places, "trae_cli.yaml").servers
    assert (config(files).timeout, config(files).disabled_tools) == (30, ("remove",))
    assert (web.name, config(web).timeout) == ("web", 1.5)


NPM, PYPI = "https://registry.npm.example", "https://pypi.example/simple"


def test_a_list_of_cherry_studio(tmp_path: Path, places: ClientLocations) -> None:
    entries = {
        "JItURMlK": {"name": "抓取网页", "isActive": True, "registryUrl": NPM, "command": "npx"},
        "kQ3": {"name": "clock", "isActive": False, "registryUrl": PYPI, "command": "uvx"},
        "x1": {
            "name": "别处",
            "isActive": True,
            "type": "streamableHttp",
            "baseUrl": "https://x.example",
        },
        "own": {"name": "", "isActive": True, "command": "node", "registryUrl": NPM},
    }
    read = read_text(json.dumps({"mcpServers": entries}), tmp_path, places)
    servers = {server.name: config(server) for server in read.servers}
    assert list(servers) == ["抓取网页", "clock", "别处", "own"]
    assert servers["抓取网页"].env == {"NPM_CONFIG_REGISTRY": NPM}
    assert servers["clock"].env == {"UV_DEFAULT_INDEX": PYPI}
    assert servers["别处"].transport == "http"
    assert servers["own"].env == {}


def test_a_mirror_that_the_entry_sets_itself_stays(tmp_path: Path, places: ClientLocations) -> None:
    entry = {"command": "bunx", "registryUrl": NPM, "env": {"NPM_CONFIG_REGISTRY": "https://own"}}
    (server,) = read_text(json.dumps({"mcpServers": {"a": entry}}), tmp_path, places).servers
    assert config(server).env == {"NPM_CONFIG_REGISTRY": "https://own"}


def test_a_list_of_modelscope(tmp_path: Path, places: ClientLocations) -> None:
    hosted = "https://mcp.api-inference.modelscope.net/e379dad7f02c4b"
    entries = {
        "高德地图": {"type": "sse", "url": f"{hosted}/sse"},
        "fetch": {"type": "streamable_http", "url": f"{hosted}/mcp"},
    }
    servers = read_text(json.dumps({"mcpServers": entries}), tmp_path, places).servers
    assert [(one.name, config(one).transport) for one in servers] == [
        ("高德地图", "sse"),
        ("fetch", "http"),
    ]
    assert all(("secret", "url") in kinds(one) for one in servers), "the path is a person's own key"


def test_codex(places: ClientLocations) -> None:
    servers = read_app("codex", places)
    assert config(servers["context"]).connect_timeout == 20
    assert config(servers["context"]).timeout == 45
    assert config(servers["context"]).env == {"LEVEL": "2", "CONTEXT_KEY": "${CONTEXT_KEY}"}
    assert config(servers["figma"]).headers == {"Authorization": "Bearer ${FIGMA_TOKEN}"}


def test_copilot(places: ClientLocations) -> None:
    assert config(read_app("copilot", places)["browser"]).transport == "stdio"


def test_goose(places: ClientLocations) -> None:
    servers = read_app("goose", places)
    assert servers["developer"].config is None
    assert "part of the other app" in str(servers["developer"].error)
    assert config(servers["fetch"]).env == {"LEVEL": "1", "FETCH_KEY": "${FETCH_KEY}"}
    assert config(servers["fetch"]).timeout == 300
    assert config(servers["remote"]).transport == "http"


def test_zed(places: ClientLocations) -> None:
    servers = read_app("zed", places)
    assert list(servers) == ["postgres", "older", "from-extension"]
    assert config(servers["older"]).command == "old-mcp"
    assert "part of the other app" in str(servers["from-extension"].error)


def test_librechat_and_the_inspector(places: ClientLocations) -> None:
    assert config(read_app("librechat", places)["puppeteer"]).timeout == 300
    everything = config(read_app("inspector", places)["everything"])
    assert (everything.connect_timeout, everything.timeout) == (5, 9)


def test_a_manifest_in_its_folder_is_started_there(tmp_path: Path, places: ClientLocations) -> None:
    data = {
        "manifest_version": "0.3",
        "name": "files",
        "server": {
            "type": "node",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/index.js", "${user_config.dirs}"],
                "env": {"KEY": "${user_config.key}"},
            },
        },
        "user_config": {
            "key": {"type": "string", "title": "API key", "sensitive": True},
            "dirs": {"type": "directory", "multiple": True, "default": ["/a", "/b"]},
        },
    }
    (one,) = read_text(json.dumps(data), tmp_path, places, "manifest.json").servers
    assert config(one).args == (f"{tmp_path}/index.js", "/a", "/b")
    assert ("input", "KEY") in kinds(one)


def test_times_that_a_file_does_not_set_are_the_persons_own(
    tmp_path: Path, places: ClientLocations
) -> None:
    (tmp_path / "a.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    settings = AppSettings(call_timeout=7)
    (one,) = read_source(Source(tmp_path / "a.json"), places, settings).servers
    assert config(one).timeout == 7


def test_a_wrong_entry_leaves_the_others(tmp_path: Path, places: ClientLocations) -> None:
    text = """{"mcpServers": {
        "good": {"command": "x"},
        "bad": {"args": []},
        "number": 3,
        "twice": {"command": "a"},
        "twice": {"command": "b"},
        "odd: name\\u001b": {"command": "x"}
    }}"""
    servers = {server.name: server for server in read_text(text, tmp_path, places).servers}
    assert config(servers["good"]).command == "x"
    assert 'needs "command"' in str(servers["bad"].error)
    assert "Must be an object" in str(servers["number"].error)
    assert "Appears twice in the file" in str(servers["twice"].error)
    assert config(servers["odd: name\x1b"]).name == "odd- name"
    assert kinds(servers["odd: name\x1b"]) == {("renamed", "odd- name")}


def test_a_file_without_servers_says_so(tmp_path: Path, places: ClientLocations) -> None:
    for text in ("{}", '{"theme": "dark"}', '{"mcpServers": {}}'):
        with pytest.raises(NoServersError, match=r"a\.json"):
            read_text(text, tmp_path, places)


def test_more_servers_than_anybody_has_are_not_all_read(
    tmp_path: Path, places: ClientLocations
) -> None:
    entries = {f"s{n}": {"command": "x"} for n in range(MAX_SERVERS + 50)}
    read = read_text(json.dumps({"mcpServers": entries}), tmp_path, places)
    assert len(read.servers) == MAX_SERVERS
    assert str(MAX_SERVERS) in read.notices[0]


def test_a_link_is_read_like_a_file(places: ClientLocations) -> None:
    link = "vscode:mcp/install?%7B%22name%22%3A%22x%22%2C%22command%22%3A%22y%22%7D"
    read = read_address(link, places, SETTINGS)
    assert [server.name for server in read.servers] == ["x"]
    assert read.source.path is None
    assert read.source.label
    with pytest.raises(ConfigError):
        read_address("mcp-desktop://import", places, SETTINGS)


def test_a_label_is_the_client_or_the_file(places: ClientLocations, tmp_path: Path) -> None:
    read = read_text('{"a": {"command": "x"}}', tmp_path, replace(places, project=None))
    assert read.source.label == "a.json"
    assert Source(None, app_named("cursor")).label == "Cursor"
