"""Keeps of one schema the keywords whose values have the shape that draft 2020-12 asks for.

Looks at one level alone, and at no relation between keywords: see `tidying`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from desktop.llm.formats.json_copy import NotCarriedError, copied, is_encodable, plain_text
from desktop.llm.formats.keywords import (
    ANNOTATIONS,
    COUNTS,
    DEFINITIONS,
    LISTS,
    NAMED,
    NOT_CARRIED_ON,
    OF_NO_USE,
    SHAPES,
    SINGLE,
    TEXTS,
    TYPES,
    is_python_pattern,
)
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report


def well_shaped(node: Schema, path: Path, report: Report) -> Schema:
    """`node` without what is malformed or of no use; schemas inside are still those of `node`."""
    out: Schema = {}
    for keyword, value in _modern(node, path, report).items():
        if keyword in DEFINITIONS:
            continue
        if keyword in OF_NO_USE:
            report.add(
                "dropped",
                (*path, keyword),
                translatable("{keyword!r} is of no use to a model.", keyword=keyword),
            )
        elif keyword in NOT_CARRIED_ON:
            report.add(
                "loosened",
                (*path, keyword),
                translatable("The rule {keyword!r} is not carried on.", keyword=keyword),
            )
        else:
            _keep(out, keyword, value, (*path, keyword), report)
    _open_after_loss(out, node, path, report)
    return out


def _open_after_loss(out: Schema, node: Schema, path: Path, report: Report) -> None:
    """A closed object from which a name was lost has to take that name still."""
    lost = any(
        len(out.get(keyword, ())) < len(cast("Schema", node[keyword]))
        if isinstance(node[keyword], dict)
        else node[keyword] is not None
        for keyword in ("properties", "patternProperties")
        if keyword in node
    )
    if lost and out.pop("additionalProperties", True) is not True:
        words = translatable("Further properties are allowed, as not all could be declared.")
        report.add("loosened", (*path, "additionalProperties"), words)


def _keep(out: Schema, keyword: str, value: Any, path: Path, report: Report) -> None:
    if not is_encodable(keyword):
        report.add(
            "dropped", path[:-1], translatable("A keyword that cannot be encoded is left out.")
        )
    elif keyword in SHAPES and not SHAPES[keyword](value):
        kind = "dropped" if keyword in ANNOTATIONS else "loosened"
        report.add(
            kind,
            path,
            translatable("{keyword!r} is malformed here and is left out.", keyword=keyword),
        )
    elif keyword in NAMED:
        out[keyword] = _encodable(value, path, report)
    elif keyword in SINGLE or keyword in LISTS:
        out[keyword] = value
    elif keyword in TEXTS:
        out[keyword] = plain_text(value)
        if out[keyword] != value:
            report.add(
                "dropped", path, translatable("Characters that no request can carry are left out.")
            )
    else:
        _keep_value(out, keyword, value, path, report)


def _keep_value(out: Schema, keyword: str, value: Any, path: Path, report: Report) -> None:
    try:
        carried = copied(value)
    except NotCarriedError as error:
        kind = "loosened" if keyword in SHAPES or keyword == "const" else "dropped"
        report.add(
            kind,
            path,
            translatable("{keyword!r} is left out: {why}.", keyword=keyword, why=error.args[0]),
        )
        return
    if keyword in COUNTS:
        carried = int(carried)
    elif keyword == "required" or (keyword == "type" and isinstance(carried, list)):
        carried = list(dict.fromkeys(cast("list[str]", carried)))
    elif keyword == "dependentRequired":
        named = cast("dict[str, list[str]]", carried)
        carried = {name: list(dict.fromkeys(names)) for name, names in named.items()}
    out[keyword] = carried


def _encodable(named: Schema, path: Path, report: Report) -> Schema:
    """The schemas under names that a request can carry; `patternProperties` must compile, too."""
    out = {name: schema for name, schema in named.items() if is_encodable(name)}
    if path[-1] == "patternProperties":
        out = {name: schema for name, schema in out.items() if is_python_pattern(name)}
    if len(out) < len(named):
        report.add("loosened", path, translatable("Names that no provider takes are left out."))
    return out


def _modern(node: Schema, path: Path, report: Report) -> Schema:
    """`node` with the forms of older drafts as 2020-12 has them, or looser."""
    out = dict(node)
    if isinstance(out.get("items"), list):
        out["prefixItems"] = out.pop("items")
        if "additionalItems" in out:
            out["items"] = out.pop("additionalItems")
        report.add(
            "moved", (*path, "items"), translatable("The list of items is now 'prefixItems'.")
        )
        if not out["prefixItems"]:
            del out["prefixItems"]
    for keyword, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(out.get(keyword), bool) and out.pop(keyword) is True and bound in out:
            words = translatable(
                "The bound itself is allowed: {keyword!r} is no number here.", keyword=keyword
            )
            report.add("loosened", (*path, keyword), words)
    if isinstance(out.get("type"), list):
        _known_types(out, path, report)
    if isinstance(out.get("required"), bool):
        del out["required"]  # draft 3 and OpenAPI say it of the property itself
        report.add("loosened", (*path, "required"), translatable("'required' is malformed here."))
    return out


def _known_types(out: Schema, path: Path, report: Report) -> None:
    given = cast("list[Any]", out["type"])
    known = [name for name in given if isinstance(name, str) and name in TYPES]
    if len(known) < len(given):
        # One name that is not known could have meant any value at all.
        del out["type"]
        report.add(
            "loosened",
            (*path, "type"),
            translatable("A type is not one of JSON Schema: any type goes."),
        )
