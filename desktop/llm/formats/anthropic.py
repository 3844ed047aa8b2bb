"""What Anthropic is told of a tool in Messages. Must not decide about names of tools.

Source: anthropic 2.11 `ToolParam`; the server's "Property keys should match pattern
'^[a-zA-Z0-9_.-]{1,64}$'" and "tools.N.custom.input_schema" messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema


def messages_tool(name: str, description: str, schema: Schema) -> dict[str, Any]:
    """One entry of `tools` of Messages."""
    return {"name": name, "description": description, "input_schema": schema}
