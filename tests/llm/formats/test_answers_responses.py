"""Answers for Responses."""

from __future__ import annotations

from desktop.llm.formats.answers_responses import items
from desktop.tool_types import Content
from tests.llm.answer_cases import PDF, PICTURE, answer


def test_text_is_text_and_media_are_parts() -> None:
    assert items([answer(Content("text", "x"))]) == [
        {"type": "function_call_output", "call_id": "c1", "output": "x"}
    ]
    parts = items([answer(Content("text", "x"), PICTURE, PDF)])[0]["output"]
    assert [part["type"] for part in parts] == ["input_text", "input_image", "input_file"]
    assert parts[2]["filename"] == "a.pdf"
    assert parts[2]["file_data"].startswith("data:application/pdf;base64,")


def test_an_error_says_so_in_the_text() -> None:
    assert items([answer(failed=True)])[0]["output"] == "Error: no such file"
    with_picture = items([answer(PICTURE, failed=True)])[0]["output"]
    assert with_picture[0] == {"type": "input_text", "text": "Error:"}
