"""Tools, schemas and tool results for Gemini generateContent, through `parametersJsonSchema`.

Sources: google-genai 3.4, docstrings of `FunctionDeclaration` and `response_json_schema` for the
keywords ("enum (for strings and numbers)"), `FunctionResponse`; what pydantic-ai sends. A single
unknown keyword fails the whole request, so only known ones are sent, and the rest is put into the
description.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import translatable
from desktop.features.models.formats.content_parts import ContentPart, convert_answer, join_text
from desktop.features.models.formats.schema_cleaning import find_closing_references
from desktop.features.models.formats.schema_combining import merge_all_of, merge_schemas
from desktop.features.models.formats.schema_keywords import (
    ANNOTATIONS,
    append_description,
    is_of_type,
)
from desktop.features.models.formats.schema_normaliser import transform_schema
from desktop.values.json_schema import types_of
from desktop.values.media_types import PDF

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.features.models.formats.declaration import Report
    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.features.models.formats.schema_normaliser import SchemaRule
    from desktop.features.models.messages import ToolAnswer
    from desktop.values.tool_types import JsonPath

KNOWN_KEYWORDS: Final = frozenset(
    {
        "type", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum",
        "maximum", "anyOf", "properties", "additionalProperties", "required", "propertyOrdering",
        "default", "pattern", "minLength", "maxLength", "minProperties", "maxProperties",
    }
)  # fmt: skip
"""Those of the documented list that are needed here, and those of the SDK's `Schema`."""
_BESIDE_REFERENCE: Final = frozenset(("$ref", "description", "default"))
MAX_DEPTH: Final = 12
"""Levels, below which anything is allowed. Gemini has an unpublished limit (gemini-cli#5923); real
tools have 6, and its JSON reader stops at 100 messages, of which a level takes up to 6."""
ACCEPTED: Final = ("image/png", "image/jpeg", "image/webp", PDF)
"""Media types; GIF is not among them."""


def make_function_declaration(name: str, description: str, schema: JsonSchema) -> dict[str, Any]:
    """One entry of `functionDeclarations`; a tool without parameters has no schema at all."""
    out = {"name": name, "description": description}
    if schema["properties"] or schema.get("additionalProperties"):
        return {**out, "parametersJsonSchema": schema}
    return out


def adapt_schema(
    schema: JsonSchema, report: Report, *, keeps_references: bool = False
) -> JsonSchema:
    """A normalised schema in the keywords that Gemini knows.

    With `keeps_references` those to `$defs` stay, which keeps it small; recursion is cut in any
    case.
    """
    definitions = cast("JsonSchema", schema.get("$defs", {}))
    top = {key: value for key, value in schema.items() if key != "$defs"}
    if not keeps_references:
        cut = _make_rule(definitions, definitions.keys())
        return transform_schema(top, cut, report, (), MAX_DEPTH)
    out = transform_schema(top, _make_rule(definitions, ()), report, (), MAX_DEPTH)
    cuts = find_closing_references(
        {name: _referred_names(each) for name, each in definitions.items()}
    )
    for name, each in definitions.items():
        rule = _make_rule(definitions, cuts.get(name, ()))
        definitions_out = out.setdefault("$defs", {})
        definitions_out[name] = transform_schema(each, rule, report, ("$defs", name), MAX_DEPTH)
    return out


