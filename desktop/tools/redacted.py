"""A result as it may be shown beside others and written to a file: bounded, without secrets.

The result itself stays as it is: the person who made the call sees all of it on the Tools page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from desktop.config.redaction import Redaction
    from desktop.tool_types import Content, ToolResult

LONGEST = 256 * 1024
"""Characters of one text that are looked through: a few tens of milliseconds."""
LARGEST = 20_000
"""Values within a structured one that are looked through."""


def redacted_result(result: ToolResult, redaction: Redaction) -> ToolResult:
    """A copy without the secrets; longer texts are cut, a larger structured value is left out."""
    error = result.error
    return replace(
        result,
        output=redacted_text(result.output, redaction),
        error=error and replace(error, message=redacted_text(error.message, redaction)),
        content=tuple(_block(block, redaction) for block in result.content),
        structured=redacted_value(result.structured, redaction),
        meta={},
    )


def redacted_text(text: str, redaction: Redaction) -> str:
    """`text` without secrets; what is cut off is told at its end."""
    if len(text) <= LONGEST:
        return redaction.text(text)
    left = len(text) - LONGEST
    return f"{redaction.cut_text(text[:LONGEST])}… [{left} more characters are not shown here]"


def redacted_value(value: Any, redaction: Redaction) -> Any:
    """A JSON value without secrets; None where there is too much in it to be looked through."""
    try:
        return redaction.value(value) if _is_small(value) else None
    except RecursionError:
        return None


def _block(block: Content, redaction: Redaction) -> Content:
    return replace(
        block,
        text=redacted_text(block.text, redaction),
        uri=redacted_text(block.uri, redaction),
        name=redacted_text(block.name, redaction),
    )


def _is_small(value: Any) -> bool:
    waiting, values, characters = [value], 0, 0
    while waiting:
        one = waiting.pop()
        values += 1
        if isinstance(one, dict):
            members = cast("dict[str, Any]", one)
            characters += sum(map(len, members))
            waiting += members.values()
        elif isinstance(one, list):
            waiting += cast("list[Any]", one)
        elif isinstance(one, str):
            characters += len(one)
        if values + len(waiting) > LARGEST or characters > LONGEST:
            return False
    return True
