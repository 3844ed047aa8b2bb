"""Results of tools as they come, for the tests of the answers."""

from __future__ import annotations

import base64
from typing import Any

from desktop.features.models.messages import ToolAnswer
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PNG_TEXT = base64.b64encode(PNG).decode()
PICTURE = Content("image", data=PNG, mime="image/png")
PDF = Content("resource", data=b"%PDF-1.4", mime="application/pdf", uri="file:///x/a.pdf")
FAILED = ToolError("ToolError", "no such file", ErrorCode.TOOL_ERROR)


def answer(
    *content: Content, failed: bool = False, call_id: str = "c1", **fields: Any
) -> ToolAnswer:
    """An answer of the tool `look`."""
    error = FAILED if failed else None
    result = ToolResult(not failed, error=error, content=content, **fields)
    return ToolAnswer(call_id, "look", result)