def _make_rule(definitions: JsonSchema, cut: Collection[str]) -> SchemaRule:
    """How one schema is adapted, where a reference to one of `cut` is ended."""

    def rule(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
        if "$ref" not in node:
            return _adapt_node(node, path, report)
        name = cast("str", node["$ref"]).removeprefix("#/$defs/")
        if name in cut or name not in definitions:
            return _adapt_node(_end_recursion(node, definitions, path, report), path, report)
        return _drop_siblings(node, path, report)

    return rule


def _drop_siblings(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """A reference alone: "only description and default may be set" beside it (opencode#12295)."""
    for keyword in node.keys() - _BESIDE_REFERENCE:
        report.add(
            "dropped" if keyword in ANNOTATIONS else "loosened",
            (*path, keyword),
            translatable("{keyword!r} was removed: Gemini does not support it.", keyword=keyword),
        )
    return {key: value for key, value in node.items() if key in _BESIDE_REFERENCE}


def _referred_names(schema: JsonSchema) -> list[str]:
    names: list[str] = []
    pending: list[Any] = [schema]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            node = cast("JsonSchema", here)
            if isinstance(reference := node.get("$ref"), str):
                names.append(reference.removeprefix("#/$defs/"))
            pending.extend(node.values())
        elif isinstance(here, list):
            pending.extend(cast("list[Any]", here))
    return names


def _end_recursion(
    node: JsonSchema, definitions: JsonSchema, path: JsonPath, report: Report
) -> JsonSchema:
    reference = cast("str", node.pop("$ref"))
    target = cast("JsonSchema", definitions.get(reference.removeprefix("#/$defs/"), {}))
    if "type" in target and "type" not in node:
        node["type"] = target["type"]
        if "array" in target["type"]:
            node.setdefault("items", {})
    append_description(node, "of the same form as what it is in")
    report.add(
        "loosened",
        path,
        translatable("The recursion is cut here: Gemini rejects circular references."),
    )
    return node


def _adapt_node(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    out = node
    for place, branch in enumerate(cast("list[JsonSchema]", out.pop("allOf", []))):
        out = merge_all_of(out, branch, (*path, "allOf", place), report)
        report.add(
            "moved",
            (*path, "allOf"),
            translatable("'allOf' was merged: Gemini does not support it."),
        )
    out = convert_values(out, path, report)
    _include_bounds(out, path, report)
    _convert_one_of(out, path, report)
    _convert_pattern_properties(out, path, report)
    if path == () and "title" in out and not out.get("description"):
        out["description"] = out["title"]
    return _drop_unknown(out, path, report)


def _include_bounds(out: JsonSchema, path: JsonPath, report: Report) -> None:
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
                    "{keyword!r} was replaced by {bound!r} {inner}.",
                    keyword=keyword,
                    bound=bound,
                    inner=inner,
                ),
            )
        else:
            inner = limit
            append_description(out, f"{words} {limit}")
            report.add(
                "loosened",
                (*path, keyword),
                translatable(
                    "{keyword!r} was replaced by {bound!r} and a note.",
                    keyword=keyword,
                    bound=bound,
                ),
            )
        held = out.get(bound, inner)
        out[bound] = max(held, inner) if upward else min(held, inner)


def _convert_one_of(out: JsonSchema, path: JsonPath, report: Report) -> None:
    if "oneOf" not in out:
        return
    branches = out.pop("oneOf")
    kept = "anyOf" not in out
    out.setdefault("anyOf", branches)
    words = translatable("'oneOf' was replaced by 'anyOf', which Gemini treats the same.")
    if not kept:
        words = translatable("'oneOf' beside 'anyOf' was removed; Gemini treats them the same.")
    report.add("loosened", (*path, "oneOf"), words)


def _convert_pattern_properties(out: JsonSchema, path: JsonPath, report: Report) -> None:
    if "patternProperties" not in out:
        return
    patterns = cast("JsonSchema", out.pop("patternProperties"))
    further = out.get("additionalProperties", True)
    if further is not True and patterns:
        options = [*patterns.values(), *([further] if further else [])]
        out["additionalProperties"] = True if {} in options else merge_schemas(options)
    append_description(out, f"names match {', '.join(patterns)}")
    report.add(
        "loosened",
        (*path, "patternProperties"),
        translatable("Name patterns were moved to the description."),
    )


def _drop_unknown(out: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    for keyword in [keyword for keyword in out if keyword not in KNOWN_KEYWORDS]:
        value = out.pop(keyword)
        if words := _describe_keyword(keyword, value):
            append_description(out, words)
            kind = "moved" if keyword in ANNOTATIONS else "loosened"
            report.add(
                kind,
                (*path, keyword),
                translatable("{keyword!r} was moved to the description.", keyword=keyword),
            )
        else:
            kind = "dropped" if keyword in ANNOTATIONS else "loosened"
            report.add(
                kind,
                (*path, keyword),
                translatable(
                    "{keyword!r} was removed: Gemini does not support it.", keyword=keyword
                ),
            )
    return out


def _describe_keyword(keyword: str, value: Any) -> str:
    match keyword:
        case "format" | "contentEncoding" | "contentMediaType":
            return f"format: {value}"
        case "multipleOf":
            return f"a multiple of {value}"
        case "uniqueItems" if value:
            return "no two items the same"
        case _:
            return ""


def convert_values(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """`node` with its `const` or `enum` as Gemini accepts them: no "", no null, one type each."""
    if "const" not in node and "enum" not in node:
        return node
    given = cast("list[Any]", [node["const"]] if "const" in node else node["enum"])
    kinds = types_of(node)
    possible = [value for value in given if any(is_of_type(value, kind) for kind in kinds)]
    if "const" not in node and _is_plain_enum(node, possible) and len(possible) == len(given):
        return node
    out = {key: value for key, value in node.items() if key not in {"const", "enum", "type"}}
    if not possible:
        report.add(
            "loosened", path, translatable("No value could satisfy this rule; it was removed.")
        )
        return out | ({"type": node["type"]} if "type" in node else {})
    parts, is_exact = _split_by_type(possible)
    if len(parts) > 1 and "anyOf" in out:
        parts, is_exact = [{"type": node["type"]} if "type" in node else {}], False
    if not is_exact:
        append_description(out, f"one of {json.dumps(possible, ensure_ascii=False)}")
    words = translatable("The values were rewritten in the form that Gemini accepts.")
    report.add("moved" if is_exact else "loosened", path, words)
    return merge_all_of(out, parts[0], path, report) if len(parts) == 1 else {**out, "anyOf": parts}


def _is_plain_enum(node: JsonSchema, values: list[Any]) -> bool:
    kind = node.get("type")
    if kind == "string":
        return all(value != "" for value in values)
    return kind == "number" or kind == "integer"


def _split_by_type(values: list[Any]) -> tuple[list[JsonSchema], bool]:
    """One schema per type among the values, and whether together they mean exactly the same."""
    texts = [value for value in values if isinstance(value, str) and value]
    numbers = [x for x in values if isinstance(x, int | float) and not isinstance(x, bool)]
    flags = {value for value in values if isinstance(value, bool)}
    parts: list[JsonSchema] = []
    if texts:
        parts.append({"type": "string", "enum": texts})
    if "" in values:
        parts.append({"type": "string", "maxLength": 0})
    if numbers:
        whole = all(is_of_type(number, "integer") for number in numbers)
        parts.append({"type": "integer" if whole else "number", "enum": numbers})
    if flags:
        parts.append({"type": "boolean"})
    if any(isinstance(value, dict) for value in values):
        parts.append({"type": "object"})
    if any(isinstance(value, list) for value in values):
        parts.append({"type": "array", "items": {}})
    if any(value is None for value in values):
        parts.append({"type": "null"})
    return parts, len(flags) != 1 and not any(isinstance(value, dict | list) for value in values)


def format_results(answers: Sequence[ToolAnswer], *, media_inside: bool) -> list[dict[str, Any]]:
    """One content with all responses; their media inside them, or in a second content."""
    parts: list[dict[str, Any]] = []
    after: list[dict[str, Any]] = []
    for answer in answers:
        found = convert_answer(answer)
        media = [_make_blob(part) for part in found if part.mime in ACCEPTED]
        response = _make_response(answer, join_text(found))
        if media and media_inside:
            response["parts"] = media
        elif media:
            after += [{"text": f"Media that {answer.wire_name} returned:"}, *media]
        parts.append({"functionResponse": response})
    told = [{"role": "user", "parts": parts}] if parts else []
    return [*told, {"role": "user", "parts": after}] if after else told


def _make_response(answer: ToolAnswer, text: str) -> dict[str, Any]:
    key = "error" if answer.result.is_error else "output"
    response = {"name": answer.wire_name, "response": {key: text}}
    # Only an id that Gemini sent is sent back: often there is none.
    return {"id": answer.call_id, **response} if answer.call_id else response


def make_part(part: ContentPart) -> dict[str, Any]:
    """A part of a content; what Gemini does not accept is sent as its note."""
    return _make_blob(part) if part.mime in ACCEPTED else {"text": part.text}


def _make_blob(part: ContentPart) -> dict[str, Any]:
    return {"inlineData": {"mimeType": part.mime, "data": part.base64}}
