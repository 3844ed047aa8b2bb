"""Tools and results as OpenAI accepts them."""

from __future__ import annotations

from typing import Any

from desktop.features.models.formats.declaration import Report
from desktop.features.models.formats.openai import (
    adapt_schema,
    format_chat_results,
    format_responses_results,
    make_chat_tool,
    make_responses_tool,
)
from desktop.values.tool_types import Content
from tests.features.models.answer_cases import PDF, PICTURE, PNG_TEXT, answer


def test_strict_is_always_said_to_be_off() -> None:
    """chatlas #255, coder/xum #3821: left out, Responses makes every parameter required."""
    function: dict[str, Any] = {"name": "n", "description": "d", "parameters": {}, "strict": False}
    assert make_chat_tool("n", "d", {}) == {"type": "function", "function": function}
    assert make_responses_tool("n", "d", {}) == {"type": "function", **function}


def test_a_pattern_of_another_dialect_is_said_in_words() -> None:
    report = Report()
    foreign = "^(?<year>[0-9]+)$"
    schema = {"properties": {"a": {"pattern": foreign}, "b": {"pattern": "^x"}}}
    out = adapt_schema({**schema, "$defs": {"A": {"pattern": foreign}}}, report)
    words = f"Matches the regular expression {foreign}"
    assert out["properties"] == {"a": {"description": words}, "b": {"pattern": "^x"}}
    assert out["$defs"] == {"A": {"description": words}}
    assert [change.path for change in report.changes] == [
        "/properties/a/pattern",
        "/$defs/A/pattern",
    ]


def test_an_answer_is_text_and_pictures_follow_after_all_of_them() -> None:
    told = format_chat_results([answer(PICTURE), answer(Content("text", "x"), call_id="c2")])
    assert told == [
        {"role": "tool", "tool_call_id": "c1", "content": "[Image: image/png]"},
        {"role": "tool", "tool_call_id": "c2", "content": "x"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Images that look returned:"},
                {
                    "type": "image_url",
                    "image_url": {"url": f"data:image/png;base64,{PNG_TEXT}"},
                },
            ],
        },
    ]


def test_an_error_of_chat_says_so_in_the_text() -> None:
    assert format_chat_results([answer(failed=True)])[0]["content"] == "Error: no such file"


def test_text_is_text_and_media_are_parts() -> None:
    assert format_responses_results([answer(Content("text", "x"))]) == [
        {"type": "function_call_output", "call_id": "c1", "output": "x"}
    ]
    parts = format_responses_results([answer(Content("text", "x"), PICTURE, PDF)])[0]["output"]
    assert [part["type"] for part in parts] == ["input_text", "input_image", "input_file"]
    assert parts[2]["filename"] == "a.pdf"
    assert parts[2]["file_data"].startswith("data:application/pdf;base64,")


def test_an_error_of_responses_says_so_in_the_text() -> None:
    assert format_responses_results([answer(failed=True)])[0]["output"] == "Error: no such file"
    with_picture = format_responses_results([answer(PICTURE, failed=True)])[0]["output"]
    assert with_picture[0] == {"type": "input_text", "text": "Error:"}
