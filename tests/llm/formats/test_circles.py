"""References that never come to an end."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.circles import without_circles
from desktop.llm.formats.report import Report


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def test_a_circle_on_the_same_value_is_cut_once() -> None:
    report = Report()
    definitions = {"A": {"anyOf": [ref("B"), {"type": "string"}]}, "B": {"allOf": [ref("A")]}}
    out = without_circles(definitions, report)
    assert out == {"A": definitions["A"], "B": {"allOf": [{}]}}
    assert report.loosened == 1


def test_a_tree_of_parts_is_no_circle() -> None:
    report = Report()
    definitions = {"Node": {"properties": {"next": ref("Node")}, "items": ref("Node")}}
    assert without_circles(definitions, report) == definitions
    assert report.loosened == 0


def test_ten_thousand_definitions_in_a_row_need_no_recursion() -> None:
    chain = {f"D{i}": ref(f"D{i + 1}") for i in range(10_000)} | {"D10000": ref("D0")}
    out = without_circles(chain, Report())
    assert out["D10000"] == {}
    assert out["D9999"] == ref("D10000")
