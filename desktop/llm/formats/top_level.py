"""Makes the top of a normalised schema what all providers insist on: a plain object schema.

No `anyOf`, `oneOf`, `allOf`, `not`, `enum` and `const` there (OpenAI: "schema must have type
'object' and not have 'oneOf'/..."; Anthropic: "does not support oneOf, allOf, or anyOf at the top
level"). Looks no deeper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from desktop.llm.formats.alternatives import disjoin, in_words
from desktop.llm.formats.conjunction import conjoin
from desktop.llm.formats.keywords import has_type
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report

_UNSAYABLE: Final = ("not", "enum", "const", "$ref")
_COMBINATORS: Final = ("allOf", "anyOf", "oneOf")


def as_object(schema: Schema, report: Report) -> Schema:
    """`schema` as an object schema with `type` and `properties` and without combinators."""
    flat = _flattened(schema, (), report)
    if "type" not in flat:
        report.add("added", (), translatable("'type: object' is added: every provider wants it."))
    elif flat["type"] != "object":
        report.add(
            "added", ("type",), translatable("The type became 'object': arguments are always one.")
        )
    if "properties" not in flat:
        report.add("added", (), translatable("An empty 'properties' is added: OpenAI wants it."))
    rest = {key: value for key, value in flat.items() if key not in {"type", "properties"}}
    return {"type": "object", "properties": flat.get("properties", {}), **rest}


def _flattened(schema: Schema, path: Path, report: Report) -> Schema:
    out = {key: value for key, value in schema.items() if key not in _COMBINATORS}
    for keyword in _UNSAYABLE:
        if out.pop(keyword, None) is not None:
            words = translatable(
                "{keyword!r} at the top is left out: providers refuse it there.", keyword=keyword
            )
            report.add("loosened", (*path, keyword), words)
    # Branches declare what the outer schema only speaks of, so they come first for the words.
    for place, branch in enumerate(cast("list[Schema]", schema.get("allOf", []))):
        inner = _flattened(branch, (*path, "allOf", place), report)
        out = conjoin(out, inner, (*path, "allOf", place), report)
        report.add(
            "moved", (*path, "allOf"), translatable("The parts of 'allOf' at the top are made one.")
        )
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            out = _with_alternatives(out, schema[keyword], (*path, keyword), report)
    return out


def _with_alternatives(out: Schema, branches: list[Schema], path: Path, report: Report) -> Schema:
    flat = [
        _flattened(branch, (*path, place), report)
        for place, branch in enumerate(branches)
        if "type" not in branch or has_type(branch, "object")
    ]
    report.add("loosened", path, translatable("The alternatives at the top are made one object."))
    joined = conjoin(out, disjoin(flat, out.get("properties", {}).keys()), path, report)
    if words := in_words(flat):
        before = cast("str", joined.get("description", ""))
        joined["description"] = f"{before} {words}".strip()
        report.add("moved", path, translatable("Said in the description: {words}", words=words))
    return joined
