"""What Gemini is told of a tool in generateContent, through `parametersJsonSchema`.

Sources: google-genai 3.4, docstrings of `FunctionDeclaration` and of `response_json_schema` for
the keywords; what pydantic-ai sends and its authors tried. One keyword too many there fails the
whole request, so only known ones are sent and the others are said in words.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.alternatives import one_of
from desktop.llm.formats.conjunction import conjoin
from desktop.llm.formats.gemini_values import with_values
from desktop.llm.formats.keywords import ANNOTATIONS
from desktop.llm.formats.rewriting import rewritten
from desktop.llm.formats.wording import described
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report

KNOWN: Final = frozenset(
    {
        "type", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum",
        "maximum", "anyOf", "properties", "additionalProperties", "required", "propertyOrdering",
        "default", "pattern", "minLength", "maxLength", "minProperties", "maxProperties",
    }
)  # fmt: skip
"""Those of the documented list that are needed here, and those that its `Schema` has, too."""
DEEPEST: Final = 12
"""Levels below which anything goes. Gemini has an unpublished limit (gemini-cli#5923); real tools
have 6, and its JSON reader stops at 100 messages, of which a level takes up to 6."""


def function_declaration(name: str, description: str, schema: Schema) -> dict[str, Any]:
    """One entry of `functionDeclarations`; a tool without parameters has no schema at all."""
    out = {"name": name, "description": description}
    if schema["properties"] or schema.get("additionalProperties"):
        return {**out, "parametersJsonSchema": schema}
    return out


def gemini_schema(schema: Schema, report: Report) -> Schema:
    """A normalised schema in the keywords that Gemini knows."""
    definitions = cast("Schema", schema.get("$defs", {}))

    def rule(node: Schema, path: Path, report: Report) -> Schema:
        if "$ref" in node:
            node = _cut(node, definitions, path, report)
        return _rule(node, path, report)

    return rewritten(
        {key: value for key, value in schema.items() if key != "$defs"}, rule, report, (), DEEPEST
    )


def _cut(node: Schema, definitions: Schema, path: Path, report: Report) -> Schema:
    reference = cast("str", node.pop("$ref"))
    target = cast("Schema", definitions.get(reference.removeprefix("#/$defs/"), {}))
    if "type" in target and "type" not in node:
        node["type"] = target["type"]
        if "array" in target["type"]:
            node.setdefault("items", {})
    described(node, "of the same form as what it is in")
    report.add(
        "loosened",
        path,
        translatable("The recursion ends here: Gemini refuses references in circles."),
    )
    return node


def _rule(node: Schema, path: Path, report: Report) -> Schema:
    out = node
    for place, branch in enumerate(cast("list[Schema]", out.pop("allOf", []))):
        out = conjoin(out, branch, (*path, "allOf", place), report)
        report.add(
            "moved", (*path, "allOf"), translatable("'allOf' is merged: Gemini does not know it.")
        )
    out = with_values(out, path, report)
    _bounds(out, path, report)
    _one_of(out, path, report)
    _pattern_properties(out, path, report)
    if path == () and "title" in out and not out.get("description"):
        out["description"] = out["title"]
    return _known(out, path, report)


def _bounds(out: Schema, path: Path, report: Report) -> None:
    """Exclusive bounds as inclusive ones: exactly for integers, else with a note."""
    for keyword, bound, words in (
        ("exclusiveMinimum", "minimum", "greater than"),
        ("exclusiveMaximum", "maximum", "less than"),
    ):
        if keyword not in out:
            continue
        limit = out.pop(keyword)
        upward = bound == "minimum"
        if out.get("type") == "integer" and abs(limit) < 2**53:
            inner = math.floor(limit) + 1 if upward else math.ceil(limit) - 1
            report.add(
                "moved",
                (*path, keyword),
                translatable(
                    "{keyword!r} is now {bound!r} {inner}.",
                    keyword=keyword,
                    bound=bound,
                    inner=inner,
                ),
            )
        else:
            inner = limit
            described(out, f"{words} {limit}")
            report.add(
                "loosened",
                (*path, keyword),
                translatable(
                    "{keyword!r} is now {bound!r} and a note.", keyword=keyword, bound=bound
                ),
            )
        held = out.get(bound, inner)
        out[bound] = max(held, inner) if upward else min(held, inner)


def _one_of(out: Schema, path: Path, report: Report) -> None:
    if "oneOf" not in out:
        return
    branches = out.pop("oneOf")
    kept = "anyOf" not in out
    out.setdefault("anyOf", branches)
    words = translatable("'oneOf' became 'anyOf'. Gemini reads both the same.")
    if not kept:
        words = translatable("'oneOf' beside 'anyOf' is left out. Gemini reads both the same.")
    report.add("loosened", (*path, "oneOf"), words)


def _pattern_properties(out: Schema, path: Path, report: Report) -> None:
    if "patternProperties" not in out:
        return
    patterns = cast("Schema", out.pop("patternProperties"))
    further = out.get("additionalProperties", True)
    if further is not True and patterns:
        options = [*patterns.values(), *([further] if further else [])]
        out["additionalProperties"] = True if {} in options else one_of(options)
    described(out, f"names match {', '.join(patterns)}")
    report.add(
        "loosened",
        (*path, "patternProperties"),
        translatable("The patterns of names are said in words."),
    )


def _known(out: Schema, path: Path, report: Report) -> Schema:
    for keyword in [keyword for keyword in out if keyword not in KNOWN]:
        value = out.pop(keyword)
        if words := _in_words(keyword, value):
            described(out, words)
            kind = "moved" if keyword in ANNOTATIONS else "loosened"
            report.add(
                kind,
                (*path, keyword),
                translatable("{keyword!r} is said in the description.", keyword=keyword),
            )
        else:
            kind = "dropped" if keyword in ANNOTATIONS else "loosened"
            report.add(
                kind,
                (*path, keyword),
                translatable("{keyword!r} is left out: Gemini does not know it.", keyword=keyword),
            )
    return out


def _in_words(keyword: str, value: Any) -> str:
    match keyword:
        case "format" | "contentEncoding" | "contentMediaType":
            return f"format: {value}"
        case "multipleOf":
            return f"a multiple of {value}"
        case "uniqueItems" if value:
            return "no two items the same"
        case _:
            return ""
