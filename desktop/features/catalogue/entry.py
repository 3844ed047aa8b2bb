"""What the registry says of a server: read tolerantly, an odd entry costs that entry alone.

Everything in it is a stranger's text. Pure: JSON in, plain values out; must not fetch anything.
Source: https://github.com/modelcontextprotocol/registry, docs/reference/api/openapi.yaml.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct

from desktop.base.errors import DesktopError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import as_object
from desktop.config.imports.server_json import read_ways
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from desktop.config.imports.server_json import Way
    from desktop.values.tool_types import JsonObject

OFFICIAL: Final = "io.modelcontextprotocol.registry/official"
"""The key of what the registry itself says of an entry, which one of a company may not have."""
MAX_ENTRIES: Final = 100
"""Of one page; the registry itself sends no more."""
_NAME: Final = compile_later(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_MAX_NAME: Final = 200
_MAX_LINE: Final = 200
_MAX_VERSION: Final = 255
_MAX_TEXT: Final = 2_000
_MAX_CURSOR: Final = 1_000
_MAX_ICONS: Final = 8


class CatalogueError(DesktopError):
    """The registry cannot be asked, or did not answer as a registry does."""


class NotInRegistryError(CatalogueError):
    """The registry answered that it does not have it."""


class CatalogueEntry(Struct, frozen=True):
    """One version of one server; `name` is `namespace/name`, `ways` how it can be used."""

    name: str
    version: str
    title: str = ""
    description: str = ""
    status: str = "active"
    """`active`, `deprecated` or `deleted`."""
    status_message: str = ""
    status_changed: str = ""
    """The day, as `published`."""
    is_latest: bool = True
    """Whether the registry has no newer version of it, or does not say."""
    published: str = ""
    """The day, as `2026-11-23`; empty where it is not known."""
    repository: str = ""
    website: str = ""
    icons: tuple[JsonObject, ...] = ()
    ways: tuple[Way, ...] = ()

    @property
    def label(self) -> str:
        """What it is called in a list."""
        return self.title or self.name.rpartition("/")[2]

    @property
    def publisher(self) -> str:
        """The namespace, which the registry has proved to belong to the publisher."""
        return self.name.partition("/")[0]


class CataloguePage(Struct, frozen=True):
    """Some of what was found; `cursor` asks for the next page and is empty on the last one."""

    entries: tuple[CatalogueEntry, ...] = ()
    cursor: str = ""
    skipped: int = 0
    """Entries that could not be read."""


def read_page(content: bytes) -> CataloguePage:
    """A list of servers. Raises `CatalogueError`: it is none."""
    data = _parse(content)
    servers = data.get("servers")
    if not isinstance(servers, list):
        raise _no_registry()
    items = cast("list[object]", servers)
    found = [read_entry(item) for item in items[:MAX_ENTRIES]]
    entries = {(entry.name, entry.version): entry for entry in found if entry is not None}
    metadata = object_of(data.get("metadata"))
    cursor = metadata.get("nextCursor", metadata.get("next_cursor"))
    is_usable = isinstance(cursor, str) and len(cursor) <= _MAX_CURSOR
    return CataloguePage(
        tuple(entries.values()),
        str(cursor) if is_usable else "",
        sum(entry is None for entry in found) + max(0, len(items) - MAX_ENTRIES),
    )


def read_server(content: bytes) -> CatalogueEntry:
    """One server. Raises `CatalogueError`: it is none."""
    if (entry := read_entry(_parse(content))) is None:
        raise _no_registry()
    return entry


def read_entry(value: object) -> CatalogueEntry | None:
    """One item of a list, also of a registry that does not wrap it; None where it is none."""
    outer = object_of(value)
    server = as_object(outer.get("server")) or dict(outer)
    name, version = server.get("name"), server.get("version")
    if not (isinstance(name, str) and len(name) <= _MAX_NAME and _NAME.fullmatch(name)):
        return None
    if not isinstance(version, str) or not 0 < len(version) <= _MAX_VERSION:
        return None
    official = object_of(object_of(outer.get("_meta")).get(OFFICIAL))
    status = official.get("status", server.get("status"))
    return CatalogueEntry(
        name=name,
        version=version,
        title=_line(server.get("title")),
        description=_text(server.get("description")),
        status=status if status in {"deprecated", "deleted"} else "active",
        status_message=_text(official.get("statusMessage")),
        status_changed=_line(official.get("statusChangedAt"))[:10],
        is_latest=official.get("isLatest") is not False,
        published=_line(official.get("publishedAt"))[:10],
        repository=_line(object_of(server.get("repository")).get("url")),
        website=_line(server.get("websiteUrl")),
        icons=tuple(map(object_of, list_of(server.get("icons"))[:_MAX_ICONS])),
        ways=read_ways(server),
    )


def _parse(content: bytes) -> JsonObject:
    try:
        data = as_object(json.loads(content))
    except (RecursionError, ValueError):
        data = None
    if data is None:
        raise _no_registry()
    return data


def _no_registry() -> CatalogueError:
    return CatalogueError(
        translatable("The answer is not that of an MCP registry."),
        remedy=translatable("Check the registry's address in Settings."),
    )


def _text(value: object) -> str:
    return value[:_MAX_TEXT].strip() if isinstance(value, str) else ""


def _line(value: object) -> str:
    return " ".join(_text(value).split())[:_MAX_LINE]
