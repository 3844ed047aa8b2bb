"""Settles how the keywords of one normalised schema fit together, as providers insist on.

`array` has `items`, `required` names properties that are declared, and what can never be is not
offered. Children are done already; never makes a schema stricter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop.llm.formats.keywords import NEVER, has_type
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report


def tidied(schema: Schema, path: Path, report: Report) -> Schema:
    """The same schema, settled; `schema` is a new object and may be changed."""
    _without_never(schema, path, report)
    _items(schema, path, report)
    if schema.get("propertyNames") in ({}, {"type": "string"}):
        del schema["propertyNames"]  # zod writes it for every record
        report.add("dropped", (*path, "propertyNames"), translatable("Names are texts anyway."))
    if "required" in schema:
        _required(schema, path, report)
    return schema


def _without_never(schema: Schema, path: Path, report: Report) -> None:
    properties = cast("Schema", schema.get("properties", {}))
    if forbidden := [name for name, each in properties.items() if each == NEVER]:
        schema["properties"] = {n: each for n, each in properties.items() if n not in forbidden}
        report.add(
            "loosened",
            (*path, "properties"),
            translatable("Properties that may not be are left out."),
        )
    for keyword in ("anyOf", "oneOf"):
        branches = cast("list[Schema]", schema.get(keyword, []))
        possible = [branch for branch in branches if branch != NEVER]
        if branches and not possible:
            del schema[keyword]
            report.add(
                "loosened", (*path, keyword), translatable("No alternative is possible: left out.")
            )
        elif len(possible) < len(branches):
            schema[keyword] = possible
            report.add(
                "moved",
                (*path, keyword),
                translatable("Alternatives that nothing fits are left out."),
            )


def _items(schema: Schema, path: Path, report: Report) -> None:
    if schema.get("items") == NEVER:
        most = len(cast("list[Schema]", schema.get("prefixItems", [])))
        schema["items"] = {}
        schema["maxItems"] = min(most, schema.get("maxItems", most))
        report.add("moved", (*path, "items"), translatable("'items: false' is now a 'maxItems'."))
    elif "items" not in schema and has_type(schema, "array"):
        schema["items"] = {}
        report.add(
            "added", path, translatable("'items: {{}}' is added: OpenAI wants it of every array.")
        )


def _required(schema: Schema, path: Path, report: Report) -> None:
    """Declares what is required but not declared: so it is asked for and nothing is refused."""
    properties = cast("Schema", schema.get("properties", {}))
    names = cast("list[str]", schema["required"])
    unknown = [name for name in names if name not in properties]
    if not unknown:
        return
    if schema.get("additionalProperties") is False and not schema.get("patternProperties"):
        schema["required"] = [name for name in names if name in properties]
        words = translatable("Required names that are neither declared nor allowed are left out.")
        report.add("loosened", (*path, "required"), words)
        return
    schema["properties"] = properties | {name: {} for name in unknown}
    words = translatable(
        "Required but not declared, so declared here: {names}.", names=", ".join(unknown[:5])
    )
    report.add("added", (*path, "required"), words)
