"""Parses the bytes of another client's file and finds the server entries in it.

Reads JSON with comments, TOML, YAML without aliases, and the manifest inside an MCP bundle; all of
it bounded, nothing written to the disk. Where the servers are is seen from the shape of the data,
not from the name of the file. Must not judge or change an entry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from desktop.base.atomic_file import read_file
from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import Document, as_object, parse
from desktop.config.imports import bundles, packages, server_json
from desktop.config.imports.translate import suggest_name
from desktop.config.parser import WRAPPERS, find_entries, find_wrapper, is_bare_map
from desktop.config.yaml_text import bounded_text, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.config.document import JsonObject
    from desktop.values.tool_types import JsonPath

MAX_SERVERS = 500
"""Servers of one file that are looked at."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """One server as it stands in a file."""

    name: str
    entry: object
    path: JsonPath = ()
    scope: str = ""
    """The folder of the project it is for; empty: it is for all."""
    inputs: JsonObject = field(default_factory=dict[str, Any])
    """What the other client would ask for, by id."""


def find_written(data: JsonObject) -> Iterator[FoundEntry]:
    """All servers of a file, in its order. Raises `ConfigError` where it is not clear which."""
    if server_json.is_server_json(data):
        yield from (FoundEntry(name, entry) for name, entry in server_json.entries(data))
        return
    if packages.is_manifest(data):
        yield FoundEntry(*packages.entry(data), inputs=packages.inputs(data))
        return
    nothing_yet = True
    for known_shape in _known_shapes(data):
        nothing_yet = False
        yield known_shape
    if isinstance(data.get("command"), str) or isinstance(data.get("url"), str):
        yield FoundEntry(suggest_name(data), data)
    elif nothing_yet and is_bare_map(data):
        yield from _wrapped(data)


def _known_shapes(data: JsonObject) -> Iterator[FoundEntry]:
    if find_wrapper(data) is not None:
        yield from _wrapped(data)
    yield from _of_projects(data)
    if (inner := as_object(data.get("mcp"))) is not None:
        yield from _of_editor(inner)
    yield from _of_table(data, "context_servers")
    yield from _of_table(data, "extensions")


def _wrapped(data: JsonObject) -> Iterator[FoundEntry]:
    wrapper = find_wrapper(data)
    above: JsonPath = (wrapper,) if wrapper is not None else ()
    asked = _inputs(data)
    for name, entry in find_entries(data).items():
        yield FoundEntry(name, entry, (*above, name), inputs=asked)


def _of_editor(inner: JsonObject) -> Iterator[FoundEntry]:
    """`mcp` of VS Code's settings has a wrapper in it, that of OpenCode the servers themselves."""
    if any(key in inner for key in WRAPPERS) or is_bare_map(inner):
        yield from (
            FoundEntry(found.name, found.entry, ("mcp", *found.path), inputs=found.inputs)
            for found in _wrapped(inner)
        )


def _of_table(data: JsonObject, key: str) -> Iterator[FoundEntry]:
    """Zed's and goose's; of goose's many extensions all are told, the runnable ones or not."""
    for name, entry in (as_object(data.get(key)) or {}).items():
        fields = as_object(entry)
        if fields is not None and key == "context_servers" and not {"command", "url"} & set(fields):
            entry = {"type": "extension"}  # Zed starts it: here it only has settings
        yield FoundEntry(name, entry, (key, name))


def _of_projects(data: JsonObject) -> Iterator[FoundEntry]:
    """Claude Code keeps servers of one project each beside those of all."""
    for folder, project in (as_object(data.get("projects")) or {}).items():
        servers = as_object((as_object(project) or {}).get("mcpServers")) or {}
        for name, entry in servers.items():
            fields = as_object(entry)
            if fields is not None and fields.get("command") and not fields.get("cwd"):
                entry = {**fields, "cwd": folder}  # where Claude Code starts it
            yield FoundEntry(name, entry, ("projects", folder, "mcpServers", name), folder)


def _inputs(data: JsonObject) -> JsonObject:
    """VS Code's `inputs`, by id."""
    written: object = data.get("inputs")
    if not isinstance(written, list):
        return {}
    asked = [as_object(each) for each in cast("list[object]", written)]
    return {str(each["id"]): each for each in asked if each is not None and "id" in each}


def read_document(path: Path) -> Document:
    """The file's content; raises `ConfigError` that names it, with line and column where known."""
    suffix = path.suffix.lower()
    content = b"" if suffix in bundles.SUFFIXES else _read(path)
    try:
        if suffix in bundles.SUFFIXES:
            return parse(bundles.read_manifest(path), f"{bundles.MANIFEST} of {path}")
        if suffix in {".yaml", ".yml"}:
            return Document(read_yaml(content))
        if suffix == ".toml":
            return Document(_toml(bounded_text(content)))
        if not content.strip():
            return Document()
        return parse(content, str(path))
    except ConfigError as error:
        told = words = str(error.args[0])
        if str(path) not in words:
            told = translatable("{path} {words}", path=path, words=words)
        raise ConfigError(told, line=error.line, column=error.column) from None


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise ConfigError(
            translatable("{path} is a folder", path=path),
            remedy=translatable("Choose a file in it."),
        )
    try:
        content = read_file(path)
    except ConfigError as error:
        raise ConfigError(str(error.args[0])) from None
    if content is None:
        raise ConfigError(translatable("File not found: {path}", path=path))
    return content


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(translatable("is not valid TOML: {error}", error=error)) from None
