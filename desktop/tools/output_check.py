"""Checks a tool's structured output against its `outputSchema`, and large values in a thread.

A large value would block the loop while it is checked, arguments as much as output. Changes no
result: what does not fit is only told.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from desktop.base.translatable import translatable
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.values.tool_types import JsonObject, ToolResult

T = TypeVar("T")
LARGE: Final = 1_000
"""Values in a value from which it is checked in a thread: below, that takes some milliseconds."""

_OF_ARGUMENTS: Final = frozenset({"deprecated", "readOnly"})
"""Codes of issues that only concern whoever fills a value in: a tool may return read-only ones."""


async def check_output(
    schema: JsonObject | None, result: ToolResult
) -> tuple[ValidationIssue, ...] | None:
    """Check a result's structured content against the tool's `outputSchema`.

    Source: MCP specification, server/tools, "Output Schema". The result itself is not changed.

    Returns:
        All issues; None if there is nothing to check: no schema, or a result that is an error.
    """
    if schema is None or result.error is not None:
        return None
    # A null as structured content looks like none at all, so a schema that allows null allows none.
    if result.structured is None and "null" not in _types(schema):
        words = translatable(
            "has no structured content, although the tool declares an output schema"
        )
        return (ValidationIssue((), "rule", words, code="missingOutput"),)
    from desktop.tools.validation import find_misfits  # jsonschema: not before it is needed

    issues = await run_off_loop_if_large(partial(find_misfits, schema), result.structured)
    return tuple(issue for issue in issues if issue.code not in _OF_ARGUMENTS)


def _types(schema: object) -> list[Any]:
    kind: Any = cast("JsonObject", schema).get("type") if isinstance(schema, dict) else None
    return cast("list[Any]", kind) if isinstance(kind, list) else [kind]


async def run_off_loop_if_large(check: Callable[[Any], T], value: object) -> T:
    """Return `check(value)`, computed in a thread if the value is large."""
    if is_large(value):
        return await asyncio.to_thread(check, value)
    return check(value)


def is_large(value: object) -> bool:
    """Whether a JSON value holds more than `LARGE` values; looks at no more of them than that."""
    pending, visited = [value], 0
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(cast("dict[str, object]", item).values())
        elif isinstance(item, list):
            pending.extend(cast("list[object]", item))
        visited += 1
        if visited + len(pending) > LARGE:
            return True
    return False
