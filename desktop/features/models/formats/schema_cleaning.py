"""Removes from a schema what is malformed, contradictory or refers to itself without end.

Never makes a schema stricter. Knows no provider. Sources: JSON Schema 2020-12 validation, and core
section 9.4.1 ("infinite recursive nesting").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import join_list, translatable
from desktop.features.models.formats.schema_keywords import (
    ANNOTATIONS,
    BOOKKEEPING,
    COUNT_KEYWORDS,
    DEFINITIONS,
    KEYWORD_SHAPES,
    NEVER_SCHEMA,
    SAME_VALUE_KEYWORDS,
    SCHEMA_KEYWORDS,
    SCHEMA_LIST_KEYWORDS,
    SCHEMA_MAP_KEYWORDS,
    TEXT_KEYWORDS,
    UNSUPPORTED,
    has_type,
    is_python_pattern,
    map_children,
)
from desktop.features.models.json_values import (
    NotSerializableError,
    copy_json,
    is_encodable,
    plain_text,
)
from desktop.values.json_schema import JSON_TYPES, modern_keywords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.models.formats.declaration import Report
    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.values.tool_types import JsonPath


def sanitize_schema(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """`node` without malformed and useless keywords; its subschemas are not looked at."""
    out: JsonSchema = {}
    for keyword, value in _modernize(node, path, report).items():
        if keyword in DEFINITIONS:
            continue
        if keyword in BOOKKEEPING:
            report.add(
                "dropped",
                (*path, keyword),
                translatable(
                    "{keyword!r} was removed: it means nothing to a model.", keyword=keyword
                ),
            )
        elif keyword in UNSUPPORTED:
            report.add(
                "loosened",
                (*path, keyword),
                translatable("The rule {keyword!r} was not kept.", keyword=keyword),
            )
        else:
            _keep_keyword(out, keyword, value, (*path, keyword), report)
    _open_after_loss(out, node, path, report)
    return out


def _open_after_loss(out: JsonSchema, node: JsonSchema, path: JsonPath, report: Report) -> None:
    """A closed object that lost a property has to be opened, or it would refuse that property."""
    lost = any(
        len(out.get(keyword, ())) < len(cast("JsonSchema", node[keyword]))
        if isinstance(node[keyword], dict)
        else node[keyword] is not None
        for keyword in ("properties", "patternProperties")
        if keyword in node
    )
    if lost and out.pop("additionalProperties", True) is not True:
        words = translatable("Additional properties are allowed because not all could be declared.")
        report.add("loosened", (*path, "additionalProperties"), words)


def _keep_keyword(
    out: JsonSchema, keyword: str, value: Any, path: JsonPath, report: Report
) -> None:
    if not is_encodable(keyword):
        report.add(
            "dropped", path[:-1], translatable("A keyword that cannot be encoded was removed.")
        )
    elif keyword in KEYWORD_SHAPES and not KEYWORD_SHAPES[keyword](value):
        kind = "dropped" if keyword in ANNOTATIONS else "loosened"
        report.add(
            kind,
            path,
            translatable("{keyword!r} is malformed and was removed.", keyword=keyword),
        )
    elif keyword in SCHEMA_MAP_KEYWORDS:
        out[keyword] = _keep_encodable(value, path, report)
    elif keyword in SCHEMA_KEYWORDS or keyword in SCHEMA_LIST_KEYWORDS:
        out[keyword] = value
    elif keyword in TEXT_KEYWORDS:
        out[keyword] = plain_text(value)
        if out[keyword] != value:
            report.add(
                "dropped", path, translatable("Characters that cannot be sent were removed.")
            )
    else:
        _keep_value(out, keyword, value, path, report)


def _keep_value(out: JsonSchema, keyword: str, value: Any, path: JsonPath, report: Report) -> None:
    try:
        carried = copy_json(value)
    except NotSerializableError as error:
        kind = "loosened" if keyword in KEYWORD_SHAPES or keyword == "const" else "dropped"
        report.add(
            kind,
            path,
            translatable("{keyword!r} was removed: {why}.", keyword=keyword, why=error.args[0]),
        )
        return
    if keyword in COUNT_KEYWORDS:
        carried = int(carried)
    elif keyword == "required" or (keyword == "type" and isinstance(carried, list)):
        carried = list(dict.fromkeys(cast("list[str]", carried)))
    elif keyword == "dependentRequired":
        named = cast("dict[str, list[str]]", carried)
        carried = {name: list(dict.fromkeys(names)) for name, names in named.items()}
    out[keyword] = carried


def _keep_encodable(named: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """The entries whose name can be encoded and, for `patternProperties`, compiled."""
    out = {name: schema for name, schema in named.items() if is_encodable(name)}
    if path[-1] == "patternProperties":
        out = {name: schema for name, schema in out.items() if is_python_pattern(name)}
    if len(out) < len(named):
        report.add("loosened", path, translatable("Names that no provider accepts were removed."))
    return out


def _modernize(node: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """`node` with keywords of older drafts as draft 2020-12 writes them, or looser."""
    out = modern_keywords(node)
    if "prefixItems" in out and "prefixItems" not in node:
        report.add(
            "moved", (*path, "items"), translatable("The item list was replaced by 'prefixItems'.")
        )
        if not out["prefixItems"]:
            del out["prefixItems"]
    for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(out.get(keyword), bool):
            del out[keyword]  # a bound that is not there
        elif node.get(keyword) is True:
            words = translatable("{keyword!r} is the bound itself now.", keyword=keyword)
            report.add("moved", (*path, keyword), words)
    if isinstance(out.get("type"), list):
        _drop_unknown_types(out, path, report)
    if isinstance(out.get("required"), bool):
        del out["required"]  # draft 3 and OpenAPI say it of the property itself
        report.add("loosened", (*path, "required"), translatable("'required' is malformed."))
    return out


def _drop_unknown_types(out: JsonSchema, path: JsonPath, report: Report) -> None:
    given = cast("list[Any]", out["type"])
    known = [name for name in given if isinstance(name, str) and name in JSON_TYPES]
    if len(known) < len(given):
        # One name that is not known could have meant any value at all.
        del out["type"]
        report.add(
            "loosened",
            (*path, "type"),
            translatable("A type is not part of JSON Schema: any type is accepted."),
        )


def clean_up_schema(schema: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    """Make the keywords of one schema consistent, as providers insist on; changes `schema`.

    `array` has `items`, `required` names declared properties, what is impossible is not offered.
    The subschemas are cleaned up already.
    """
    _drop_impossible(schema, path, report)
    _settle_items(schema, path, report)
    if schema.get("propertyNames") in ({}, {"type": "string"}):
        del schema["propertyNames"]  # zod writes it for every record
        report.add("dropped", (*path, "propertyNames"), translatable("Names are always strings."))
    if "required" in schema:
        _settle_required(schema, path, report)
    return schema


def _drop_impossible(schema: JsonSchema, path: JsonPath, report: Report) -> None:
    properties = cast("JsonSchema", schema.get("properties", {}))
    if forbidden := [name for name, each in properties.items() if each == NEVER_SCHEMA]:
        schema["properties"] = {n: each for n, each in properties.items() if n not in forbidden}
        report.add(
            "loosened",
            (*path, "properties"),
            translatable("Properties that are never allowed were removed."),
        )
    for keyword in ("anyOf", "oneOf"):
        branches = cast("list[JsonSchema]", schema.get(keyword, []))
        possible = [branch for branch in branches if branch != NEVER_SCHEMA]
        if branches and not possible:
            del schema[keyword]
            report.add(
                "loosened",
                (*path, keyword),
                translatable("No alternative is possible; the rule was removed."),
            )
        elif len(possible) < len(branches):
            schema[keyword] = possible
            report.add(
                "moved",
                (*path, keyword),
                translatable("Alternatives that no value can match were removed."),
            )


def _settle_items(schema: JsonSchema, path: JsonPath, report: Report) -> None:
    if schema.get("items") == NEVER_SCHEMA:
        most = len(cast("list[JsonSchema]", schema.get("prefixItems", [])))
        schema["items"] = {}
        schema["maxItems"] = min(most, schema.get("maxItems", most))
        report.add(
            "moved", (*path, "items"), translatable("'items: false' was replaced by 'maxItems'.")
        )
    elif "items" not in schema and has_type(schema, "array"):
        schema["items"] = {}
        report.add(
            "added",
            path,
            translatable("'items: {{}}' was added: not every provider takes an array without it."),
        )


def _settle_required(schema: JsonSchema, path: JsonPath, report: Report) -> None:
    """Declare properties that are required only: so they are asked for, and nothing is refused."""
    properties = cast("JsonSchema", schema.get("properties", {}))
    names = cast("list[str]", schema["required"])
    unknown = [name for name in names if name not in properties]
    if not unknown:
        return
    if schema.get("additionalProperties") is False and not schema.get("patternProperties"):
        schema["required"] = [name for name in names if name in properties]
        words = translatable("Required names that are neither declared nor allowed were removed.")
        report.add("loosened", (*path, "required"), words)
        return
    schema["properties"] = properties | {name: {} for name in unknown}
    words = translatable(
        "Required but not declared; declarations were added: {names}.", names=join_list(unknown[:5])
    )
    report.add("added", (*path, "required"), words)


PREFIX: Final = "#/$defs/"


def cut_cycles(definitions: JsonSchema, report: Report) -> JsonSchema:
    """The definitions without references that lead back to the very value they judge.

    `{"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}` is such a cycle; a tree of trees is not.
    """
    edges = {name: list(_same_value_names(schema)) for name, schema in definitions.items()}
    cuts = find_closing_references(edges)
    return {
        name: _cut_references(schema, cuts[name], ("$defs", name), report)
        if name in cuts
        else schema
        for name, schema in definitions.items()
    }


def _same_value_names(schema: JsonSchema) -> Iterator[str]:
    """Names of the definitions that apply to the same value as `schema`."""
    todo: list[JsonSchema] = [schema]
    while todo:
        here = todo.pop()
        if "$ref" in here:
            yield cast("str", here["$ref"]).removeprefix(PREFIX)
        for keyword in SAME_VALUE_KEYWORDS & here.keys():
            if keyword in SCHEMA_LIST_KEYWORDS:
                todo.extend(here[keyword])
            elif keyword in SCHEMA_MAP_KEYWORDS:
                todo.extend(cast("JsonSchema", here[keyword]).values())
            else:
                todo.append(here[keyword])


def find_closing_references(edges: dict[str, list[str]]) -> dict[str, set[str]]:
    """The names that each definition must not refer to; depth first, without recursion."""
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


def _cut_references(
    schema: JsonSchema, names: set[str], path: JsonPath, report: Report
) -> JsonSchema:
    def visit(child: Any, path: JsonPath, keyword: str) -> JsonSchema:
        return (
            _cut_references(child, names, path, report) if keyword in SAME_VALUE_KEYWORDS else child
        )

    out = map_children(schema, path, visit, report)
    if cast("str", out.get("$ref", "")).removeprefix(PREFIX) in names:
        del out["$ref"]
        report.add("loosened", path, translatable("A circular reference was removed."))
    return out
