"""Schemas for hypothesis: sound ones in few names and values, so that rules meet, and any JSON."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("a", "b", "a b", "名")
JSON_TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")

scalars = st.sampled_from((None, True, False, 0, 1, 2, 1.5, "", "a", "b", "Ü"))
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=6,
)
arguments = st.dictionaries(st.sampled_from((*NAMES, "c")), values, max_size=4)


def sound_schemas() -> st.SearchStrategy[Any]:
    """Schemas that are valid draft 2020-12; references lead to `$defs` A, B or the root."""
    return st.builds(_whole, _object(2), _node(1), _node(1))


def _whole(root: dict[str, Any], a: Any, b: Any) -> dict[str, Any]:
    return {**root, "$defs": {"A": a, "B": b}}


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {**one, **other}


_REFERENCES = ({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B", "type": "object"}, {"$ref": "#"})


@cache
def _node(depth: int) -> st.SearchStrategy[Any]:
    """A schema for the same value, of at most `depth` further levels: no circle starts here."""
    leaf = st.booleans() | _scalar()
    return leaf | _object(depth - 1) | _array(depth - 1) if depth > 0 else leaf


@cache
def _part(depth: int) -> st.SearchStrategy[Any]:
    """A schema for a part of the value."""
    return _node(depth) | st.sampled_from(_REFERENCES)


def _names() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(NAMES), unique=True, max_size=2)


def _named(
    depth: int, part: Callable[[int], st.SearchStrategy[Any]] = _part
) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(NAMES), part(depth), max_size=3)


def _some(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A few of these keywords."""
    chosen = st.lists(st.sampled_from(sorted(keywords)), unique=True, max_size=3)
    return chosen.flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


def _object(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    branches = st.lists(_node(depth), min_size=1, max_size=3)
    return st.builds(
        _both,
        _some(properties=_named(depth), required=_names(), additionalProperties=_part(depth)),
        _some(
            anyOf=branches,
            oneOf=branches,
            allOf=branches,
            properties=_named(depth),
            required=_names(),
            patternProperties=st.dictionaries(
                st.sampled_from(("a", "^b", "x|")), _part(depth), max_size=2
            ),
            dependentRequired=st.dictionaries(st.sampled_from(NAMES), _names(), max_size=1),
            dependentSchemas=_named(depth, _node),
            minProperties=st.integers(0, 1),
            maxProperties=st.integers(1, 4),
            propertyNames=_node(depth),
            type=_types(),
            enum=st.lists(values, min_size=1, max_size=3),
            const=values,
            **{"not": _node(depth), "if": _node(depth), "then": _node(depth), "else": _node(depth)},
        ),
    )


def _types() -> st.SearchStrategy[Any]:
    return st.sampled_from(JSON_TYPES) | st.lists(
        st.sampled_from(JSON_TYPES), min_size=1, unique=True
    )


def _scalar() -> st.SearchStrategy[dict[str, Any]]:
    bound = st.sampled_from((0, 1, 1.5, 2))
    return _some(
        type=_types(),
        enum=st.lists(values, min_size=1, max_size=4),
        const=values,
        minimum=bound,
        maximum=bound,
        exclusiveMinimum=bound,
        exclusiveMaximum=bound,
        minLength=st.integers(0, 1),
        pattern=st.sampled_from(("a", "^b$", "x|")),
        format=st.just("uri"),
        multipleOf=st.sampled_from((1, 2, 0.5)),
    )


def _array(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    return _some(
        type=st.sampled_from(("array", ["array", "null"])),
        items=_part(depth),
        contains=_part(depth),
        prefixItems=st.lists(_part(depth), min_size=1, max_size=2),
        minItems=st.integers(0, 1),
        maxItems=st.integers(1, 3),
        uniqueItems=st.booleans(),
        maxContains=st.integers(0, 1),
    )


junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                (
                    "type",
                    "properties",
                    "items",
                    "required",
                    "$ref",
                    "$defs",
                    "enum",
                    "const",
                    "anyOf",
                    "allOf",
                    "oneOf",
                    "not",
                    "if",
                    "then",
                    "additionalProperties",
                    "pattern",
                    "patternProperties",
                    "$id",
                    "prefixItems",
                    "minimum",
                    "exclusiveMinimum",
                    "maxItems",
                    "format",
                    "description",
                    "definitions",
                    "dependentRequired",
                    "default",
                    "propertyNames",
                    "contains",
                    "dependentSchemas",
                    "examples",
                    "nullable",
                )
            )
            | st.text(max_size=4),
            inner
            | st.sampled_from(
                ("object", "array", "#", "#/$defs/a", "#/properties", ["object", "null"])
            ),
            max_size=5,
        )
    ),
    max_leaves=25,
)
"""Any JSON, leaning towards what could pass for a schema."""
