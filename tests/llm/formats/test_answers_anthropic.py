"""Answers for Messages."""

from __future__ import annotations

from desktop.llm.formats.answers_anthropic import messages
from desktop.tool_types import Content
from tests.llm.answer_cases import PDF, PICTURE, PNG_TEXT, answer


def test_media_are_blocks_in_the_result() -> None:
    told = messages([answer(Content("text", "x"), PICTURE, PDF)])
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
    block = messages([answer(PICTURE, failed=True)])[0]["content"][0]
    assert block["is_error"] is True
    assert block["content"] == [{"type": "text", "text": "[Image: image/png]"}]


def test_an_answer_is_never_empty() -> None:
    """opencode #15371: an empty content is refused."""
    assert messages([answer()])[0]["content"][0]["content"][0]["text"]
