"""Applies one provider's rule to every schema inside a normalised schema, the innermost first.

Shared by the emitters; knows no rule itself and never makes a schema stricter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from desktop.llm.formats.children import map_children
from desktop.llm.formats.normaliser import DEEPEST
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report

Rule: TypeAlias = "Callable[[Schema, Path, Report], Schema]"


def rewritten(
    schema: Schema, rule: Rule, report: Report, path: Path = (), deepest: int = DEEPEST + 1
) -> Schema:
    """A copy to which `rule` was applied everywhere; below `deepest` levels anything goes."""
    if deepest < 0 and schema:
        report.add(
            "loosened",
            path,
            translatable("Nested too deeply for this provider: anything may be here."),
        )
        return {}

    def visit(child: Any, path: Path, keyword: str) -> Schema:
        return rewritten(child, rule, report, path, deepest - 1)

    return rule(map_children(schema, path, visit, report), path, report)
