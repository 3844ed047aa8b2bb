"""A registry whose server is a bundle, and the place to download that: both on this machine.

The bundle is real: packed as its makers pack it, with a manifest that asks for values.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from desktop.features.catalogue.entry import OFFICIAL
from tests.features.catalogue.registry_stub import send

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from tests.features.catalogue.registry_stub import RegistryStub

NAME = "io.github.someone/notes"
USER_CONFIG: dict[str, Any] = {
    "folder": {"type": "directory", "title": "Folder", "required": True},
    "api_key": {"type": "string", "title": "Key", "sensitive": True, "required": True},
    "level": {"type": "string", "title": "Level", "default": "info"},
    "style": {"type": "string", "title": "Style"},
}
SERVER = "import os, sys\nprint(sys.argv[1:], os.environ.get('NOTES_KEY'))\n"


def manifest(version: str = "1.0.0", **changes: Any) -> dict[str, Any]:
    return {
        "manifest_version": "0.3",
        "name": "notes",
        "version": version,
        "server": {
            "type": "python",
            "entry_point": "server/main.py",
            "mcp_config": {
                "command": "python3",
                "args": [
                    "${__dirname}/server/main.py",
                    "${user_config.folder}",
                    "--level=${user_config.level}",
                    "--style",
                    "${user_config.style}",
                ],
                "env": {"NOTES_KEY": "${user_config.api_key}"},
            },
        },
        "user_config": USER_CONFIG,
        **changes,
    }


def pack(document: dict[str, Any], **members: str | bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(document))
        for name, content in {"server/main.py": SERVER, **members}.items():
            archive.writestr(name, content)
    return file.getvalue()


class BundleStub:
    """What is served below `/releases`, and what the registry says of it."""

    def __init__(self, registry: RegistryStub) -> None:
        self.registry = registry
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        registry.answer = self.answer

    def answer(self, handler: BaseHTTPRequestHandler) -> bool:
        if (target := self.redirects.get(handler.path)) is not None:
            return send(handler, 302, b"", location=target)
        if (content := self.files.get(handler.path)) is not None:
            return send(handler, 200, content, content_type="application/octet-stream")
        return False

    def publish(self, version: str, content: bytes, **package: Any) -> None:
        """A version of the server with this file; `package` replaces keys of its entry."""
        path = f"/releases/{version}/notes-mcp.mcpb"
        self.files[path] = content
        described = {
            "registryType": "mcpb",
            "identifier": f"{self.registry.address}{path}",
            "fileSha256": hashlib.sha256(content).hexdigest(),
            "transport": {"type": "stdio"},
            **package,
        }
        server = {
            "name": NAME,
            "description": "Keeps notes in a folder",
            "version": version,
            "packages": [{key: value for key, value in described.items() if value is not None}],
        }
        meta = {OFFICIAL: {"status": "active", "publishedAt": "2026-10-01T00:00:00Z"}}
        self.registry.servers.append({"server": server, "_meta": meta})
