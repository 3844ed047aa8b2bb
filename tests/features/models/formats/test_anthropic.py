"""Results and parameter names as Anthropic accepts them."""

from __future__ import annotations

from typing import Any

from desktop.features.models.formats.anthropic import format_results
from desktop.features.models.formats.arguments import LEGAL_NAME, rename_properties, restore_names
from desktop.features.models.formats.declaration import Report
from desktop.values.tool_types import Content
from tests.features.models.answer_cases import PDF, PICTURE, PNG_TEXT, answer


def test_media_are_blocks_in_the_result() -> None:
    told = format_results([answer(Content("text", "x"), PICTURE, PDF)])
    assert [message["role"] for message in told] == ["user"]
    block = told[0]["content"][0]
    assert (block["type"], block["tool_use_id"], "is_error" in block) == (
        "tool_result",
        "c1",
        False,
    )
    assert block["content"][0] == {"type": "text", "text": "x"}
    assert block["content"][1] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": PNG_TEXT},
    }
    assert block["content"][2]["type"] == "document"


def test_an_error_has_the_flag_and_text_alone() -> None:
    """vellum-assistant #18387: "all content must be type 'text' if 'is_error' is true"."""
    block = format_results([answer(PICTURE, failed=True)])[0]["content"][0]
    assert block["is_error"] is True
    assert block["content"] == [{"type": "text", "text": "[Image: image/png]"}]


def test_an_answer_is_never_empty() -> None:
    """opencode #15371: an empty content is refused."""
    assert format_results([answer()])[0]["content"][0]["content"][0]["text"]


def test_illegal_names_are_replaced_and_given_back() -> None:
    """claude-code #79418, freee-mcp #15."""
    report = Report()
    schema: Any = {
        "properties": {"a b": {"type": "string"}, "a_b": {}, "名字": {}, "n" * 65: {}, "": {}}
    }
    out, originals = rename_properties({**schema, "required": ["名字", "a_b"]}, report)
    assert all(LEGAL_NAME.fullmatch(name) for name in out["properties"])
    assert sorted(originals.values()) == sorted(["a b", "名字", "n" * 65, ""])
    assert "a_b" not in originals
    given = dict.fromkeys(out["properties"], 1)
    assert restore_names(given, originals) == dict.fromkeys(schema["properties"], 1)
    assert originals[out["required"][0]] == "名字"
    assert [change.kind for change in report.changes] == ["renamed"] * 4


def test_legal_names_cost_nothing() -> None:
    schema: Any = {"properties": {"a.b-c_1": {}}}
    assert rename_properties(schema, Report()) == (schema, {})


def test_rules_that_speak_of_the_old_names_are_left_out() -> None:
    schema: Any = {
        "properties": {"a b": {}},
        "patternProperties": {"^a": {}},
        "additionalProperties": False,
    }
    out, _ = rename_properties(schema, Report())
    assert set(out) == {"properties"}


def test_a_renamed_parameter_says_its_own_name() -> None:
    out, _ = rename_properties({"properties": {"Größe": {"description": "in m"}}}, Report())
    assert list(out["properties"].values()) == [{"description": "in m (originally named Größe)"}]
