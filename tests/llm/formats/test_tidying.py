"""How the keywords of one schema fit together."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.keywords import NEVER
from desktop.llm.formats.report import Report
from desktop.llm.formats.tidying import tidied

WHAT_DOES_NOT_FIT_TOGETH: list[tuple[Any, Any]] = [
    ({"type": "array"}, {"type": "array", "items": {}}),
    ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}),
    ({"items": NEVER}, {"items": {}, "maxItems": 0}),
    (
        {"items": NEVER, "prefixItems": [{}], "maxItems": 5},
        {"items": {}, "prefixItems": [{}], "maxItems": 1},
    ),
    ({"anyOf": [NEVER, {"type": "null"}]}, {"anyOf": [{"type": "null"}]}),
    ({"oneOf": [NEVER]}, {}),
    ({"properties": {"a": NEVER, "b": {}}}, {"properties": {"b": {}}}),
    ({"required": ["a"]}, {"required": ["a"], "properties": {"a": {}}}),
    (
        {"required": ["a", "b"], "properties": {"a": {}}, "additionalProperties": False},
        {"required": ["a"], "properties": {"a": {}}, "additionalProperties": False},
    ),
    ({"propertyNames": {"type": "string"}}, {}),
]


@pytest.mark.parametrize(("given", "settled"), WHAT_DOES_NOT_FIT_TOGETH)
def test_what_does_not_fit_together_is_settled(given: Any, settled: Any) -> None:
    assert tidied(given, (), Report()) == settled
