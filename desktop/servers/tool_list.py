"""Reads a server's tool list and turns what it declares into `ToolDefinition`s.

The pages and their bounds are those of `desktop.servers.lists`. Must not keep a list. Source: MCP
specification, server/tools.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from desktop.patches.sdk import forget_output_schemas
from desktop.servers.lists import (
    SLICE,
    dump_icons,
    has_usable_name,
    read_pages,
    shorten_label,
    without_doubles,
)
from desktop.servers.repair.answer_repair import OddTool
from desktop.values.tool_types import (
    EMPTY,
    NO_ANNOTATIONS,
    NO_METADATA,
    Annotations,
    Metadata,
    ToolDefinition,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    import mcp_types as types
    from mcp import Client

    from desktop.values.packed_json import JsonPacker

METHOD = "tools/list"
MAX_TAGS = 100


async def list_tools(
    server: str, client: Client, packer: JsonPacker
) -> AsyncGenerator[list[ToolDefinition]]:
    """Yield the tools page by page (large pages in slices), their schemas packed by `packer`.

    A later page that is wrong ends the list; what came before it is kept.

    Raises:
        MCPError: the server refused the first page; a server without tools may.
    """

    async def ask(cursor: str | None) -> types.ListToolsResult:
        return await client.list_tools(cursor=cursor, cache_mode="refresh")

    async with aclosing(read_pages(server, METHOD, ask, lambda page: page.tools)) as pages:
        async for page in pages:
            for start in range(0, len(page.tools), SLICE):
                some = page.tools[start : start + SLICE]
                yield _definitions(
                    server, [tool for tool in some if has_usable_name(METHOD, tool.name)], packer
                )
                await asyncio.sleep(0)
            forget_output_schemas(client)


def without_double_tools(tools: list[ToolDefinition]) -> list[ToolDefinition]:
    """Each name once, the last of those that have it."""
    return without_doubles(METHOD, tools, lambda tool: tool.name)


def _definitions(server: str, tools: list[types.Tool], packer: JsonPacker) -> list[ToolDefinition]:
    schemas = packer.pack(
        [each for tool in tools for each in (tool.input_schema, tool.output_schema)]
    )
    pairs = zip(schemas[::2], schemas[1::2], strict=True)
    return [_definition(server, tool, *pair) for tool, pair in zip(tools, pairs, strict=True)]


def _definition(
    server: str, tool: types.Tool, input_schema: Any, output_schema: Any
) -> ToolDefinition:
    meta = cast("Mapping[str, Any]", tool.meta) if tool.meta else EMPTY
    hints = tool.annotations
    return ToolDefinition(
        server=server,
        name=tool.name,
        title=shorten_label(tool.title or (hints.title if hints else None)),
        description=tool.description or "",
        category=_text(meta, "category"),
        input_schema=input_schema,
        output_schema=output_schema,
        annotations=_annotations(hints),
        icons=dump_icons(tool.icons),
        metadata=_metadata(meta),
        execution=tool.execution.model_dump(by_alias=True, exclude_none=True)
        if tool.execution
        else EMPTY,
        problems=tool.problems if isinstance(tool, OddTool) else (),
    )


def _annotations(hints: types.ToolAnnotations | None) -> Annotations:
    if hints is None:
        return NO_ANNOTATIONS
    return _shared_annotations(
        hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint
    )


@cache  # each of the four is one of three
def _shared_annotations(*hints: bool | None) -> Annotations:
    return Annotations(*hints)


def _metadata(meta: Mapping[str, Any]) -> Metadata:
    if not meta:
        return NO_METADATA
    tags = meta.get("tags")
    return Metadata(
        version=_text(meta, "version"),
        author=_text(meta, "author"),
        tags=tuple(shorten_label(str(tag)) for tag in cast("list[Any]", tags)[:MAX_TAGS])
        if isinstance(tags, list)
        else (),
        raw=meta,
    )


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return shorten_label(value) if isinstance(value, str) else ""
