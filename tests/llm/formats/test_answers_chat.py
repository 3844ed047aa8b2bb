"""Answers for Chat Completions."""

from __future__ import annotations

from desktop.llm.formats.answers_chat import messages
from desktop.tool_types import Content
from tests.llm.answer_cases import PICTURE, PNG_TEXT, answer


def test_an_answer_is_text_and_pictures_follow_after_all_of_them() -> None:
    told = messages([answer(PICTURE), answer(Content("text", "x"), call_id="c2")])
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


def test_an_error_says_so_in_the_text() -> None:
    assert messages([answer(failed=True)])[0]["content"] == "Error: no such file"
