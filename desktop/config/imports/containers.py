"""Where in a foreign file the servers are: told by the shape of its data, not by its name.

Finds entries; must not judge or change one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from desktop.config.dialects import WRAPPERS, find_entries, find_wrapper, is_bare_map
from desktop.config.document import as_object
from desktop.config.imports import manifest, registry
from desktop.config.imports.naming import suggest_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.document import JsonObject, KeyPath

SERVER_LIMIT = 500
"""Servers of one file that are looked at."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """One server as it stands in a file."""

    name: str
    entry: object
    path: KeyPath = ()
    scope: str = ""
    """The folder of the project it is for; empty: it is for all."""
    inputs: JsonObject = field(default_factory=dict[str, Any])
    """What the other client would ask for, by id."""


def find_written(data: JsonObject) -> Iterator[FoundEntry]:
    """All servers of a file, in its order. Raises `ConfigError` where it is not clear which."""
    if registry.is_server_json(data):
        yield from (FoundEntry(name, entry) for name, entry in registry.entries(data))
        return
    if manifest.is_manifest(data):
        yield FoundEntry(*manifest.entry(data), inputs=manifest.inputs(data))
        return
    nothing_yet = True
    for one in _known_shapes(data):
        nothing_yet = False
        yield one
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
    above: KeyPath = (wrapper,) if wrapper is not None else ()
    asked = _inputs(data)
    for name, entry in find_entries(data).items():
        yield FoundEntry(name, entry, (*above, name), inputs=asked)


def _of_editor(inner: JsonObject) -> Iterator[FoundEntry]:
    """`mcp` of VS Code's settings has a wrapper in it, that of OpenCode the servers themselves."""
    if any(key in inner for key in WRAPPERS) or is_bare_map(inner):
        yield from (
            FoundEntry(one.name, one.entry, ("mcp", *one.path), inputs=one.inputs)
            for one in _wrapped(inner)
        )


def _of_table(data: JsonObject, key: str) -> Iterator[FoundEntry]:
    """Zed's and goose's; of goose's many extensions all are told, the runnable ones or not."""
    for name, entry in (as_object(data.get(key)) or {}).items():
        fields = as_object(entry)
        if fields is not None and "settings" in fields and not {"command", "url"} & set(fields):
            continue  # Zed's own extensions, which only have settings here
        yield FoundEntry(name, entry, (key, name))


def _of_projects(data: JsonObject) -> Iterator[FoundEntry]:
    """Claude Code keeps servers of one project each beside those of all."""
    for folder, project in (as_object(data.get("projects")) or {}).items():
        servers = as_object((as_object(project) or {}).get("mcpServers")) or {}
        for name, entry in servers.items():
            yield FoundEntry(name, entry, ("projects", folder, "mcpServers", name), folder)


def _inputs(data: JsonObject) -> JsonObject:
    """VS Code's `inputs`, by id."""
    written: object = data.get("inputs")
    if not isinstance(written, list):
        return {}
    asked = [as_object(one) for one in cast("list[object]", written)]
    return {str(one["id"]): one for one in asked if one is not None and "id" in one}
