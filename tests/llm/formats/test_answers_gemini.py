"""Answers for generateContent."""

from __future__ import annotations

from desktop.llm.formats.answers_gemini import contents
from desktop.tool_types import Content
from tests.llm.answer_cases import PICTURE, PNG_TEXT, answer

BLOB = {"inlineData": {"mimeType": "image/png", "data": PNG_TEXT}}


def test_media_are_inside_the_response_where_the_model_takes_them() -> None:
    told = contents([answer(Content("text", "x"), PICTURE)], media_inside=True)
    response = told[0]["parts"][0]["functionResponse"]
    assert response == {
        "id": "c1",
        "name": "look",
        "response": {"output": "x\n[Image: image/png]"},
        "parts": [BLOB],
    }


def test_for_older_models_media_are_in_a_content_after_all_responses() -> None:
    """pydantic-ai #4210: a content with responses counts as the model's own."""
    told = contents([answer(PICTURE), answer(call_id="")], media_inside=False)
    assert [list(part) for part in told[0]["parts"]] == [["functionResponse"]] * 2
    assert told[1] == {"role": "user", "parts": [{"text": "Media that look returned:"}, BLOB]}


def test_an_error_is_under_its_own_key_and_an_id_is_sent_back_only_if_one_came() -> None:
    told = contents([answer(failed=True, call_id="")], media_inside=True)
    response = {"name": "look", "response": {"error": "no such file"}}
    assert told[0]["parts"] == [{"functionResponse": response}]
