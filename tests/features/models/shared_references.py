"""Schemas that mean one part in many places."""

from __future__ import annotations

from typing import Any

PERSON = {
    "type": "object",
    "properties": {
        name: {"type": "string", "description": f"The {name} of the person, as it was registered."}
        for name in ("name", "mail", "street", "city", "country")
    },
    "required": ["name"],
}


def many(reference: str, **beside: Any) -> dict[str, Any]:
    """A schema whose parameters all refer to one place."""
    names = ("author", "editor", "owner", "sponsor")
    return {"type": "object", "properties": {each: {"$ref": reference} for each in names}} | beside


SHARED: dict[str, dict[str, Any]] = {
    "$defs": many("#/$defs/Person", **{"$defs": {"Person": PERSON}}),
    "definitions": many("#/definitions/Person", definitions={"Person": PERSON}),
    "a property": many("#/properties/first")
    | {"properties": {"first": PERSON, **many("#/properties/first")["properties"]}},
    "definitions that share": many(
        "#/$defs/Group",
        **{
            "$defs": {
                "Group": {
                    "type": "object",
                    "properties": {name: {"$ref": "#/$defs/Person"} for name in "abc"},
                },
                "Person": PERSON,
            }
        },
    ),
    "one that refers to itself": many(
        "#/$defs/Node",
        **{
            "$defs": {
                "Node": {
                    "type": "object",
                    "properties": {
                        "person": PERSON,
                        "further": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                    },
                }
            }
        },
    ),
    "in a union": {
        "type": "object",
        "properties": {
            name: {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}], "description": name}
            for name in ("author", "editor", "owner")
        },
        "$defs": {"Person": PERSON},
    },
}
VALUES: list[dict[str, Any]] = [
    {},
    *(
        {name: value}
        for name in ("author", "owner", "first")
        for value in (
            {"name": "Ada"}, {"mail": "a@b"}, {"name": 1}, None, "x",
            {"a": {"name": "Ada"}}, {"b": {"mail": 3}}, {"further": [{"person": {"name": "x"}}]},
            {"further": [{"person": {"name": 7}}]},
        )
    ),
]  # fmt: skip
