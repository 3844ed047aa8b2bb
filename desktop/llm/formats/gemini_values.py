"""Says `const` and `enum` as Gemini takes them: an enum has texts or numbers, no "" and no null.

Source: google-genai 3.4, `response_json_schema`: "enum (for strings and numbers)"; the server's
"enum: cannot be empty" messages. Exact where it can be, else looser with a note.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from desktop.llm.formats.conjunction import conjoin
from desktop.llm.formats.keywords import is_of_type, types_of
from desktop.llm.formats.wording import described
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report


def with_values(node: Schema, path: Path, report: Report) -> Schema:
    """`node` with its `const` or `enum` as Gemini takes it."""
    if "const" not in node and "enum" not in node:
        return node
    given = cast("list[Any]", [node["const"]] if "const" in node else node["enum"])
    kinds = types_of(node)
    possible = [value for value in given if any(is_of_type(value, kind) for kind in kinds)]
    if "const" not in node and _is_plain(node, possible) and len(possible) == len(given):
        return node
    out = {key: value for key, value in node.items() if key not in {"const", "enum", "type"}}
    if not possible:
        report.add(
            "loosened", path, translatable("No value was possible here: the rule is left out.")
        )
        return out | ({"type": node["type"]} if "type" in node else {})
    parts, is_exact = _parts(possible)
    if len(parts) > 1 and "anyOf" in out:
        parts, is_exact = [{"type": node["type"]} if "type" in node else {}], False
    if not is_exact:
        described(out, f"one of {json.dumps(possible, ensure_ascii=False)}")
    words = translatable("The values are said in the way that Gemini takes them.")
    report.add("moved" if is_exact else "loosened", path, words)
    return conjoin(out, parts[0], path, report) if len(parts) == 1 else {**out, "anyOf": parts}


def _is_plain(node: Schema, values: list[Any]) -> bool:
    kind = node.get("type")
    if kind == "string":
        return all(value != "" for value in values)
    return kind == "number" or kind == "integer"


def _parts(values: list[Any]) -> tuple[list[Schema], bool]:
    """One schema for each type among the values, and whether they say exactly the same."""
    texts = [value for value in values if isinstance(value, str) and value]
    numbers = [x for x in values if isinstance(x, int | float) and not isinstance(x, bool)]
    flags = {value for value in values if isinstance(value, bool)}
    parts: list[Schema] = []
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
