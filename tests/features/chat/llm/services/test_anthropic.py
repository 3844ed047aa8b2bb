"""Requests and answers of Anthropic Messages."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.chat.llm.completion import CompletionRequest
from desktop.features.chat.llm.services.anthropic import (
    DEFAULT_TOKENS,
    AnthropicMessages,
    AnthropicReader,
    make_messages,
)
from desktop.features.chat.llm.services.response import UNFINISHED, ResponseBuilder
from desktop.features.models.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from tests.features.chat.llm.services.asking import load, request


async def test_the_body_has_what_the_api_wants() -> None:
    tools = await load(AnthropicMessages("x", "X").api_format)
    body = AnthropicMessages("x", "X").build_body(
        request(parallel=False, system="Be brief."), tools, ""
    )
    assert body["max_tokens"] == DEFAULT_TOKENS
    assert body["system"] == "Be brief."
    assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}


@pytest.mark.parametrize(("base_url", "is_asked"), [("", True), ("http://x", False)])
def test_what_is_sent_again_is_cached_by_anthropic_itself(base_url: str, is_asked: bool) -> None:
    body = AnthropicMessages("x", "X", base_url).build_body(request(), None, "")
    assert ("cache_control" in body) == is_asked


HELLO = UserMessage("Hello")


def test_no_text_is_empty_or_ends_in_white_space() -> None:
    turn = AssistantMessage("Well. \n", (ToolRequest("odd:id", "a", "{bad"),))
    told = make_messages(CompletionRequest("m", [HELLO, turn]), "")
    assert told[1]["content"][0] == {"type": "text", "text": "Well."}
    call = told[1]["content"][1]
    assert call["input"] == {"unreadable_arguments": "{bad"}
    assert call["id"] == told[2]["content"][0]["tool_use_id"] != "odd:id"
    only_call = AssistantMessage("", turn.requests)
    blocks = make_messages(CompletionRequest("m", [HELLO, only_call]), "")[1]["content"]
    assert [block["type"] for block in blocks] == ["tool_use"]


def test_a_turn_of_this_provider_goes_back_as_it_came() -> None:
    items = (
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "x"},
    )
    turn = AssistantMessage("x", replay=Replay("s", items, "m"))
    messages = make_messages(CompletionRequest("m", [HELLO, turn]), "s")
    assert tuple(messages[1]["content"]) == items


def start(index: int, **block: Any) -> Any:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: Any) -> Any:
    return {"type": "content_block_delta", "index": index, "delta": fields}


def ended(reason: str, **usage: int) -> Any:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def text(index: int, said: str) -> list[Any]:
    return [start(index, type="text", text=""), delta(index, type="text_delta", text=said)]


def reading(*events: Any) -> AnthropicReader:
    reader = AnthropicReader(ResponseBuilder())
    reader.begin_response()
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
    assert list(reader.replay_items()) == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "sealed"},
    ]


@pytest.mark.parametrize("given", [{}, {"x": 1}])
def test_a_call_may_come_whole_or_without_arguments(given: dict[str, int]) -> None:
    reader = reading(start(0, type="tool_use", id="1", name="a", input=given), ended("tool_use"))
    request = reader.builder.build_message(None).requests[0]
    assert request.arguments == (given or "")
    assert reader.replay_items()[0]["input"] == given


A, B = '{"x": 1}', '{"x": 2}'


def use(index: int | None, name: str, *pieces: str, given: Any = None) -> list[Any]:
    block: Any = {"type": "tool_use", "id": name, "name": name, "input": given or {}}
    opened: Any = {"type": "content_block_start", "content_block": block}
    deltas: list[Any] = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    events = [opened, *({"type": "content_block_delta", "delta": each} for each in deltas)]
    return [each if index is None else {**each, "index": index} for each in events]


BLOCKS: list[tuple[list[Any], list[Any]]] = [
    ([*use(0, "a", A), *use(0, "b", B)], [("a", {"x": 1}), ("b", {"x": 2})]),
    ([*use(None, "a", A[:4], A[4:]), *use(None, "b", B)], [("a", {"x": 1}), ("b", {"x": 2})]),
    ([*use(1, "a"), *use(1, "b", given={"x": 2})], [("a", {}), ("b", {"x": 2})]),
    ([*text(0, "Well."), *use(0, "a", A)], [("a", {"x": 1})]),
    ([*use(0, "a"), delta(1, type="input_json_delta", partial_json=A)], [("a", {"x": 1})]),
]


@pytest.mark.parametrize(("events", "asked"), BLOCKS)
def test_each_call_goes_back_as_a_block_of_its_own(events: list[Any], asked: list[Any]) -> None:
    reader = reading(*events, ended("tool_use"))
    message = reader.builder.build_message(None)
    blocks = [each for each in reader.replay_items() if each["type"] == "tool_use"]
    assert [(each["name"], each["input"]) for each in blocks] == asked
    assert [each["id"] for each in blocks] == [each.call_id for each in message.requests]


def test_a_piece_for_one_of_two_calls_has_neither_run() -> None:
    reader = reading(*use(0, "a"), *use(0, "b"), delta(0, type="input_json_delta", partial_json=A))
    assert [each.arguments for each in reader.builder.requests()] == [UNFINISHED] * 2


def test_deltas_of_blocks_that_never_began_are_passed_over() -> None:
    builder = reading(
        delta(7, type="input_json_delta", partial_json="{"), ended("end_turn")
    ).builder
    assert (builder.calls, builder.stop) == ([], "end")


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
    assert reading(ended(reason)).builder.stop == stop


def test_a_paused_turn_is_taken_up_with_all_that_was_said() -> None:
    begun: Any = {"type": "message_start", "message": {"usage": {"input_tokens": 10}}}
    reader = reading(begun, *text(0, "One. "), ended("pause_turn", output_tokens=3))
    body: Any = {"messages": ["asked"]}
    following = reader.continue_body(body)
    assert following
    assert following["messages"][1]["content"] == [{"type": "text", "text": "One. "}]
    reader.begin_response()
    for event in (begun, *text(0, "Two."), ended("end_turn", output_tokens=4)):
        list(reader.read(event))
    assert reader.continue_body(body) is None
    assert [block["text"] for block in reader.replay_items()] == ["One. ", "Two."]
    assert reader.builder.text == "One. Two."
    assert (reader.builder.usage.input, reader.builder.usage.output) == (20, 7)


def test_an_attempt_that_failed_leaves_nothing_behind() -> None:
    reader = reading(start(0, type="thinking", thinking="", signature=""))
    reader.begin_response()
    for event in (*text(0, "x"), ended("end_turn")):
        list(reader.read(event))
    assert len(reader.replay_items()) == 1


def test_cached_input_is_part_of_the_input() -> None:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 100}
    found = reading({"type": "message_start", "message": {"usage": usage}}).builder.usage
    assert (found.input, found.cached) == (123, 20)


def test_the_end_of_the_message_ends_the_turn() -> None:
    stopped: Any = {"type": "message_stop"}
    assert reading(*text(0, "Hello"), stopped).builder.stop == "end"
    assert reading(*use(0, "a", A), stopped).builder.stop == "tools"
    assert reading(*use(0, "a", A[:4]), stopped).builder.stop is None


def test_a_whole_message_in_place_of_a_stream_is_read() -> None:
    blocks = [
        {"type": "text", "text": "Well."},
        {"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}},
    ]
    message = {"type": "message", "content": blocks, "model": "m", "usage": {"output_tokens": 3}}
    builder = reading({**message, "stop_reason": "tool_use"}).builder
    assert (builder.text, builder.stop, builder.usage.output) == ("Well.", "tools", 3)
    assert builder.calls[0].arguments == {"x": 1}
