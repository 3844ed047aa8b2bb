"""Tool definitions for the tests of approval."""

from __future__ import annotations

from typing import Any

from desktop.values.tool_types import Annotations, Metadata, ToolDefinition


def tool(name: str = "read", server: str = "files", **fields: Any) -> ToolDefinition:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    made: dict[str, Any] = {"description": "Reads a file.", "input_schema": schema}
    return ToolDefinition(server, name, **made | fields)


def read_only(name: str = "read", **fields: Any) -> ToolDefinition:
    return tool(name, annotations=Annotations(read_only=True), **fields)


def with_meta(**meta: Any) -> ToolDefinition:
    return tool(metadata=Metadata(raw=meta))
