"""Merges schemas: `allOf` into one that both satisfy, `anyOf` into one object. Never stricter.

Needed where a provider accepts no combinators: at the top level, and beside a `$ref` that was
replaced by its target. Source: JSON Schema 2020-12, section 10.2.1.1; the idea of merging
alternatives is litellm's, its rules for open objects are not.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import translatable
from desktop.features.models.formats.schema_keywords import ANNOTATIONS
from desktop.values.json_schema import same_json, types_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.features.models.formats.declaration import Report
    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.values.tool_types import JsonPath

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
"""Keywords with a meaning only together: those of one of the two schemas are kept."""
_ARRAY: Final = frozenset({"items", "prefixItems"})
_OBJECT: Final = frozenset({"properties", "patternProperties", "additionalProperties"})
_MAX_ENUM: Final = 2_000
"""Values of one enum that are compared with each of the other."""


def merge_all_of(
    first: JsonSchema, second: JsonSchema, path: JsonPath, report: Report
) -> JsonSchema:
    """A schema for the values that are valid in both; titles and defaults are those of `first`."""
    out, second = dict(first), dict(second)
    _drop_split_groups(out, second, path, report)
    _merge_arrays(out, second, path, report)
    _merge_objects(out, second, path, report)
    for keyword, value in second.items():
        if keyword not in out:
            out[keyword] = value
        elif keyword not in ANNOTATIONS and not _equal(keyword, out[keyword], value):
            _merge(out, keyword, value, path, report)
    return out


def _merge(out: JsonSchema, keyword: str, value: Any, path: JsonPath, report: Report) -> None:
    held = out[keyword]
    merged: Any = None
    if keyword in _LOWER:
        merged = max(held, value)
    elif keyword in _UPPER:
        merged = min(held, value)
    elif keyword == "type":
        merged = _common_types(out, {"type": value})
    elif keyword == "enum":
        others = value[:_MAX_ENUM]
        merged = [kept for kept in held if any(same_json(kept, other) for other in others)]
    elif keyword in {"required", "allOf"}:
        merged = held + [each for each in value if keyword == "allOf" or each not in held]
    elif keyword == "uniqueItems":
        merged = True
    if merged is None or merged == []:
        report.add(
            "loosened",
            (*path, keyword),
            translatable("Two {keyword!r} rules conflict; the first was kept.", keyword=keyword),
        )
    else:
        out[keyword] = merged


def _equal(keyword: str, first: Any, other: Any) -> bool:
    # Python takes 1 for True, also deep inside; values that people wrote have to be the same JSON.
    return same_json(first, other) if keyword in {"const", "enum"} else bool(first == other)


def _common_types(first: JsonSchema, second: JsonSchema) -> Any:
    names, others = types_of(first), types_of(second)
    common = [name for name in names if name in others or _is_in_number(name, others)]
    if "number" in names and "integer" in others and "integer" not in common:
        common.append("integer")
    return common[0] if len(common) == 1 else common


def _is_in_number(name: str, names: tuple[str, ...]) -> bool:
    return name == "integer" and "number" in names


def _drop_split_groups(out: JsonSchema, second: JsonSchema, path: JsonPath, report: Report) -> None:
    for group in _GROUPS:
        both = group & out.keys() and group & second.keys()
        if both and any(out.get(key) != second.get(key) for key in group):
            for keyword in group & second.keys():
                del second[keyword]
            report.add(
                "loosened", path, translatable("Two conditions conflict; the first was kept.")
            )


def _merge_arrays(out: JsonSchema, second: JsonSchema, path: JsonPath, report: Report) -> None:
    if not (_ARRAY & out.keys() and _ARRAY & second.keys()):
        return
    held = {key: out[key] for key in _ARRAY & out.keys()}
    other = {key: second.pop(key) for key in _ARRAY & second.keys()}
    if held == other:
        return
    if "prefixItems" in held or "prefixItems" in other:
        report.add("loosened", path, translatable("Two item lists conflict; the first was kept."))
        return
    out["items"] = merge_all_of(held["items"], other["items"], (*path, "items"), report)


def _merge_objects(out: JsonSchema, second: JsonSchema, path: JsonPath, report: Report) -> None:
    if not _OBJECT & second.keys():
        return
    if _names_left_out(out, second) or _names_left_out(second, out):
        report.add("loosened", path, translatable("Properties of either part are allowed in both."))
    rules = [each["additionalProperties"] for each in (out, second) if _limits_names(each)]
    for keyword in ("properties", "patternProperties"):
        if held := cast("JsonSchema", second.pop(keyword, {})):
            out[keyword] = _merge_named(out.get(keyword, {}), held, (*path, keyword), report)
    second.pop("additionalProperties", None)
    if not rules:
        return
    out["additionalProperties"] = False if False in rules else rules[0]
    if len(rules) == 2 and rules[0] != rules[1]:
        report.add(
            "loosened",
            path,
            translatable("Two rules for additional properties conflict; one was kept."),
        )


def _limits_names(schema: JsonSchema) -> bool:
    return schema.get("additionalProperties", True) not in (True, {})


def _names_left_out(first: JsonSchema, other: JsonSchema) -> bool:
    """Whether `first` limits names that `other` declares."""
    known = first.get("properties", {})
    declared = other.get("properties", {}), other.get("patternProperties", {})
    return _limits_names(first) and (
        any(name not in known for name in declared[0]) or bool(declared[1])
    )


def _merge_named(held: JsonSchema, other: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    out = dict(held)
    for name, schema in other.items():
        both = name in out and out[name] != schema
        out[name] = merge_all_of(out[name], schema, (*path, name), report) if both else schema
    return out


_PLAIN: Final = frozenset({"type", "const", "enum", "title", "description"})
_MAX_SETS, _MAX_LENGTH = 12, 600


def merge_any_of(branches: Sequence[JsonSchema], declared: Collection[str]) -> JsonSchema:
    """A schema that accepts every object that any of `branches` accepts.

    `declared` are the properties that hold beside the branches, where a branch without an opinion
    changes nothing.
    """
    found: dict[str, list[JsonSchema]] = {}
    in_open: Counter[str] = Counter()
    for branch in branches:
        is_open = not _is_closed(branch)
        for name, schema in cast("JsonSchema", branch.get("properties", {})).items():
            found.setdefault(name, []).append(schema)
            in_open[name] += is_open
    open_ones = sum(not _is_closed(branch) for branch in branches)
    out: JsonSchema = {"properties": {}}
    for name, schemas in found.items():
        # A branch that does not know a property and is open takes anything under its name.
        free = open_ones > in_open[name]
        if not (free and name in declared):
            out["properties"][name] = merge_schemas(schemas + ([{}] if free else []))
    if required := _required_in_all(branches):
        out["required"] = required
    if branches and not open_ones:
        out["additionalProperties"] = False
    return out


def merge_schemas(schemas: Sequence[JsonSchema]) -> JsonSchema:
    """Any of several schemas in the simplest form: the only one, one enum, or `anyOf`."""
    different = list({_dump(schema): schema for schema in schemas}.values())
    if len(different) == 1:
        return different[0]
    if all(each.keys() <= _PLAIN and ("const" in each or "enum" in each) for each in different):
        return _merge_enums(different)
    return {"anyOf": different}


def describe_alternatives(branches: Sequence[JsonSchema]) -> str:
    """A sentence for the model about the sets of parameters to choose from, or ""."""
    sets = [_describe_set(branch) for branch in branches[:_MAX_SETS]]
    if len(branches) < 2 or not all(sets) or len(set(sets)) < 2:
        return ""
    more = " or others" if len(branches) > _MAX_SETS else ""
    text = f"Give the parameters of one of these sets: {' or '.join(sets)}{more}."
    return text if len(text) <= _MAX_LENGTH else ""


def _describe_set(branch: JsonSchema) -> str:
    properties = cast("JsonSchema", branch.get("properties", {}))
    shown: list[str] = []
    for name in cast("list[str]", branch.get("required", [])):
        schema = cast("JsonSchema", properties.get(name, {}))
        shown.append(f"{name}={_dump(schema['const'])}" if "const" in schema else name)
    return f"({', '.join(shown)})" if shown else ""


def _is_closed(branch: JsonSchema) -> bool:
    return branch.get("additionalProperties") is False and not branch.get("patternProperties")


def _required_in_all(branches: Sequence[JsonSchema]) -> list[str]:
    counted = Counter(name for branch in branches for name in set(branch.get("required", ())))
    first = cast("list[str]", branches[0].get("required", [])) if branches else []
    return [name for name in dict.fromkeys(first) if counted[name] == len(branches)]


def _merge_enums(schemas: Sequence[JsonSchema]) -> JsonSchema:
    values: dict[str, Any] = {}
    for schema in schemas:
        here = [schema["const"]] if "const" in schema else cast("list[Any]", schema["enum"])
        values.update({_dump(value): value for value in here})
    out: JsonSchema = {"enum": list(values.values())}
    kinds = {_dump(schema.get("type")) for schema in schemas}
    if len(kinds) == 1 and "type" in schemas[0]:
        out = {"type": schemas[0]["type"], **out}
    description = next((each["description"] for each in schemas if "description" in each), "")
    return {**out, "description": description} if description else out


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
