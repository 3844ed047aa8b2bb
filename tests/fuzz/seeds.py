"""What each target begins with besides its corpus: something of every kind that it reads."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.features.models.fixtures import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HOME = Path(__file__).parent.parent / "config" / "imports" / "home"
_ENTRY = {"name": "a", "command": "npx", "args": ["-y", "b"], "env": {"TOKEN": "${input:t}"}}
_TOOL = {"name": "t", "inputSchema": {"type": "object"}, "annotations": {"title": "T"}}
_BLOCKS = (
    *({"type": "text", "text": "a"}, {"type": "image", "data": "iVBO", "mimeType": "image/png"}),
    {"type": "resource", "resource": {"uri": "a://b", "text": "c"}},
)
_GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {"listChanged": True}},
    "serverInfo": {"name": "a", "version": "1"},
}


def _files(*names: str) -> list[bytes]:
    return [file.read_bytes() for name in names for file in sorted(_HOME.rglob(name))]


def _lines(*messages: Any) -> bytes:
    return b"\n".join(json.dumps({"jsonrpc": "2.0"} | message).encode() for message in messages)


def _packed(members: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file.getvalue()


_MANIFEST = {
    "manifest_version": "0.3",
    "name": "hello",
    "version": "1",
    "server": {
        "type": "node",
        "entry_point": "server/index.js",
        "mcp_config": {"command": "node", "args": ["${__dirname}/server/index.js"]},
    },
    "user_config": {"key": {"type": "string", "sensitive": True, "title": "Key"}},
}
_ENCODED = base64.b64encode(json.dumps(_ENTRY).encode()).decode()

SEEDS: Mapping[str, Sequence[bytes]] = {
    "messages": (
        _lines({"id": 1, "result": _GREETING}),
        _lines({"id": 1, "result": {"tools": [_TOOL, _TOOL], "nextCursor": "b"}}),
        _lines({"id": "a", "result": {"content": _BLOCKS, "structuredContent": {"a": 1}}}),
        _lines({"id": 1, "error": {"code": -32602, "message": "m", "data": {}}}),
        _lines(
            {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 0.5}},
            {"method": "notifications/message", "params": {"level": "info", "data": "a"}},
            {"id": 7, "method": "roots/list"},
        ),
        b"[%s]" % _lines({"id": 1, "result": {}}),
    ),
    "schemas": [
        json.dumps({"schema": fixture.tool.input_schema, "value": {"a": [1, "b"]}}).encode()
        for fixture in FIXTURES
    ],
    "patterns": (b"^(a|aa)+$\naaaab", rb"(?<=a)\w{1,9}[^b-d]*?(?:\d|\s)\b" + b"\na1 b2"),
    "texts": (
        b"Authorization: Bearer abc.def.ghi",
        b"https://u:p@host/?access_token=abc&b=c",
        b'{"password": "hunter2", "key": "sk-proj-0123456789abcdef"}',
    ),
    "configs": (
        json.dumps({"mcpServers": {"a": _ENTRY, "b": {"url": "https://c.d/mcp"}}}).encode(),
        b'// c\n{"mcpServers": {"a": {"command": "b", "args": "c", "timeout": 5,},}}',
    ),
    "links": (
        f"mcp-desktop://import?name=a&config={_ENCODED}".encode(),
        f"cursor://anysphere.cursor-deeplink/mcp/install?name=a&config={_ENCODED}".encode(),
        f"vscode:mcp/install?{quote(json.dumps(_ENTRY))}".encode(),
    ),
    "yaml": _files("*.yaml"),
    "toml": _files("*.toml"),
    "imports": _files("*.json"),
    "bundles": (
        _packed({"manifest.json": json.dumps(_MANIFEST), "server/index.js": "1"}),
        _packed({"../a": "b", "manifest.json": "{}"}),
    ),
}
