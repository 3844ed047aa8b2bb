"""A schema is made ready once, whoever asks, and from wherever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from desktop.tools.compiled import LARGEST_CHECKED, compiled
from desktop.tools.validation import validate


def test_the_same_and_equal_schemas_share_one() -> None:
    schema: dict[str, Any] = {"type": "object", "title": "shared"}
    assert compiled(schema) is compiled(schema)
    assert compiled(dict(schema)) is compiled(schema)


def test_what_is_odd_about_a_schema_is_found_unless_it_is_very_long() -> None:
    odd = {"properties": {"a": {"type": "strin"}}}
    assert "not valid at properties.a.type" in compiled(odd).oddity
    assert compiled(odd | {"description": "x" * LARGEST_CHECKED}).oddity == ""


def test_a_schema_that_uses_what_is_deprecated_or_foreign_is_not_odd() -> None:
    schema = {"definitions": {"a": {"pattern": r"\p{L}"}}, "$id": "not a uri", "format": "date"}
    assert compiled(schema).oddity == ""


def test_threads_may_check_side_by_side() -> None:
    schemas: list[Any] = [{"maximum": n % 300} for n in range(2_000)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(validate, schemas, [1_000] * len(schemas)))
    assert {len(issues) for issues in found} == {1}
