"""Reads all pages of a server's tool list and makes `ToolDefinition`s of them.

Bounded: pages, tools, repeated cursors. Source: MCP specification, server/utilities/pagination.
Must not keep anything.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from desktop.errors import ServerError
from desktop.tool_types import Annotations, Metadata, ToolDefinition
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    import mcp_types as types
    from mcp import Client

PAGES = 2_000
"""Pages read at most; 10,000 tools in pages of 10 are 1,000."""
TOOLS = 100_000
_SLICE = 250
"""Tools converted between two turns of the loop."""


async def list_tools(server: str, client: Client) -> AsyncIterator[list[ToolDefinition]]:
    """Yield the tools page by page (large pages in slices).

    Raises:
        ServerError: the pages do not end.
        MCPError: the server refused; a server without tools may.
    """
    cursor: str | None = None
    seen: set[str] = set()
    count = 0
    for _ in range(PAGES):
        page = await client.list_tools(cursor=cursor, cache_mode="refresh")
        for start in range(0, len(page.tools), _SLICE):
            yield [_definition(server, tool) for tool in page.tools[start : start + _SLICE]]
            await asyncio.sleep(0)
        count += len(page.tools)
        cursor = page.next_cursor
        if not cursor:
            return
        if cursor in seen or count > TOOLS:
            break
        seen.add(cursor)
    raise ServerError(
        server,
        translatable(
            "{server}: its list of tools does not end (stopped after {count}).",
            server=server,
            count=count,
        ),
        remedy=translatable("This is a fault of the server: report it to its author."),
    )


def _definition(server: str, tool: types.Tool) -> ToolDefinition:
    meta = cast("Mapping[str, Any]", tool.meta or {})
    hints = tool.annotations
    return ToolDefinition(
        server=server,
        name=tool.name,
        title=tool.title or (hints.title if hints else None) or "",
        description=tool.description or "",
        category=_text(meta, "category"),
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=_annotations(hints),
        icons=tuple(icon.model_dump(by_alias=True, exclude_none=True) for icon in tool.icons or ()),
        metadata=_metadata(meta),
        execution=tool.execution.model_dump(by_alias=True, exclude_none=True)
        if tool.execution
        else {},
    )


def _annotations(hints: types.ToolAnnotations | None) -> Annotations:
    if hints is None:
        return Annotations()
    return Annotations(
        hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint
    )


def _metadata(meta: Mapping[str, Any]) -> Metadata:
    if not meta:
        return Metadata()
    tags = meta.get("tags")
    return Metadata(
        version=_text(meta, "version"),
        author=_text(meta, "author"),
        tags=tuple(str(tag) for tag in cast("list[Any]", tags)) if isinstance(tags, list) else (),
        raw=meta,
    )


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return value if isinstance(value, str) else ""
