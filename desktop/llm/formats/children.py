"""Visits the schemas inside a schema, and keeps the whole from becoming stricter by it.

A schema inside may come back looser than it was. Under `not`, `if`, `oneOf` and `contains` that
would make the whole stricter, so these give way. Knows no provider.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from desktop.llm.formats.keywords import LISTS, NAMED, SINGLE
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report


class Visit(Protocol):
    """Gives a schema inside, found under `keyword`, its new form."""

    def __call__(self, child: Any, path: Path, keyword: str) -> Schema: ...


def map_children(node: Schema, path: Path, visit: Visit, report: Report) -> Schema:
    """`node` with each schema inside replaced by what `visit` makes of it; a new object.

    `node` must be well-shaped: lists where lists belong, objects where objects belong.
    """
    out: Schema = {}
    looser: set[str] = set()
    for keyword, value in node.items():
        before = report.loosened
        out[keyword] = _mapped(keyword, value, (*path, keyword), visit)
        if report.loosened > before:
            looser.add(keyword)
    if looser:
        _give_way(out, looser, path, report)
    return out


def _mapped(keyword: str, value: Any, path: Path, visit: Visit) -> Any:
    if keyword in SINGLE:
        if keyword == "additionalProperties" and isinstance(value, bool):
            return value
        return visit(value, path, keyword)
    if keyword in LISTS:
        each = enumerate(cast("list[Any]", value))
        return [visit(child, (*path, place), keyword) for place, child in each]
    if keyword in NAMED:
        named = cast("dict[str, Any]", value).items()
        return {name: visit(child, (*path, name), keyword) for name, child in named}
    return value


def _give_way(out: Schema, looser: set[str], path: Path, report: Report) -> None:
    if "not" in looser:
        del out["not"]
        report.add(
            "loosened",
            (*path, "not"),
            translatable("'not' is left out, as what is in it was loosened."),
        )
    if "if" in looser:
        for keyword in ("if", "then", "else"):
            out.pop(keyword, None)
        report.add(
            "loosened",
            (*path, "if"),
            translatable("The condition is left out, as it was loosened."),
        )
    if "oneOf" in looser:
        branches = out.pop("oneOf")
        out.setdefault("anyOf", branches)
        report.add(
            "loosened", (*path, "oneOf"), translatable("'oneOf' became 'anyOf' or was left out.")
        )
    if "contains" in looser and out.pop("maxContains", None) is not None:
        report.add("loosened", (*path, "maxContains"), translatable("'maxContains' is left out."))
