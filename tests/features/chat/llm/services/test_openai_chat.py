"""Requests and answers of Chat Completions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.features.chat.llm.completion import CompletionRequest, RequestDelta
from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.openai_chat import ChatReader, OpenAIChat, make_messages
from desktop.features.chat.llm.services.response import UNFINISHED, ResponseBuilder
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    Replay,
    ToolRequest,
    UserMessage,
)
from tests.features.chat.llm.services.asking import request
from tests.features.models.answer_cases import PNG, PNG_TEXT


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
    reader = ChatReader(ResponseBuilder(), "Them")
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


A, B = '{"x": 1}', '{"x": [{"y": "}{"}]}'
NOT_RUN = None
"""Arguments that cannot be read: the model is told so, and the tool is not run."""


@pytest.mark.parametrize(
    ("pieces", "asked"),
    [
        # one number for all, without an id
        ([call(A, "a", index=0, id=""), call(B, "b", index=0, id="")], [("a", A), ("b", B)]),
        ([call(A, "a", index=0), call(B, "a", index=0)], [("a", A), ("a", B)]),
        (
            [call(name="a", index=7), call(A, index=7), call(name="b", index=7), call(B, index=7)],
            [("a", A), ("b", B)],
        ),
        # one id for all
        ([call(A, "a", index=0, id="x"), call(B, "b", index=1, id="x")], [("a", A), ("b", B)]),
        ([call(A, "a", id="x"), call(B, "a", id="x")], [("a", A), ("a", B)]),
        (
            [
                call(name="a", index=0, id="x"),
                call(name="b", index=1, id="x"),
                call(A, index=0, id="x"),
                call(B, index=1, id="x"),
            ],
            [("a", A), ("b", B)],
        ),
        # another id, number or both for each piece of one call
        (
            [
                call(name="a", index=0, id="1"),
                call(A[:4], index=0, id="2"),
                call(A[4:], index=0, id="3"),
            ],
            [("a", A)],
        ),
        ([call(name="a", id="1"), call(A[:4], "a", id="2"), call(A[4:], "a", id="3")], [("a", A)]),
        (
            [
                call(name="a", id="1", index=0),
                call(A[:4], id="2", index=1),
                call(A[4:], id="3", index=2),
            ],
            [("a", A)],
        ),
        ([call(A[:4], "a", id="1", index=0), call(A[4:], "a", id="1", index=1)], [("a", A)]),
        # the name again with nothing, after the arguments
        ([call(A, "a", index=0, id="1"), call("", "a", index=0, id="2")], [("a", A)]),
        (
            [call(A, "a", index=0, id="1"), call("", "a", index=0, id="2"), call(B, index=0)],
            [("a", A), ("a", B)],
        ),
        # the end of a call at a number of its own
        (
            [call(A, "a", index=3, id="1"), call(name="b", index=3, id="2"), call(B, index=4)],
            [("a", A), ("b", B)],
        ),
        ([call(B[:9], "b", index=1, id="1"), call(B[9:], index=2)], [("b", B)]),
        # the whole once more; an empty object until the arguments come
        ([call(A[:3], "a", index=0, id="1"), call(A[3:], index=0), call(A, index=0)], [("a", A)]),
        (
            [call("{}", "a", index=0, id="1"), call(A[:5], index=0), call(A[5:], index=0)],
            [("a", A)],
        ),
        # a number as text
        (
            [
                call(name="a", index="0"),
                call(name="b", index="1"),
                call(A, index="0"),
                call(B, index="1"),
            ],
            [("a", A), ("b", B)],
        ),
        # no place: neither is run
        (
            [call(name="a", index=0, id="1"), call(name="b", index=0, id="2"), call(A, index=0)],
            [("a", NOT_RUN), ("b", NOT_RUN)],
        ),
        (
            [
                call("{}", "a", index=0, id="1"),
                call(name="b", index=1, id="2"),
                call(A, index=1),
                call(B, index=1),
            ],
            [("a", NOT_RUN), ("b", A)],
        ),
        (
            [
                call(name="a", id="1", index=0),
                call(name="a", id="1", index=1),
                call(A, "a", id="1", index=2),
            ],
            [("a", NOT_RUN), ("a", A)],
        ),
        # a tool without parameters
        ([call(name="a", index=0, id="1"), call(B, "b", index=1, id="2")], [("a", ""), ("b", B)]),
    ],
)
def test_no_tool_runs_without_the_arguments_that_were_written(
    pieces: list[Any], asked: list[tuple[str, str | None]]
) -> None:
    builder = read(*map(chunk, pieces), ENDED).builder
    found = builder.build_message(None).requests
    read_back = [(each.wire_name, each.arguments) for each in found]
    assert read_back == [(name, UNFINISHED if told is None else told) for name, told in asked]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_arguments_are_whole_wherever_they_were_cut(size: int) -> None:
    text = json.dumps({"a": 'x"}\\', "b": [{"c": "\\\\"}]})
    pieces = [text[n : n + size] for n in range(0, len(text), size)]
    named = call(name="a", index=0, id="1")
    builder = read(*map(chunk, [named, *(call(each, index=0) for each in pieces)])).builder
    assert not any(json_is_cut(text[: len(text) - n], builder) for n in range(1, 4))
    assert builder.calls[0].is_whole


def json_is_cut(text: str, builder: ResponseBuilder) -> bool:
    """Whether the beginning of a text is taken for the whole."""
    other = ResponseBuilder()
    list(other.add_call("1", builder.calls[0].wire_name, text))
    return other.calls[0].is_whole


def test_a_call_is_told_while_it_arrives() -> None:
    reader = ChatReader(ResponseBuilder(), "Them")
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


@pytest.mark.parametrize(
    "chunks",
    [
        [{"choices": [{"message": {"role": "assistant", "content": "Hello"}}]}],
        [{"choices": [{"text": "Hel"}]}, {"choices": [{"text": "lo", "finish_reason": "stop"}]}],
        [{"choices": [{"delta": {}, "message": {"content": "Hello"}}]}],
    ],
)
def test_a_text_is_found_where_older_servers_put_it(chunks: list[Any]) -> None:
    assert read(*chunks).builder.text == "Hello"


def test_a_call_of_the_older_form_is_one() -> None:
    pieces = [{"name": "a", "arguments": ""}, {"arguments": A[:4]}, {"arguments": A[4:]}]
    builder = read(*(chunk(function_call=each) for each in pieces), ENDED).builder
    assert [(call.wire_name, call.arguments) for call in builder.calls] == [("a", A)]


def test_an_error_of_the_choice_is_one() -> None:
    choice = {"delta": {}, "finish_reason": "error", "error": {"code": 502, "message": "died"}}
    with pytest.raises(ProviderError, match="Them failed: died"):
        read({"choices": [choice]})


@pytest.mark.parametrize(
    ("piece", "stop"),
    [
        (chunk(content="x"), "end"),
        (chunk(call(A, "a", index=0, id="1")), "tools"),
        (chunk(call(A[:4], "a", index=0, id="1")), None),
        (chunk(content="x", finish="length"), "length"),
    ],
)
def test_the_end_of_a_stream_ends_a_turn_of_which_nothing_is_half_written(
    piece: Any, stop: str | None
) -> None:
    builder = read(piece).builder
    builder.end()
    assert builder.stop == stop
