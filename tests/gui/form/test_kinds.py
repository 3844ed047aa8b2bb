from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.kinds import kind_of

CASES: list[tuple[Any, str]] = [
    ({"type": "string"}, "string"),
    ({"minimum": 1}, "number"),
    ({"enum": [1], "type": "string"}, "enum"),
    ({"const": None, "enum": [None]}, "const"),
    ({"type": "null"}, "const"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "object"),
    ({"type": "object", "required": ["a"]}, "object"),
    ({"type": "object"}, "json"),
    ({"type": "array", "items": {}}, "json"),
    ({"type": "array", "items": [True]}, "array"),
    ({"prefixItems": [{}]}, "array"),
    ({"allOf": [{"if": {}, "then": {}}], "type": "object"}, "object"),
    ({"$dynamicRef": "#x"}, "json"),
    ({"type": {"x": 1}}, "json"),
]


@pytest.mark.parametrize(
    ("schema", "kind"),
    CASES,
)
def test_each_plain_schema_has_a_kind(schema: Any, kind: str) -> None:
    assert kind_of(schema) == kind
