"""Reads the JSON that a README gives: one server or several, wrapped, bare, even without a name.

Pure; the dialects themselves are `desktop.config.parser`'s. Changes and writes nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.config.document import Document, JsonObject, as_object, parse, render
from desktop.config.editor import put_server
from desktop.config.imports.translate import suggest_name
from desktop.config.parser import WRAPPERS, read_servers
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.models import AppSettings, ServerConfig
    from desktop.config.parser import Problems, Servers

_FENCE = re.compile(r"^\s*```\w*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_PASTE_EXAMPLE = '{"mcpServers": {"name": {"command": "...", "args": [...]}}}'


def read_pasted(text: str, settings: AppSettings) -> tuple[Servers, Problems]:
    """The servers in `text`, and what is wrong with which of them.

    Raises:
        ConfigError: it is not JSON, or no server is in it.
    """
    document = _parse(text)
    data = _unwrapped(document.data)
    servers, problems = read_servers(replace(document, data=data), settings)
    if not servers and not problems:
        raise ConfigError(
            translatable("No server is in this JSON"),
            remedy=translatable("It looks like {example}.", example=_PASTE_EXAMPLE),
        )
    return servers, problems


def written_json(
    config: ServerConfig, settings: AppSettings, old: ServerConfig | None, entry: object
) -> str:
    """`config` as it would stand in the file; `entry` is how `old` stands there now."""
    name = old.name if old is not None else config.name
    data: JsonObject = {"mcpServers": {name: entry} if as_object(entry) is not None else {}}
    put_server(data, name, old if as_object(entry) is not None else None, config, settings)
    return render(data)


def entry_json(name: str, entry: object) -> str:
    """An entry as it stands in the file, right or wrong."""
    return render({"mcpServers": {name: entry}})


def _parse(text: str) -> Document:
    if (fenced := _FENCE.match(text)) is not None:
        text = fenced[1]
    if text.lstrip().startswith('"'):
        text = f"{{{text.rstrip().rstrip(',')}}}"
    try:
        return parse(text.encode(errors="replace"), translatable("The text"))
    except ConfigError as error:
        message = str(error.args[0])
        raise ConfigError(message, line=error.line, column=error.column) from None


def _unwrapped(data: JsonObject) -> JsonObject:
    """Without the `mcp` that some editors put around, and with a name for a nameless server."""
    inner = as_object(data.get("mcp"))
    if inner is not None and any(key in inner for key in WRAPPERS):
        return inner
    if isinstance(data.get("command"), str) or isinstance(data.get("url"), str):
        return {"mcpServers": {suggest_name(data): data}}
    return data
