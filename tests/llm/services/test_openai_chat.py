"""Requests and answers of Chat Completions."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.completion import CompletionRequest, RequestDelta
from desktop.llm.messages import AssistantMessage, Image, Replay, ToolRequest, UserMessage
from desktop.llm.services.openai_chat import ChatReader, OpenAIChat, make_messages
from desktop.llm.services.response import ResponseBuilder
from tests.llm.answer_cases import PNG, PNG_TEXT
from tests.llm.services.asking import request


@pytest.mark.parametrize(
    ("base_url", "name"), [("", "max_completion_tokens"), ("http://x/v1", "max_tokens")]
)
def test_the_limit_has_the_name_that_the_server_knows(base_url: str, name: str) -> None:
    body = OpenAIChat("x", "X", base_url).build_body(request(max_tokens=7), None, "")
    assert body[name] == 7
    assert body["stream_options"] == {"include_usage": True}
    assert "tools" not in body


HELLO = UserMessage("Hello")


def test_a_turn_with_calls_has_no_text_rather_than_an_empty_one() -> None:
    turn = AssistantMessage("", (ToolRequest("1", "a", {"x": "ü"}), ToolRequest("2", "b", "{bad")))
    told = make_messages(CompletionRequest("m", [HELLO, turn], system="Be brief."), "")
    assert [each["role"] for each in told] == ["system", "user", "assistant", "tool", "tool"]
    assert told[2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": "ü"}'}},
            {
                "id": "2",
                "type": "function",
                "function": {"name": "b", "arguments": '{"unreadable_arguments": "{bad"}'},
            },
        ],
    }


def test_a_picture_is_a_part_with_its_real_type() -> None:
    told = make_messages(
        CompletionRequest("m", [UserMessage("See", (Image(PNG, "image/gif"),))]), ""
    )
    url = f"data:image/png;base64,{PNG_TEXT}"
    assert told[0]["content"] == [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "See"},
    ]


def test_a_turn_of_this_server_goes_back_as_it_came() -> None:
    replay_items = {"role": "assistant", "content": "x", "reasoning_content": "hm"}
    turn = AssistantMessage("x", replay=Replay("s", (replay_items,), "m"))
    assert make_messages(CompletionRequest("m", [HELLO, turn]), "s")[1] == replay_items
    assert "reasoning_content" not in make_messages(CompletionRequest("m", [HELLO, turn]), "t")[1]


def chunk(*calls: Any, finish: str | None = None, **delta: Any) -> Any:
    if calls:
        delta["tool_calls"] = list(calls)
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def call(arguments: Any = None, name: str | None = None, **fields: Any) -> Any:
    function = {"name": name, "arguments": arguments}
    return {**fields, "function": {key: function[key] for key in function if function[key]}}


def read(*chunks: Any) -> ChatReader:
    reader = ChatReader(ResponseBuilder())
    reader.begin_response()
    for each in chunks:
        list(reader.read(each))
    return reader


ENDED = chunk(finish="stop")


@pytest.mark.parametrize(
    "chunks",
    [
        # as OpenAI does
        [
            chunk(call(name="a", id="1", index=0)),
            chunk(call('{"x"', index=0)),
            chunk(call(": 1}", index=0)),
            chunk(call(name="b", id="2", index=1)),
            chunk(call('{"x": 2}', index=1)),
        ],
        # interleaved
        [
            chunk(call(name="a", id="1", index=0), call(name="b", id="2", index=1)),
            chunk(call('{"x": ', index=0), call('{"x": 2', index=1)),
            chunk(call("1}", index=0), call("}", index=1)),
        ],
        # whole, each in one chunk
        [
            chunk(call('{"x": 1}', "a", id="1", index=0)),
            chunk(call('{"x": 2}', "b", id="2", index=1)),
        ],
        # every call is number 0
        [
            chunk(call('{"x": 1}', "a", id="1", index=0)),
            chunk(call('{"x": 2}', "b", id="2", index=0)),
        ],
        # no index
        [chunk(call('{"x": 1}', "a", id="1"), call(name="b", id="2")), chunk(call('{"x": 2}'))],
        # no id
        [chunk(call('{"x": 1}', "a", index=0)), chunk(call('{"x": 2}', "b", index=1))],
        # neither
        [chunk(call('{"x": 1}', "a")), chunk(call('{"x"', "b")), chunk(call(": 2}"))],
        # id and name again and again
        [
            chunk(call('{"x"', "a", id="1", index=0)),
            chunk(call(": 1}", "a", id="1", index=0)),
            chunk(call('{"x": 2}', "b", id="2", index=1)),
        ],
        # an object
        [chunk(call({"x": 1}, "a", id="1", index=0), call({"x": 2}, "b", id="2", index=1))],
        # the name after the id
        [
            chunk(call(id="1", index=0)),
            chunk(call('{"x": 1}', "a", index=0)),
            chunk(call('{"x": 2}', "b", id="2", index=1)),
        ],
    ],
)
def test_calls_are_put_together_however_they_come(chunks: list[Any]) -> None:
    message = read(*chunks, ENDED).builder.build_message(None)
    assert [call.wire_name for call in message.requests] == ["a", "b"]
    arguments = [call.arguments for call in message.requests]
    assert arguments in (['{"x": 1}', '{"x": 2}'], [{"x": 1}, {"x": 2}])
    assert len({call.call_id for call in message.requests}) == 2
    assert message.stop == "tools"


def test_a_call_is_told_while_it_arrives() -> None:
    reader = ChatReader(ResponseBuilder())
    told = list(reader.read(chunk(call('{"x"', "a", id="1", index=0))))
    told += reader.read(chunk(call(": 1}", index=0)))
    assert told == [
        RequestDelta(0, "a"),
        RequestDelta(0, arguments='{"x"'),
        RequestDelta(0, arguments=": 1}"),
    ]


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_go_back_under_the_name_under_which_they_came(name: str) -> None:
    reader = read(chunk(**{name: "hm"}), chunk(call("{}", "a", id="1", index=0)), ENDED)
    assert reader.builder.thinking == "hm"
    replay_items = reader.replay_items()[0]
    assert replay_items[name] == "hm"
    assert replay_items["tool_calls"][0]["id"] == "1"


def test_what_a_server_adds_to_a_call_goes_back_with_it() -> None:
    """Gemini's compatible API signs calls there and refuses them unsigned."""
    signed = {"google": {"thought_signature": "s"}}
    reader = read(chunk(call("{}", "a", id="1", index=0, extra_content=signed)), ENDED)
    assert reader.replay_items()[0]["tool_calls"][0]["extra_content"] == signed


def test_a_turn_without_either_is_told_by_the_message() -> None:
    assert read(chunk(content="x"), ENDED).replay_items() == ()


def test_parts_of_mistral_are_text_and_thoughts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Hello"},
    ]
    builder = read(chunk(content=parts), ENDED).builder
    assert (builder.thinking, builder.text) == ("hm", "Hello")


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", "end"),
        ("length", "length"),
        ("content_filter", "filtered"),
        ("eos", "other"),
        (None, None),
    ],
)
def test_why_it_stopped(finish: str | None, stop: str | None) -> None:
    assert read(chunk(content="x"), chunk(finish=finish)).builder.stop == stop


def test_a_refusal_is_text_and_the_reason() -> None:
    builder = read(chunk(refusal="I will not."), ENDED).builder
    assert (builder.text, builder.stop) == ("I will not.", "refused")


def test_usage_may_be_missing_or_nonsense() -> None:
    assert read(ENDED).builder.usage.input == 0
    assert read({"usage": {"prompt_tokens": "many"}, "choices": None}).builder.usage.input == 0
