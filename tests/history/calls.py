"""Calls that ended, as the executor hands them over, and the store that keeps them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from desktop.history.records import FinishedCall
from desktop.history.serialization import HistoryLimits, decode, encode
from desktop.history.store import HistoryStore
from desktop.values.tool_types import Content, ErrorCode, ToolCall, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.history.records import Record
    from desktop.values.tool_types import JsonObject


def ended(
    key: str = "plain:echo",
    arguments: JsonObject | None = None,
    output: str = "hi",
    schema: JsonObject | None = None,
    **fields: Any,
) -> FinishedCall:
    """A call that succeeded with one text, unless `fields` of the result say otherwise."""
    said: dict[str, Any] = {
        "success": True,
        "output": output,
        "content": (Content("text", text=output),),
        "execution_time": 0.25,
    }
    result = ToolResult(**(said | fields))
    return FinishedCall(ToolCall(key, arguments or {}), result, schema or {})


def failed(key: str, message: str, code: ErrorCode = ErrorCode.TOOL_ERROR) -> FinishedCall:
    error = ToolError("ToolError", message, code)
    return ended(key, output="", success=False, error=error, content=())


def record_of(
    finished: FinishedCall, number: int = 1, limits: HistoryLimits | None = None
) -> Record:
    """The call as the history gives it back."""
    row = encode(finished, limits or HistoryLimits())
    counted: dict[str, Any] = {"id": number, "media": len(row.media)}
    return decode(counted | row.summary | row.contents, row.media)


@contextlib.asynccontextmanager
async def store_at(path: Path, limits: HistoryLimits | None = None) -> AsyncGenerator[HistoryStore]:
    """A store that writes at once, tries again soon, and is closed afterwards."""
    store = HistoryStore(path, limits, delay=0.0, retry=0.02)
    try:
        yield store
    finally:
        await store.close()


async def keep(store: HistoryStore, *calls: FinishedCall) -> None:
    """Add calls and wait until they are on the disk."""
    for call in calls:
        store.add(call)
    while store.is_writing:
        await store.page(count=1)
