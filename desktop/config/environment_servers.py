"""Servers from the `MCP_SERVERS` environment variable: JSON itself, or the path of a file with it.

They are never written anywhere. Must not change the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop.atomic_file import read_file
from desktop.config.document import Document, parse
from desktop.config.reading import Problems, Servers, read_servers
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import AppSettings

VARIABLE = "MCP_SERVERS"


def read_environment(
    environ: Mapping[str, str], settings: AppSettings
) -> tuple[Servers, Problems, list[ConfigError]]:
    """Servers, problems by server, and what is wrong with the variable as a whole."""
    try:
        document = _document(environ.get(VARIABLE, "").strip())
        return *read_servers(document, settings, "environment"), []
    except ConfigError as error:
        remedy = translatable("Give it the mcpServers JSON, or the path of a file with it.")
        words = translatable("{variable}: {reason}", variable=VARIABLE, reason=error.args[0])
        return {}, {}, [ConfigError(words, remedy=remedy)]


def _document(value: str) -> Document:
    if not value:
        return Document()
    if value.startswith(("{", "[", "/*", "//")) and "{" in value:
        return parse(value.encode(errors="surrogateescape"), "its JSON")
    path = Path(value).expanduser()
    if "\0" in value or (content := read_file(path)) is None:
        raise ConfigError(translatable("there is no file {path}", path=path))
    return parse(content, str(path))
