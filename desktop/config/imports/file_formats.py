"""Parses the bytes of another client's file and finds the server entries in it.

Reads JSON with comments, TOML, YAML without aliases, and the manifest inside an MCP bundle; all of
it bounded, nothing written to the disk. Where the servers are is seen from the shape of the data,
not from the name of the file. Must not judge or change an entry.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, field

from desktop.base.atomic_file import read_file
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import Document, as_object, parse
from desktop.config.imports import bundles, packages, server_json
from desktop.config.imports.translate import suggest_name
from desktop.config.parser import NOT_SERVERS, WRAPPERS, is_bare_map
from desktop.config.spellings import in_our_words, looks_like_server
from desktop.config.yaml_text import bounded_text, yaml_document
from desktop.values.tool_types import JsonPath

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.config.document import JsonObject

MAX_SERVERS = 500
"""Servers of one file that are looked at."""


class FoundEntry(Struct, frozen=True):
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
    found = {each.path: each for each in _known_shapes(data)}
    if not found and looks_like_server(data):
        yield FoundEntry(_own_name(data), data)
        return
    for each in _by_shape(data):
        if not any(
            path[: len(each.path)] == each.path for path in found
        ):  # nor a map of found ones
            found[each.path] = each
    if not found and is_bare_map(data):
        yield from _of_table(data, ())
    yield from found.values()


def _known_shapes(data: JsonObject) -> Iterator[FoundEntry]:
    for wrapper in WRAPPERS:
        yield from _of_table(data, (wrapper,))
    yield from _of_projects(data)
    if (inner := as_object(data.get("mcp"))) is not None:
        yield from _of_editor(inner)
    yield from _of_zed_or_goose(data, "context_servers")
    yield from _of_zed_or_goose(data, "extensions")


_ABOUT_SERVERS = compile_later("mcp|servers?$", re.IGNORECASE)
_MAX_LEVELS = 6
_MAX_VALUES = 20_000


def _by_shape(data: JsonObject) -> Iterator[FoundEntry]:
    """What looks like an entry below a key that speaks of servers; without one, anywhere."""
    todo = deque[tuple[JsonPath, object, bool]]([((), data, False)])
    elsewhere: list[FoundEntry] = []
    nothing_yet = True
    for _ in range(_MAX_VALUES):
        if not todo:
            break
        path, value, is_about = todo.popleft()
        if path and looks_like_server(value):
            entry = cast("JsonObject", value)
            last = path[-1]
            is_name = isinstance(last, str) and last not in WRAPPERS
            found = FoundEntry(str(last) if is_name else _own_name(entry), entry, path)
            if is_about:
                nothing_yet = False
                yield found
            else:
                elsewhere.append(found)
        elif len(path) < _MAX_LEVELS:
            todo += [((*path, key), inner, is_about or about) for key, inner, about in _in(value)]
    if nothing_yet:
        yield from elsewhere


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _in(value: object) -> Iterator[tuple[str | int, object, bool]]:
    if _is_list(value):
        items = cast("list[object]", value)
        yield from ((number, item, False) for number, item in enumerate(items))
    for key, item in (as_object(value) or {}).items():
        yield key, item, _ABOUT_SERVERS.search(key) is not None


def _own_name(entry: JsonObject) -> str:
    """What an entry calls itself, where nothing else names it."""
    for key in ("name", "key", "id", "title", "label"):
        if isinstance(name := entry.get(key), str) and name.strip():
            return name
    return suggest_name(in_our_words(entry, is_foreign=True).fields)


def _of_table(data: JsonObject, above: JsonPath) -> Iterator[FoundEntry]:
    """The servers of a map of them, right or wrong."""
    asked = _inputs(data)
    table = data.get(str(above[0])) if above else data
    if above and table is not None and as_object(table) is None and not _is_list(table):
        raise ConfigError(
            translatable(
                '"{wrapper}" must be an object with one key per server name', wrapper=above[0]
            )
        )
    entries = as_object(table) or {}
    if above and looks_like_server(entries) and not any(map(looks_like_server, entries.values())):
        return  # one entry that nobody named: it is found by its shape
    for name, entry in entries.items():
        if above or (name not in NOT_SERVERS and as_object(entry) is not None):
            yield FoundEntry(_shown_name(name, entry), entry, (*above, name), inputs=asked)


def _shown_name(key: str, entry: object) -> str:
    """The key of an entry; Cherry Studio makes them up, and keeps the person's name inside."""
    fields = as_object(entry) or {}
    name: object = fields.get("name")
    is_made_up = "isActive" in fields and isinstance(name, str) and bool(name.strip())
    return str(name) if is_made_up else key


def _of_editor(inner: JsonObject) -> Iterator[FoundEntry]:
    """`mcp` of VS Code's settings has a wrapper in it, that of OpenCode the servers themselves."""
    if any(key in inner for key in WRAPPERS) or is_bare_map(inner):  # one wrong entry is told, too
        yield from (
            FoundEntry(found.name, found.entry, ("mcp", *found.path), inputs=found.inputs)
            for found in find_written(inner)
        )


def _of_zed_or_goose(data: JsonObject, key: str) -> Iterator[FoundEntry]:
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
            return yaml_document(content)
        if suffix == ".toml":
            return Document(read_toml(bounded_text(content)))
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


def read_toml(text: str) -> dict[str, Any]:
    """The names and values of a text; raises `ConfigError`."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(translatable("is not valid TOML: {error}", error=error)) from None
