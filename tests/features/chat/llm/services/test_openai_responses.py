"""Requests and answers of Responses."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.chat.llm.completion import CompletionRequest
from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.openai_responses import (
    OpenAIResponses,
    ResponsesReader,
    make_items,
)
from desktop.features.chat.llm.services.response import UNFINISHED, ResponseBuilder
from desktop.features.models.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from tests.features.chat.llm.services.asking import request


@pytest.mark.parametrize(
    ("model", "reasons"),
    [("gpt-5.2", True), ("o4-mini", True), ("gpt-4o", False), ("gpt-12", True), ("llama", False)],
)
def test_sealed_reasoning_is_asked_for_where_there_is_some(model: str, reasons: bool) -> None:
    body = OpenAIResponses("x", "X").build_body(request(model=model), None, "")
    assert ("include" in body) == reasons
    assert body["store"] is False


HELLO = UserMessage("Hello")


def test_calls_are_items_of_their_own_and_pair_by_call_id() -> None:
    turn = AssistantMessage("Well.", (ToolRequest("odd:id", "a", "{}"),))
    told = make_items(CompletionRequest("m", [HELLO, turn]), "")
    assert [each["type"] for each in told] == [
        "message",
        "message",
        "function_call",
        "function_call_output",
    ]
    assert told[2]["call_id"] == told[3]["call_id"] != "odd:id"


def test_a_turn_of_this_provider_goes_back_as_it_came() -> None:
    replay_items = ({"type": "reasoning", "encrypted_content": "x"}, {"type": "message"})
    turn = AssistantMessage("x", replay=Replay("s", replay_items, "m"))
    assert tuple(make_items(CompletionRequest("m", [HELLO, turn]), "s")[1:]) == replay_items


CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "a", "arguments": '{"x": 1}'}
SEALED: Any = {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "x"}
BARE: Any = {"type": "reasoning", "id": "r2", "summary": []}
MESSAGE: Any = {"type": "message", "content": [{"type": "output_text", "text": "Hello"}]}


def read(*events: Any) -> ResponsesReader:
    reader = ResponsesReader(ResponseBuilder(), "OpenAI")
    reader.begin_response()
    for each in events:
        list(reader.read(each))
    return reader


def done(*items: Any) -> list[Any]:
    kind = "response.output_item.done"
    return [{"type": kind, "output_index": i, "item": item} for i, item in enumerate(items)]


def completed(*output: Any, **fields: Any) -> Any:
    return {"type": "response.completed", "response": {"output": list(output), **fields}}


def test_only_what_can_come_back_is_kept_to_be_sent_back() -> None:
    items = (SEALED, BARE, MESSAGE, CALL, {"type": "web_search_call"})
    reader = read(*done(*items), completed())
    assert list(reader.replay_items()) == [SEALED, MESSAGE, CALL]


def test_a_call_without_deltas_has_its_arguments_all_the_same() -> None:
    message = read(*done(CALL), completed()).builder.build_message(None)
    assert [(call.call_id, call.arguments) for call in message.requests] == [("c", '{"x": 1}')]


def added(name: str, index: int | None = None, **ids: str) -> Any:
    item: Any = {"type": "function_call", "name": name, "arguments": "", **ids}
    return at(index, {"type": "response.output_item.added", "item": item})


def piece(arguments: str, index: int | None = None, **ids: str) -> Any:
    return at(index, {"type": "response.function_call_arguments.delta", "delta": arguments, **ids})


def at(index: int | None, event: Any) -> Any:
    return event if index is None else {**event, "output_index": index}


def whole(name: str, arguments: str, index: int | None = None, **ids: str) -> Any:
    item: Any = {"type": "function_call", "name": name, "arguments": arguments, **ids}
    return at(index, {"type": "response.output_item.done", "item": item})


A, B = '{"x": 1}', '{"x": 2}'


@pytest.mark.parametrize(
    "events",
    [
        # without numbers, with one for all
        *(
            [
                added("a", n, id="f1", call_id="c1"),
                added("b", n, id="f2", call_id="c2"),
                piece(B, n, item_id="f2"),
                piece(A, n, item_id="f1"),
            ]
            for n in (None, 0)
        ),
        # one after the other, without ids at the pieces
        [added("a", call_id="c1"), piece(A), added("b", call_id="c2"), piece(B)],
        # the call's id in place of the item's
        [
            added("a", id="f1", call_id="c1"),
            added("b", id="f2", call_id="c2"),
            piece(A, item_id="c1"),
            piece(B, item_id="c2"),
        ],
        # another id when it is whole
        [
            added("a", 0, id="f1", call_id="c1"),
            whole("a", A, 0, id="f9", call_id="c9"),
            added("b", 1, id="f2", call_id="c2"),
            whole("b", B, 1, id="f8", call_id="c8"),
        ],
        # no ids and one number; what is whole counts more than the pieces
        [added("a", 0), whole("a", A, 0), added("b", 0), piece(A, 0), whole("b", B, 0)],
    ],
)
def test_calls_are_told_apart_by_their_ids(events: list[Any]) -> None:
    found = read(*events, completed()).builder.build_message(None).requests
    assert [(each.wire_name, each.arguments) for each in found] == [("a", A), ("b", B)]
    assert len({each.call_id for each in found}) == 2


def test_a_piece_for_one_of_two_calls_has_neither_run() -> None:
    builder = read(added("a", 0), added("b", 0), piece(A, 0), completed()).builder
    assert [each.arguments for each in builder.requests()] == [UNFINISHED] * 2


def test_a_server_may_tell_the_whole_alone() -> None:
    builder = read(completed(MESSAGE, CALL, model="m")).builder
    assert (builder.text, builder.calls[0].wire_name, builder.model) == ("Hello", "a", "m")


def test_a_call_that_was_cut_goes_back_readable() -> None:
    cut = {**CALL, "arguments": '{"x'}
    details = {"incomplete_details": {"reason": "max_output_tokens"}}
    reader = read(*done(cut), {"type": "response.incomplete", "response": details})
    assert reader.builder.stop == "length"
    assert reader.builder.build_message(None).requests[0].arguments == '{"x'
    assert reader.replay_items()[0]["arguments"] == '{"unreadable_arguments": "{\\"x"}'


def test_thoughts_in_parts_are_paragraphs() -> None:
    part: Any = {"type": "response.reasoning_summary_part.added"}
    text: Any = {"type": "response.reasoning_summary_text.delta", "delta": "hm"}
    assert read(part, text, part, text).builder.thinking == "hm\n\nhm"


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, "rate"),
        ({"type": "error", "error": {"code": "server_error", "message": "x"}}, "provider"),
        (
            {
                "type": "response.failed",
                "response": {"error": {"code": "context_length_exceeded", "message": "long"}},
            },
            "context",
        ),
    ],
)
def test_an_error_inside_the_stream_is_one(event: Any, kind: str) -> None:
    with pytest.raises(ProviderError) as raised:
        read(event)
    assert raised.value.kind == kind


def test_the_whole_may_come_under_other_names() -> None:
    assert read({"type": "response.done", "response": {"output": [MESSAGE]}}).builder.stop == "end"
    assert read({"object": "response", "output": [MESSAGE, CALL]}).builder.text == "Hello"
    done: Any = {"type": "response.output_text.done", "text": "Hello"}
    piece: Any = {"type": "response.output_text.delta", "delta": "Hel"}
    assert read(done, completed()).builder.text == "Hello"
    assert read(piece, done, completed()).builder.text == "Hel"
