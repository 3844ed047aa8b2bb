"""Makes one schema of two that must both hold. May be looser than both, is never stricter.

Needed where a provider takes no `allOf`: at the top level, and next to a reference that was
replaced by its target. Source: JSON Schema 2020-12, section 10.2.1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.keywords import ANNOTATIONS, types_of
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report

_LOWER: Final = frozenset(
    {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
)
_UPPER: Final = frozenset(
    {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
)
_GROUPS: Final = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
)
"""Keywords that mean something only together: those of one of the two are kept."""
_ARRAY: Final = frozenset({"items", "prefixItems"})
_OBJECT: Final = frozenset({"properties", "patternProperties", "additionalProperties"})


def conjoin(first: Schema, second: Schema, path: Path, report: Report) -> Schema:
    """A schema for the values that fit both; descriptions and defaults are those of `first`."""
    out, second = dict(first), dict(second)
    _drop_groups(out, second, path, report)
    _arrays(out, second, path, report)
    _objects(out, second, path, report)
    for keyword, value in second.items():
        if keyword not in out:
            out[keyword] = value
        elif keyword not in ANNOTATIONS and not _equal(keyword, out[keyword], value):
            _merge(out, keyword, value, path, report)
    return out


def _merge(out: Schema, keyword: str, value: Any, path: Path, report: Report) -> None:
    held = out[keyword]
    merged: Any = None
    if keyword in _LOWER:
        merged = max(held, value)
    elif keyword in _UPPER:
        merged = min(held, value)
    elif keyword == "type":
        merged = _common_types(out, {"type": value})
    elif keyword == "enum":
        merged = [one for one in held if any(_same(one, other) for other in value[:_MOST])]
    elif keyword in {"required", "allOf"}:
        merged = held + [each for each in value if keyword == "allOf" or each not in held]
    elif keyword == "uniqueItems":
        merged = True
    if merged is None or merged == []:
        report.add(
            "loosened",
            (*path, keyword),
            translatable("Of two rules {keyword!r} the first is kept.", keyword=keyword),
        )
    else:
        out[keyword] = merged


_MOST: Final = 2_000
"""Values of an enum that are compared with each of another; beyond, the first is kept."""


def _equal(keyword: str, one: Any, other: Any) -> bool:
    # Python takes 1 for True, also deep inside.
    return one == other and (keyword not in {"const", "enum"} or repr(one) == repr(other))


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _common_types(first: Schema, second: Schema) -> Any:
    one, other = types_of(first), types_of(second)
    common = [name for name in one if name in other or (name == "integer" and "number" in other)]
    if "number" in one and "integer" in other and "integer" not in common:
        common.append("integer")
    return common[0] if len(common) == 1 else common


def _drop_groups(out: Schema, second: Schema, path: Path, report: Report) -> None:
    for group in _GROUPS:
        both = group & out.keys() and group & second.keys()
        if both and any(out.get(key) != second.get(key) for key in group):
            for keyword in group & second.keys():
                del second[keyword]
            report.add("loosened", path, translatable("Of two conditions the first is kept."))


def _arrays(out: Schema, second: Schema, path: Path, report: Report) -> None:
    if not (_ARRAY & out.keys() and _ARRAY & second.keys()):
        return
    held = {key: out[key] for key in _ARRAY & out.keys()}
    other = {key: second.pop(key) for key in _ARRAY & second.keys()}
    if held == other:
        return
    if "prefixItems" in held or "prefixItems" in other:
        report.add("loosened", path, translatable("Of two lists of items the first is kept."))
        return
    out["items"] = conjoin(held["items"], other["items"], (*path, "items"), report)


def _objects(out: Schema, second: Schema, path: Path, report: Report) -> None:
    if not _OBJECT & second.keys():
        return
    if _names_left_out(out, second) or _names_left_out(second, out):
        report.add("loosened", path, translatable("Properties of one part are allowed in both."))
    rules = [each["additionalProperties"] for each in (out, second) if _limits(each)]
    for keyword in ("properties", "patternProperties"):
        if held := cast("Schema", second.pop(keyword, {})):
            out[keyword] = _named(out.get(keyword, {}), held, (*path, keyword), report)
    second.pop("additionalProperties", None)
    if not rules:
        return
    out["additionalProperties"] = False if False in rules else rules[0]
    if len(rules) == 2 and rules[0] != rules[1]:
        report.add(
            "loosened", path, translatable("Of two rules for further properties one is kept.")
        )


def _limits(schema: Schema) -> bool:
    return schema.get("additionalProperties", True) not in (True, {})


def _names_left_out(one: Schema, other: Schema) -> bool:
    """Whether `one` limits names that `other` declares."""
    known = one.get("properties", {})
    declared = other.get("properties", {}), other.get("patternProperties", {})
    return _limits(one) and (any(name not in known for name in declared[0]) or bool(declared[1]))


def _named(held: Schema, other: Schema, path: Path, report: Report) -> Schema:
    out = dict(held)
    for name, schema in other.items():
        both = name in out and out[name] != schema
        out[name] = conjoin(out[name], schema, (*path, name), report) if both else schema
    return out
