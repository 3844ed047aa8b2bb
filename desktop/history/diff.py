"""Differences between two calls, line by line: arguments, output and structured content.

Bounded, but meant for a thread, because a comparison takes time. Must not know colours.
"""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.history.records import Record

MAX_LINES = 4_000
"""Lines of each side that are compared; the rest is said to be left out."""
MAX_LINE_LENGTH = 2_000
_AROUND = 3
LineKind: TypeAlias = Literal["same", "removed", "added", "gap"]
SIGNS: Final[dict[LineKind, str]] = {"same": "  ", "removed": "- ", "added": "+ ", "gap": "⋯"}
"""What a line of each kind begins with."""


class DiffLine(Struct, frozen=True):
    """One line; a `gap` stands for lines that are the same on both sides, or were left out."""

    kind: LineKind
    text: str


class Part(Struct, frozen=True):
    """One part of two calls side by side; `lines` is empty where both are the same.

    `left_out` says whether a side had more than `MAX_LINES` lines.
    """

    lines: tuple[DiffLine, ...]
    left_out: bool = False

    @property
    def is_same(self) -> bool:
        return not self.lines


class CallComparison(Struct, frozen=True):
    """All parts of two calls, the older one first."""

    arguments: Part
    output: Part
    structured: Part


def compare(before: Record, after: Record) -> CallComparison:
    """How `after` differs from `before`."""
    old, new = before.result, after.result
    return CallComparison(
        arguments=compare_texts(_json(before.arguments), _json(after.arguments)),
        output=compare_texts(_said(before), _said(after)),
        structured=compare_texts(_json(old.structured), _json(new.structured)),
    )


def _said(record: Record) -> str:
    error = record.result.error
    return record.result.output or (error.message if error is not None else "")


def compare_texts(before: str, after: str) -> Part:
    """How one text differs from another, line by line."""
    if before == after:
        return Part(())
    old, new = before.splitlines(), after.splitlines()
    left_out = max(len(old), len(new)) > MAX_LINES
    old, new = [_cut(old[:MAX_LINES]), _cut(new[:MAX_LINES])]
    return Part(tuple(_lines(old, new)) or (DiffLine("gap", ""),), left_out)


def _cut(lines: Sequence[str]) -> list[str]:
    return [
        line if len(line) <= MAX_LINE_LENGTH else line[:MAX_LINE_LENGTH] + "…" for line in lines
    ]


def _lines(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    matcher = SequenceMatcher(None, old, new)
    end = 0
    for group in matcher.get_grouped_opcodes(_AROUND):
        first = group[0][1]
        if first > end:
            yield DiffLine("gap", "")
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (DiffLine("same", line) for line in old[a:b])
                continue
            yield from (DiffLine("removed", line) for line in old[a:b])
            yield from (DiffLine("added", line) for line in new[c:d])
        end = group[-1][2]
    if end < len(old):
        yield DiffLine("gap", "")


def _json(value: Any) -> str:
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=dict)
    except (RecursionError, TypeError, ValueError):
        return ""
