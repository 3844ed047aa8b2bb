"""The `manifest.json` of an MCP bundle (MCPB, once DXT): how its one server is started.

Follows the manifest's version 0.3; `${__dirname}` and `${user_config.x}` are left to `variables`.
Must not touch the bundle.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from desktop.config.document import as_object

if TYPE_CHECKING:
    from desktop.config.document import JsonObject

_PLATFORMS = {"darwin": "darwin", "win32": "win32"}


def is_manifest(data: JsonObject) -> bool:
    has_version = "manifest_version" in data or "dxt_version" in data
    return has_version and as_object(data.get("server")) is not None


def entry(data: JsonObject, platform: str = sys.platform) -> tuple[str, JsonObject]:
    """Name and entry of the server; a `uv` server may leave the command to the host."""
    server = as_object(data.get("server")) or {}
    config = dict(as_object(server.get("mcp_config")) or {})
    overrides = as_object(config.pop("platform_overrides", None)) or {}
    config |= as_object(overrides.get(_PLATFORMS.get(platform, "linux"))) or {}
    if "command" not in config and server.get("type") == "uv":
        script = f"${{__dirname}}/{server.get('entry_point', '')}"
        config |= {"command": "uv", "args": ["run", "--directory", "${__dirname}", script]}
    return str(data.get("name") or "server"), config


def inputs(data: JsonObject) -> JsonObject:
    """What the host would ask for, by key."""
    return as_object(data.get("user_config")) or {}
