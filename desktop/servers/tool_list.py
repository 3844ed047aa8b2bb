"""Reads all pages of a server's tool list, and notices when the list has changed.

The pages become `ToolDefinition`s, bounded in pages, tools and repeated cursors. Changes are
noticed in both generations of the protocol; whoever listens reads the list again. Must not keep a
list. Source: MCP specification, server/utilities/pagination; server/tools, "List Changed
Notification".
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from desktop.errors import ServerError
from desktop.servers.answer_repair import OddTool
from desktop.servers.oddities import report_oddity
from desktop.servers.sdk import MCPError
from desktop.tool_types import Annotations, Metadata, ToolDefinition
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from mcp import Client
    from mcp.client.session import IncomingMessage

    from desktop.tasks import TaskGroup

LISTEN_LIMIT = 1.0
"""Seconds until the list is read without a server's word that it will tell of changes."""

logger = logging.getLogger(__name__)


class ToolListWatcher:
    """What one session has heard of changes; many at once are one."""

    def __init__(self, tasks: TaskGroup) -> None:
        """Args: tasks: end with the session."""
        self._tasks = tasks
        self._stale = asyncio.Event()

    async def next(self) -> None:
        """Wait for a change since the last one that was waited for."""
        await self._stale.wait()
        self._stale.clear()

    async def on_message(self, message: IncomingMessage) -> None:
        """Take a message of the server; up to 2025-11-25 it tells everyone."""
        if isinstance(message, types.ToolListChangedNotification):
            self._stale.set()

    async def hear(self, client: Client) -> None:
        """Listen, as since 2026-07-28 only listeners are told; called before the list is read."""
        tools = client.server_capabilities.tools
        modern = client.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and tools is not None and tools.list_changed:
            heard = asyncio.Event()
            self._tasks.spawn(self._listen(client, heard), "listen")
            with anyio.move_on_after(LISTEN_LIMIT):
                await heard.wait()

    async def _listen(self, client: Client, heard: asyncio.Event) -> None:
        try:
            async with client.listen(tools_list_changed=True) as subscription:
                heard.set()
                async for _ in subscription:
                    self._stale.set()
        except Exception as error:  # noqa: BLE001 - a lost subscription is not a lost connection
            logger.debug("no more change events: %r", error)
        finally:
            heard.set()


PAGES = 2_000
"""Pages read at most; 10,000 tools in pages of 10 are 1,000."""
TOOLS = 100_000
_SLICE = 250
"""Tools converted between two turns of the loop."""
MAX_NAME_LENGTH = 1_000
"""Characters of a name; the specification asks for 128 at most. A longer one freezes every list."""
MAX_LABEL_LENGTH = 1_000
"""Characters of a title and of the like, which are cut: nothing is called by them."""
MAX_TAGS = 100
_BEGINNING = 40


async def list_tools(server: str, client: Client) -> AsyncIterator[list[ToolDefinition]]:
    """Yield the tools page by page (large pages in slices).

    A page that the server refuses ends the list; what came before it is kept.

    Raises:
        ServerError: the pages do not end.
        MCPError: the server refused the first page; a server without tools may.
    """
    cursor: str | None = None
    seen: set[str] = set()
    count = 0
    for _ in range(PAGES):
        try:
            page = await client.list_tools(cursor=cursor, cache_mode="refresh")
        except MCPError as error:
            if cursor is None or error.code == types.CONNECTION_CLOSED:
                raise
            report_oddity("tools/list", translatable("its next page: {words}", words=error.message))
            return
        for start in range(0, len(page.tools), _SLICE):
            some = page.tools[start : start + _SLICE]
            yield [_definition(server, tool) for tool in some if _can_be_named(tool)]
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


def without_doubles(tools: list[ToolDefinition]) -> list[ToolDefinition]:
    """Each name once, the last of those that have it: that is the one a server runs, mostly."""
    named = {tool.name: tool for tool in tools}
    if len(named) == len(tools):
        return tools
    counts = Counter(tool.name for tool in tools)
    for name, count in counts.items():
        if count > 1:
            words = translatable("{count} tools are called {name}", count=count, name=name)
            report_oddity("tools/list", words)
    return list(named.values())


def _can_be_named(tool: types.Tool) -> bool:
    """Whether its name is one that can be shown; a tool whose name is cut could not be called."""
    if len(tool.name) <= MAX_NAME_LENGTH:
        return True
    words = translatable(
        "a tool is left out: its name has {count} characters ({beginning}…)",
        count=len(tool.name),
        beginning=tool.name[:_BEGINNING],
    )
    report_oddity("tools/list", words)
    return False


def _label(text: str | None) -> str:
    if not text or len(text) <= MAX_LABEL_LENGTH:
        return text or ""
    return f"{text[:MAX_LABEL_LENGTH]}…"


def _definition(server: str, tool: types.Tool) -> ToolDefinition:
    meta = cast("Mapping[str, Any]", tool.meta or {})
    hints = tool.annotations
    return ToolDefinition(
        server=server,
        name=tool.name,
        title=_label(tool.title or (hints.title if hints else None)),
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
        problems=tool.problems if isinstance(tool, OddTool) else (),
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
        tags=tuple(_label(str(tag)) for tag in cast("list[Any]", tags)[:MAX_TAGS])
        if isinstance(tags, list)
        else (),
        raw=meta,
    )


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return _label(value) if isinstance(value, str) else ""
