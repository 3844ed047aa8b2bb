"""Events of Messages."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.services.anthropic_reader import AnthropicReader
from desktop.llm.services.draft import Draft


def start(index: int, **block: Any) -> Any:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: Any) -> Any:
    return {"type": "content_block_delta", "index": index, "delta": fields}


def ended(reason: str, **usage: int) -> Any:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def text(index: int, said: str) -> list[Any]:
    return [start(index, type="text", text=""), delta(index, type="text_delta", text=said)]


def reading(*events: Any) -> AnthropicReader:
    reader = AnthropicReader(Draft())
    reader.begin()
    for each in events:
        list(reader.read(each))
    return reader


def test_thoughts_keep_their_signature_and_unsigned_ones_are_left_out() -> None:
    reader = reading(
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="h"),
        delta(0, type="thinking_delta", thinking="m"),
        delta(0, type="signature_delta", signature="s"),
        start(1, type="redacted_thinking", data="sealed"),
        start(2, type="thinking", thinking="cut off", signature=""),
        start(3, type="text", text=" "),
        ended("end_turn"),
    )
    assert list(reader.raw()) == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "sealed"},
    ]


@pytest.mark.parametrize("given", [{}, {"x": 1}])
def test_a_call_may_come_whole_or_without_arguments(given: dict[str, int]) -> None:
    reader = reading(start(0, type="tool_use", id="1", name="a", input=given), ended("tool_use"))
    request = reader.draft.message(None).requests[0]
    assert request.arguments == (given or "")
    assert reader.raw()[0]["input"] == given


def test_deltas_of_blocks_that_never_began_are_passed_over() -> None:
    draft = reading(delta(7, type="input_json_delta", partial_json="{"), ended("end_turn")).draft
    assert (draft.calls, draft.stop) == ([], "end")


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("tool_use", "tools"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refused"),
        ("something new", "other"),
    ],
)
def test_why_it_stopped(reason: str, stop: str) -> None:
    assert reading(ended(reason)).draft.stop == stop


def test_a_paused_turn_is_taken_up_with_all_that_was_said() -> None:
    begun: Any = {"type": "message_start", "message": {"usage": {"input_tokens": 10}}}
    reader = reading(begun, *text(0, "One. "), ended("pause_turn", output_tokens=3))
    body: Any = {"messages": ["asked"]}
    following = reader.continuation(body)
    assert following
    assert following["messages"][1]["content"] == [{"type": "text", "text": "One. "}]
    reader.begin()
    for event in (begun, *text(0, "Two."), ended("end_turn", output_tokens=4)):
        list(reader.read(event))
    assert reader.continuation(body) is None
    assert [block["text"] for block in reader.raw()] == ["One. ", "Two."]
    assert reader.draft.text == "One. Two."
    assert (reader.draft.usage.input, reader.draft.usage.output) == (20, 7)


def test_an_attempt_that_failed_leaves_nothing_behind() -> None:
    reader = reading(start(0, type="thinking", thinking="", signature=""))
    reader.begin()
    for event in (*text(0, "x"), ended("end_turn")):
        list(reader.read(event))
    assert len(reader.raw()) == 1


def test_cached_input_is_part_of_the_input() -> None:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 100}
    found = reading({"type": "message_start", "message": {"usage": usage}}).draft.usage
    assert (found.input, found.cached) == (123, 20)
