"""What a tool was when a person allowed it: a hash, a copy to compare with, and the difference.

A server can change a tool after it was allowed ("rug pull"): the hash tells, the difference says
what. Pure; bounded, because both sides are the server's.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.tool_types import ToolDefinition

LARGEST: Final = 64_000
"""Characters of a definition that are kept to compare with; of a larger one only the hash is."""
LINES: Final = 200
"""Lines of a difference that are shown."""
TOO_LARGE: Final = "The tool has changed; it is too large to show what."


def described(definition: ToolDefinition) -> dict[str, Any]:
    """What the decision of a person rests on, as JSON."""
    return {
        "name": definition.name,
        "title": definition.title,
        "description": definition.description,
        "inputSchema": definition.input_schema,
        "annotations": asdict(definition.annotations),
    }


def fingerprint(definition: ToolDefinition) -> str:
    """A hash that is the same as long as all of `described` is; "" where that is impossible."""
    try:
        text = json.dumps(described(definition), sort_keys=True, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def kept(definition: ToolDefinition) -> dict[str, Any] | None:
    """The copy to compare a later definition with; None where it is too large for that."""
    try:
        copy = described(definition)
        return copy if len(json.dumps(copy)) <= LARGEST else None
    except (RecursionError, TypeError, ValueError):
        return None


def difference(before: Mapping[str, Any] | None, now: ToolDefinition) -> str:
    """What has changed, as the lines of a unified diff; a sentence where it cannot be shown."""
    after = kept(now)
    if before is None or after is None:
        return TOO_LARGE
    lines = list(difflib.unified_diff(_lines(before), _lines(after), "before", "now", "", "", 1))
    shown = lines[:LINES]
    if len(lines) > LINES:
        shown.append(f"… {len(lines) - LINES} more lines")
    return "\n".join(line.rstrip("\n") for line in shown)


def _lines(value: Mapping[str, Any]) -> list[str]:
    """As a person reads it: texts by their own lines, all else as JSON."""
    found: list[str] = []
    for name, one in value.items():
        if isinstance(one, str):
            found += [f"{name}: {line}" for line in one.splitlines() or [""]]
        else:
            text = json.dumps(cast("object", one), indent=1, sort_keys=True, ensure_ascii=False)
            found += [f"{name}: {line}" for line in text.splitlines()]
    return found
