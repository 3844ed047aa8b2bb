"""A call as the JSON-RPC message that a client sends for it.

Source: MCP specification 2025-11-25, server/tools, `tools/call`. Must not send anything.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject


def plain_json(value: Any, indent: int | None = None) -> str:
    """JSON as it can be read; with escapes where a character could not be seen or pasted."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    is_plain = all(char.isprintable() or char == "\n" for char in text)
    return text if is_plain else json.dumps(value, indent=indent)


def request_text(tool: str, arguments: JsonObject) -> str:
    """The `tools/call` request; `tool` is the name at its server."""
    params = {"name": tool, "arguments": dict(arguments)}
    return plain_json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, 2)
