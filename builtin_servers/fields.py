"""Short ways to write the JSON Schemas and annotations of built-in tools."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from builtin_servers.call import Call, Reply

    Handler = Callable[[Call], Reply]
    Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}


def text(description: str, **more: object) -> Schema:
    return {"type": "string", "description": description, **more}


def texts(description: str, **more: object) -> Schema:
    return {"type": "array", "description": description, "items": TEXT, **more}


def count(description: str, **more: object) -> Schema:
    """A whole number from 1, unless `more` says otherwise."""
    return {"type": "integer", "description": description, "minimum": 1, **more}


def flag(description: str, *, default: bool) -> Schema:
    return {"type": "boolean", "description": description, "default": default}


def record(properties: Schema, required: Sequence[str] | None = None) -> Schema:
    """A closed object; without `required`, all of its properties are."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def list_of(items: Schema, description: str = "", **more: object) -> Schema:
    said = {"description": description} if description else {}
    return {"type": "array", **said, "items": items, **more}


def reads(*, open_world: bool = False) -> Schema:
    return _hints(reads=True, destroys=False, repeats=True, open_world=open_world)


def writes(*, destructive: bool, idempotent: bool, open_world: bool = False) -> Schema:
    return _hints(reads=False, destroys=destructive, repeats=idempotent, open_world=open_world)


def meta(category: str, *tags: str, **more: object) -> Schema:
    return {
        "version": "1.0.0",
        "author": "mcp-desktop",
        "category": category,
        "tags": list(tags),
        **more,
    }


def icon(paths: str) -> tuple[Schema, ...]:
    """One small drawing of lines, as SVG path data in a box of 24 by 24."""
    svg = (
        "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' "
        "stroke='%23646f7d' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E"
        f"%3Cpath d='{paths}'/%3E%3C/svg%3E"
    )
    source = "data:image/svg+xml," + svg.replace(" ", "%20")
    return ({"src": source, "mimeType": "image/svg+xml", "sizes": ["any"]},)


def _hints(*, reads: bool, destroys: bool, repeats: bool, open_world: bool) -> Schema:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": open_world,
    }
