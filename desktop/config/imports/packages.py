"""Turns descriptions of one server into entries of ours: install links and bundles.

Of install links ours is `mcp-desktop://import?name=NAME&config=BASE64`; those of Cursor, LM Studio
and VS Code are read as well, and the web pages that lead to them from a README. `manifest.json` is
that of an MCP bundle (MCPB, once DXT), version 0.3; its `${__dirname}` and `${user_config.x}` are
left to `translate`. Must not install, fetch or look up anything.
"""

from __future__ import annotations

import base64
import binascii
import re
import sys
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import Document, as_object, parse

if TYPE_CHECKING:
    from desktop.config.document import JsonObject

MAX_LINK_LENGTH = 64 * 1024
_SCHEMES = frozenset({"mcp-desktop", "cursor", "lmstudio", "vscode", "vscode-insiders"})
_BADGE = compile_later(
    r"https://(?:[\w-]+\.)?(?:vscode\.dev|cursor\.com|lmstudio\.ai|kiro\.dev)/"
    r"(?:[\w-]+/){0,4}(?:install-mcp|install|add|redirect)\?",
    re.IGNORECASE,
)
_REMEDY = translatable(
    "It looks like mcp-desktop://import?name=NAME&config=BASE64-OF-THE-SERVER'S-JSON."
)


def is_link(text: str) -> bool:
    """Whether `text` is an install link of a kind that is read here."""
    scheme, colon, _ = text.partition(":")
    return bool(colon) and (scheme.lower() in _SCHEMES or _BADGE.match(text) is not None)


def read_link(text: str) -> Document:
    """The servers of a link, as a file would have them.

    Raises:
        ConfigError: it is too long, of another kind, or what it holds is no JSON object.
    """
    if len(text) > MAX_LINK_LENGTH:
        raise ConfigError(
            translatable("The link is longer than {limit} kB", limit=MAX_LINK_LENGTH // 1024)
        )
    if not is_link(text):
        raise ConfigError(translatable("Not an install link"), remedy=_REMEDY)
    try:
        parts = urlsplit(text)
        if parts.scheme.startswith("vscode"):
            return _document(unquote(parts.query).encode(errors="replace"), "")
        query = parse_qs(parts.query.replace("+", "%2B"), max_num_fields=20)
    except ValueError:  # half an IPv6 address, or more fields than any link has
        raise ConfigError(translatable("Not an install link"), remedy=_REMEDY) from None
    if inner := query.get("url"):  # a page that leads to the link of an app
        return read_link(inner[0][:MAX_LINK_LENGTH])
    config = query.get("config") or [""]
    if not config[0]:
        raise ConfigError(translatable("The link contains no config"), remedy=_REMEDY)
    text = config[0].strip()
    content = text.encode(errors="replace") if text.startswith("{") else _decoded(text)
    return _document(content, (query.get("name") or [""])[0])


def _decoded(text: str) -> bytes:
    """Base64, of either alphabet, with or without its padding."""
    plain = text.strip().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ConfigError(
            translatable("The config in the link is not valid base64"), remedy=_REMEDY
        ) from None


def _document(content: bytes, name: str) -> Document:
    try:
        data = parse(content, translatable("The link")).data
    except ConfigError as error:
        raise ConfigError(str(error.args[0]), line=error.line, column=error.column) from None
    return Document(_named(data, name))


def _named(data: JsonObject, name: str) -> JsonObject:
    """One server under its name; several, as a file has them, stay as they are."""
    is_server = isinstance(data.get("command"), str) or isinstance(data.get("url"), str)
    name = name or str(data.get("name") or "")
    if not name or not (is_server or as_object(data.get("command")) is not None):
        return data
    return {"mcpServers": {name: data}}


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
