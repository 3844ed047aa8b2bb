"""Cuts references that lead back to the very value they judge: such a schema never comes to an end.

`{"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}` is one; a tree whose children are trees is none.
Source: JSON Schema 2020-12 core, section 9.4.1 ("infinite recursive nesting").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.children import map_children
from desktop.llm.formats.keywords import LISTS, NAMED, SAME_VALUE
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report

PREFIX: Final = "#/$defs/"


def without_circles(definitions: Schema, report: Report) -> Schema:
    """The same definitions, without the references that close a circle."""
    edges = {name: list(_same_value_names(schema)) for name, schema in definitions.items()}
    cuts = _closing(edges)
    return {
        name: _cut(schema, cuts[name], ("$defs", name), report) if name in cuts else schema
        for name, schema in definitions.items()
    }


def _same_value_names(schema: Schema) -> Iterator[str]:
    """Names of the definitions that judge the same value as `schema` does."""
    todo: list[Schema] = [schema]
    while todo:
        here = todo.pop()
        if "$ref" in here:
            yield cast("str", here["$ref"]).removeprefix(PREFIX)
        for keyword in SAME_VALUE & here.keys():
            if keyword in LISTS:
                todo.extend(here[keyword])
            elif keyword in NAMED:
                todo.extend(cast("Schema", here[keyword]).values())
            else:
                todo.append(here[keyword])


def _closing(edges: dict[str, list[str]]) -> dict[str, set[str]]:
    """By name, the names it must not refer to; found depth first, without recursion."""
    cuts: dict[str, set[str]] = {}
    done: set[str] = set()
    for start in edges:
        under_way = {start: iter(edges[start])}
        while under_way:
            name = next(reversed(under_way))
            further = next(under_way[name], None)
            if further is None:
                done.add(name)
                del under_way[name]
            elif further in under_way:
                cuts.setdefault(name, set()).add(further)
            elif further not in done:
                under_way[further] = iter(edges.get(further, ()))
    return cuts


def _cut(schema: Schema, names: set[str], path: Path, report: Report) -> Schema:
    def visit(child: Any, path: Path, keyword: str) -> Schema:
        return _cut(child, names, path, report) if keyword in SAME_VALUE else child

    out = map_children(schema, path, visit, report)
    if cast("str", out.get("$ref", "")).removeprefix(PREFIX) in names:
        del out["$ref"]
        report.add(
            "loosened", path, translatable("A reference that leads back to itself is left out.")
        )
    return out
