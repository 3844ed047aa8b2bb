"""Holds what a tool gave back against its `outputSchema`: a finding is told, the result stays.

Source: MCP specification, server/tools, "Output Schema". Must not change the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.tool_types import ValidationIssue
from desktop.tools.sizes import off_loop_if_large

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject, ToolResult

_OF_ARGUMENTS: Final = frozenset({"deprecated", "readOnly"})
"""Words for who fills a value in: a tool may give back what is read-only."""


async def check_output(
    schema: JsonObject | None, result: ToolResult
) -> tuple[ValidationIssue, ...] | None:
    """All findings; None where there is nothing to check: no schema, or an error for a result.

    A tool with a schema has to give structured content. Its null cannot be told from none here, so
    none is accepted where the schema's own `type` has `null`.
    """
    if schema is None or result.error is not None:
        return None
    if result.structured is None and "null" not in _types(schema):
        words = "has no structured content, although the tool declares an output schema"
        return (ValidationIssue((), "rule", words, code="missingOutput"),)
    from desktop.tools.validation import find_misfits  # jsonschema: not before it is needed

    found = await off_loop_if_large(find_misfits, schema, result.structured)
    return tuple(issue for issue in found if issue.code not in _OF_ARGUMENTS)


def _types(schema: object) -> list[Any]:
    kind: Any = cast("JsonObject", schema).get("type") if isinstance(schema, dict) else None
    return cast("list[Any]", kind) if isinstance(kind, list) else [kind]
