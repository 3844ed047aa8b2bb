"""Names of parameters that Anthropic takes."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.renaming import LEGAL, with_legal_names, with_original_names
from desktop.llm.formats.report import Report


def test_illegal_names_are_replaced_and_given_back() -> None:
    """claude-code #79418, freee-mcp #15."""
    report = Report()
    schema: Any = {
        "properties": {"a b": {"type": "string"}, "a_b": {}, "名字": {}, "n" * 65: {}, "": {}}
    }
    out, originals = with_legal_names({**schema, "required": ["名字", "a_b"]}, report)
    assert all(LEGAL.fullmatch(name) for name in out["properties"])
    assert sorted(originals.values()) == sorted(["a b", "名字", "n" * 65, ""])
    assert "a_b" not in originals
    given = dict.fromkeys(out["properties"], 1)
    assert with_original_names(given, originals) == dict.fromkeys(schema["properties"], 1)
    assert originals[out["required"][0]] == "名字"
    assert [change.kind for change in report.changes] == ["renamed"] * 4


def test_legal_names_cost_nothing() -> None:
    schema: Any = {"properties": {"a.b-c_1": {}}}
    assert with_legal_names(schema, Report()) == (schema, {})


def test_rules_that_speak_of_the_old_names_are_left_out() -> None:
    schema: Any = {
        "properties": {"a b": {}},
        "patternProperties": {"^a": {}},
        "additionalProperties": False,
    }
    out, _ = with_legal_names(schema, Report())
    assert set(out) == {"properties"}


def test_a_renamed_parameter_says_its_own_name() -> None:
    out, _ = with_legal_names({"properties": {"Größe": {"description": "in m"}}}, Report())
    assert list(out["properties"].values()) == [{"description": "in m (originally named Größe)"}]
