"""Install links: the JSON of servers inside an address that a web page or a README offers.

`mcp-desktop://import?name=NAME&config=BASE64` is ours; Cursor's, LM Studio's and VS Code's are read
as well. A link is parsed and shown, never acted on: nothing is fetched from it.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.config.document import Document, as_object, parse
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.document import JsonObject

LINK_LIMIT = 64 * 1024
_SCHEMES = frozenset({"mcp-desktop", "cursor", "lmstudio", "vscode", "vscode-insiders"})
_REMEDY = translatable(
    "It looks like mcp-desktop://import?name=NAME&config=BASE64-OF-THE-SERVER'S-JSON."
)


def is_link(text: str) -> bool:
    """Whether `text` is an install link of a kind that is read here."""
    scheme, colon, _ = text.partition(":")
    return bool(colon) and scheme.lower() in _SCHEMES


def read_link(text: str) -> Document:
    """The servers of a link, as a file would have them.

    Raises:
        ConfigError: it is too long, of another kind, or what it holds is no JSON object.
    """
    if len(text) > LINK_LIMIT:
        raise ConfigError(
            translatable("The link is longer than {limit} kB", limit=LINK_LIMIT // 1024)
        )
    if not is_link(text):
        raise ConfigError(translatable("This is no install link"), remedy=_REMEDY)
    parts = urlsplit(text)
    if parts.scheme.startswith("vscode"):
        return _document(unquote(parts.query).encode(errors="replace"), "")
    query = parse_qs(parts.query.replace("+", "%2B"), max_num_fields=20)
    config = query.get("config") or [""]
    if not config[0]:
        raise ConfigError(translatable("The link has no config"), remedy=_REMEDY)
    return _document(_decoded(config[0]), (query.get("name") or [""])[0])


def _decoded(text: str) -> bytes:
    """Base64, of either alphabet, with or without its padding."""
    plain = text.strip().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ConfigError(
            translatable("The config of the link is not base64"), remedy=_REMEDY
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
