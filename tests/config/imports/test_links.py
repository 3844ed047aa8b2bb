from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from desktop.config.imports.links import LINK_LIMIT, is_link, read_link
from desktop.errors import ConfigError

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
        ("mcp-desktop://import?config=%00!!", "not base64"),
        ("mcp-desktop://import?config=bm90IGpzb24=", "not valid JSON"),
        ("mcp-desktop://import?config=W10=", "must be a JSON object"),
        ("https://example.com/?config=e30=", "no install link"),
        ("mcp-desktop://import?config=" + "A" * LINK_LIMIT, "longer than"),
    ],
)
def test_anything_else_is_refused_with_words(link: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_link(link)


def test_a_path_is_no_link() -> None:
    assert not is_link("C:\\mcp.json")
    assert not is_link("/tmp/a:b.json")
