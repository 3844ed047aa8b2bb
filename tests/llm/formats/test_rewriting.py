"""One rule applied to every schema inside."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.report import Path, Report
from desktop.llm.formats.rewriting import rewritten


def marked(schema: dict[str, Any], path: Path, report: Report) -> dict[str, Any]:
    return {**schema, "mark": len(path)}


def unchanged(schema: dict[str, Any], path: Path, report: Report) -> dict[str, Any]:
    return schema


def test_the_rule_reaches_every_schema_and_the_given_one_stays() -> None:
    given: Any = {"properties": {"a": {"items": {}}}}
    assert rewritten(given, marked, Report()) == {
        "properties": {"a": {"items": {"mark": 3}, "mark": 2}},
        "mark": 0,
    }
    assert given == {"properties": {"a": {"items": {}}}}


def test_below_the_deepest_level_anything_goes() -> None:
    report = Report()
    given = {"items": {"items": {"items": {"type": "string"}}}}
    out = rewritten(given, unchanged, report, deepest=1)
    assert out == {"items": {"items": {}}}
    assert report.loosened == 1
