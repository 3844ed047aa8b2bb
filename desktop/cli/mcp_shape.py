"""A tool's definition as the protocol itself writes it: what `tools --json` prints.

Source: MCP specification, server/tools, type `Tool`. Copies nothing, changes nothing.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.tool_types import Annotations, ToolDefinition

_HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def to_mcp(tool: ToolDefinition) -> dict[str, Any]:
    """The definition; keys that the server left out are left out."""
    optional: dict[str, Any] = {
        "title": tool.title,
        "description": tool.description,
        "outputSchema": tool.output_schema,
        "annotations": _annotations(tool.annotations),
        "icons": list(tool.icons),
        "execution": dict(tool.execution),
        "_meta": dict(tool.metadata.raw),
    }
    shown = {key: value for key, value in optional.items() if value}
    return {"name": tool.name, "inputSchema": tool.input_schema, **shown}


def _annotations(hints: Annotations) -> dict[str, bool]:
    said: dict[str, bool | None] = asdict(hints)
    return {_HINTS[name]: value for name, value in said.items() if value is not None}
