from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports import packages
from desktop.config.imports.packages import MAX_LINK_LENGTH, is_link, read_link

ENTRY = {"command": "npx", "args": ["-y", "é?>pkg"]}
WRAPPED = {"mcpServers": {"pkg": ENTRY}}


def encoded(value: object, *, url_safe: bool = False) -> str:
    content = json.dumps(value, ensure_ascii=False).encode()
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    return encode(content).decode()


@pytest.mark.parametrize(
    "link",
    [
        f"mcp-desktop://import?name=pkg&config={encoded(ENTRY)}",
        f"mcp-desktop://import?name=pkg&config={quote(encoded(ENTRY), safe='')}",
        f"mcp-desktop://import?name=pkg&config={encoded(ENTRY, url_safe=True).rstrip('=')}",
        f"mcp-desktop://import?config={encoded(WRAPPED)}",
        f"cursor://anysphere.cursor-deeplink/mcp/install?name=pkg&config={encoded(ENTRY)}",
        f"lmstudio://add_mcp?name=pkg&config={encoded(ENTRY)}",
        f"vscode:mcp/install?{quote(json.dumps({'name': 'pkg', **ENTRY}))}",
    ],
)
def test_the_install_links_of_all_kinds_hold_a_server(link: str) -> None:
    assert is_link(link)
    entry = read_link(link).data["mcpServers"]["pkg"]
    assert (entry["command"], entry["args"]) == ("npx", ["-y", "é?>pkg"])


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("mcp-desktop://import", "no config"),
        ("mcp-desktop://import?config=%00!!", "not valid base64"),
        ("mcp-desktop://import?config=bm90IGpzb24=", "not valid JSON"),
        ("mcp-desktop://import?config=W10=", "must be a JSON object"),
        ("https://example.com/?config=e30=", "Not an install link"),
        ("cursor://anysphere]mcp/install?config=e30=", "Not an install link"),
        ("mcp-desktop://import?config=e30=" + "&a=b" * 30, "Not an install link"),
        ("mcp-desktop://import?config=" + "A" * MAX_LINK_LENGTH, "longer than"),
    ],
)
def test_anything_else_is_refused_with_words(link: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_link(link)


def test_a_path_is_no_link() -> None:
    assert not is_link("C:\\mcp.json")
    assert not is_link("/tmp/a:b.json")


NODE = {
    "manifest_version": "0.3",
    "name": "files",
    "server": {
        "type": "node",
        "entry_point": "server/index.js",
        "mcp_config": {
            "command": "node",
            "args": ["${__dirname}/server/index.js", "${user_config.folders}"],
            "env": {"KEY": "${user_config.api_key}"},
            "platform_overrides": {"win32": {"command": "node.exe"}},
        },
    },
    "user_config": {"api_key": {"type": "string", "title": "Key", "sensitive": True}},
}


def test_a_manifest_is_told_from_other_files() -> None:
    assert packages.is_manifest(NODE)
    assert not packages.is_manifest({"name": "x", "version": "1"})


def test_the_server_is_started_as_its_platform_needs() -> None:
    name, entry = packages.entry(NODE, "linux")
    assert (name, entry["command"]) == ("files", "node")
    assert "platform_overrides" not in entry
    assert packages.entry(NODE, "win32")[1]["command"] == "node.exe"
    assert "api_key" in packages.inputs(NODE)


def test_a_uv_server_needs_no_command() -> None:
    data = {"dxt_version": "0.1", "server": {"type": "uv", "entry_point": "main.py"}}
    name, entry = packages.entry(data)
    assert name == "server"
    assert entry["command"] == "uv"
    assert entry["args"][-1] == "${__dirname}/main.py"
