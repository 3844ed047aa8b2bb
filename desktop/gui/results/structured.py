"""Finds the structured value in a result: what the server gave, or text that is JSON.

Reading JSON blocks the loop for as long as it takes, so long texts wait until a person asks.
Must not import Qt.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.tools.result import ToolResult

READ_AT_ONCE = 1_000_000
"""Characters of JSON that are read unasked: about 15 ms."""


@dataclass(frozen=True, slots=True)
class Structured:
    """A value to show as a tree; `waiting` is JSON text too long to be read unasked."""

    found: bool
    value: Any = None
    waiting: str = ""


NOTHING = Structured(found=False)


def structured_of(result: ToolResult) -> Structured:
    """The structured content, or the value of the one text block when that is JSON."""
    if result.structured is not None:
        return Structured(found=True, value=result.structured)
    texts = [block.text for block in result.content if block.kind == "text"]
    text = texts[0] if len(texts) == 1 else result.output if not result.content else ""
    if not _looks_like_json(text):
        return NOTHING
    if len(text) > READ_AT_ONCE:
        return Structured(found=False, waiting=text)
    return read_json(text)


def read_json(text: str) -> Structured:
    """The value of a whole text, or nothing where it is not JSON after all."""
    try:
        return Structured(found=True, value=json.loads(text))
    except (ValueError, RecursionError):
        return NOTHING


def _looks_like_json(text: str) -> bool:
    start, end = text[:200].lstrip()[:1], text[-200:].rstrip()[-1:]
    return (start, end) in {("{", "}"), ("[", "]")}


def to_text(value: Any) -> str:
    """A value as JSON a person can read; what JSON cannot say is shown as its text."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
