from __future__ import annotations

from typing import Any

from desktop.tools.undeclared import find_undeclared


def test_unknown_names_are_found_in_objects_and_lists() -> None:
    schema: Any = {"properties": {"rows": {"items": {"properties": {"id": {}}}}}}
    found = list(find_undeclared(schema, {"rows": [{"id": 1}, {"ix": 1}], "extra": 2}))
    assert [issue.where for issue in found] == ["rows[1].ix", "extra"]
    assert {issue.severity for issue in found} == {"warning"}


def test_nothing_is_said_where_the_schema_is_open_or_not_plain() -> None:
    closed: list[Any] = [{"additionalProperties": {}}, {"allOf": []}, {"patternProperties": {}}]
    for extra in closed:
        assert not list(find_undeclared({"properties": {}, **extra}, {"a": 1}))
