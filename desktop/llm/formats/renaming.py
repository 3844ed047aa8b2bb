"""Gives parameters names that Anthropic takes, and gives the arguments their own names back.

A name depends on the schema alone, so that it is the same in every request. Only the top level
needs it. Never makes a schema stricter.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.wording import described
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Report

LEGAL: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_NAMING: Final = (
    "if", "then", "else", "dependentSchemas", "dependentRequired", "propertyNames",
    "patternProperties",
)  # fmt: skip
"""Rules at the top that speak of properties by their old names."""


def with_legal_names(schema: Schema, report: Report) -> tuple[Schema, dict[str, str]]:
    """The schema with legal names at the top, and the original name of each new one."""
    properties = cast("Schema", schema["properties"])
    originals: dict[str, str] = {}
    for name in properties:
        if not LEGAL.fullmatch(name):
            originals[_legal(name, properties.keys() | originals.keys())] = name
    if not originals:
        return schema, {}
    wire = {original: name for name, original in originals.items()}
    out = _without_naming(schema, report)
    out["properties"] = {
        wire.get(name, name): _explained(each, name) if name in wire else each
        for name, each in properties.items()
    }
    if "required" in out:
        out["required"] = [wire.get(name, name) for name in out["required"]]
    for name, original in originals.items():
        words = translatable(
            "The parameter is called {name!r}: Anthropic refuses its own name.", name=name
        )
        report.add("renamed", ("properties", original), words)
    return out, originals


def with_original_names(arguments: Mapping[str, Any], originals: Mapping[str, str]) -> Schema:
    """The arguments under the names that the server knows."""
    return {originals.get(name, name): value for name, value in arguments.items()}


def _legal(name: str, taken: set[str]) -> str:
    slug = re.sub(r"[^a-zA-Z0-9_.-]+", "_", name)[:50].strip("_")
    if slug and slug not in taken:
        return slug
    for length in range(6, 65):
        digest = hashlib.sha256(name.encode()).hexdigest()[:length]
        candidate = f"{slug or 'parameter'}_{digest}"[-64:]
        if candidate not in taken:
            return candidate
    raise ValueError(f"no free name for {name!r}")


def _explained(schema: Schema, name: str) -> Schema:
    out = dict(schema)
    described(out, f"originally named {name}")
    return out


def _without_naming(schema: Schema, report: Report) -> Schema:
    out = dict(schema)
    for keyword in _NAMING:
        if out.pop(keyword, None) is not None:
            words = translatable(
                "{keyword!r} is left out, as parameters had to be renamed.", keyword=keyword
            )
            report.add("loosened", (keyword,), words)
            if keyword == "patternProperties":
                out.pop("additionalProperties", None)
    return out
