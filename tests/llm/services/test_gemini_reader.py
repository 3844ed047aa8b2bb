"""Chunks of Gemini."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.services.draft import Draft
from desktop.llm.services.faults import FaultError
from desktop.llm.services.gemini_reader import GeminiReader


def chunk(*parts: Any, finish: str = "", message: str = "") -> Any:
    candidate = {
        "content": {"parts": list(parts)},
        "finishReason": finish,
        "finishMessage": message,
    }
    return {"candidates": [candidate]}


def reading(*events: Any) -> GeminiReader:
    reader = GeminiReader(Draft(), "Gemini")
    reader.begin()
    for each in events:
        list(reader.read(each))
    return reader


def test_texts_are_joined_and_signed_parts_stay_as_they_are() -> None:
    signed = {"text": "c", "thoughtSignature": "s"}
    call: Any = {"functionCall": {"name": "a", "args": {}}, "thoughtSignature": "t"}
    hm, more = {"text": "h", "thought": True}, {"text": "m", "thought": True}
    reader = reading(
        chunk(hm), chunk(more), chunk({"text": "a"}), chunk({"text": "b"}), chunk(signed)
    )
    for each in (chunk(call, {"text": ""}), chunk({"text": "d"}, finish="STOP")):
        list(reader.read(each))
    assert list(reader.raw()) == [
        {"text": "hm", "thought": True},
        {"text": "ab"},
        signed,
        call,
        {"text": "d"},
    ]
    assert (reader.draft.text, reader.draft.thinking) == ("abcd", "hm")


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("STOP", "end"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "filtered"),
        ("IMAGE_SAFETY", "filtered"),
        ("OTHER", "other"),
        ("", None),
    ],
)
def test_why_it_stopped(finish: str, stop: str | None) -> None:
    assert reading(chunk({"text": "x"}, finish=finish)).draft.stop == stop


def test_a_prompt_that_was_blocked_says_so() -> None:
    draft = reading({"promptFeedback": {"blockReason": "SAFETY"}}).draft
    assert draft.stop == "filtered"
    assert "SAFETY" in draft.text


@pytest.mark.parametrize("finish", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
def test_a_slip_of_the_model_is_tried_again_or_told(finish: str) -> None:
    with pytest.raises(FaultError, match=r"Gemini .*print\(x\)") as raised:
        reading(chunk(finish=finish, message="Malformed function call: print(x)"))
    assert raised.value.fault.is_passing
    draft = reading(chunk({"text": "Well."}), chunk(finish=finish)).draft
    assert draft.stop == "other"
    assert draft.text.startswith("Well.\n\n[Gemini ")


def test_a_call_without_an_id_gets_one() -> None:
    call = {"functionCall": {"name": "a", "args": {"x": 1}}}
    requests = reading(chunk(call, call, finish="STOP")).draft.message(None).requests
    assert len({one.call_id for one in requests}) == 2
    assert [one.arguments for one in requests] == [{"x": 1}] * 2
