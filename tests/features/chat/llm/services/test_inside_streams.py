"""What only one provider does in the middle of a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import ToolAnswer, ToolMessage
from tests.features.chat.llm.services.asking import (
    HELLO,
    events,
    failure,
    load,
    request,
    retried,
    service,
    told,
    turn_of,
)
from tests.features.models.answer_cases import PDF, PICTURE, PNG_TEXT, answer
from tests.features.models.loopback import (
    anthropic_messages,
    gemini_content,
    openai_chat,
    openai_responses,
)
from tests.features.models.loopback.exchange import EVENTS, Reply, Request, data_event, named_event
from tests.features.models.loopback.script import Script, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback

WIRES = {
    ApiFormat.OPENAI: openai_chat.WIRE,
    ApiFormat.OPENAI_RESPONSES: openai_responses.WIRE,
    ApiFormat.ANTHROPIC: anthropic_messages.WIRE,
    ApiFormat.GEMINI: gemini_content.WIRE,
}
ASKED = Request("", {}, json.dumps({"model": "m"}).encode())
BUSY: dict[ApiFormat, bytes] = {
    ApiFormat.OPENAI: data_event({"error": {"message": "busy", "code": "server_error"}}),
    ApiFormat.OPENAI_RESPONSES: named_event(
        {"type": "error", "code": "server_error", "message": "busy", "sequence_number": 1}
    ),
    ApiFormat.ANTHROPIC: named_event(
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    ),
    ApiFormat.GEMINI: data_event({"error": {"code": 503, "message": "busy", "status": "BUSY"}}),
}
each_provider = pytest.mark.parametrize("api_format", ApiFormat)


def stream(*pieces: bytes) -> Reply:
    return Reply(pieces=pieces, content_type=EVENTS)


@each_provider
async def test_an_error_before_anything_was_said_is_tried_again(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([stream(BUSY[api_format]), turn("Hello.")]))
    async with service(api_format, loopback) as asked:
        found = await events(asked, request())
    assert told(found) == "Hello."
    assert "busy" in retried(found)[0].reason


@each_provider
async def test_an_error_after_something_was_said_is_told(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    said = WIRES[api_format].stream(turn("One two three four."), ASKED)[:-2]
    loopback.play(Script([stream(*said, BUSY[api_format]), turn("never")]))
    async with service(api_format, loopback) as asked:
        error = await failure(asked, request())
    assert str(error).startswith("The answer broke off.")
    assert "busy" in str(error)
    assert len(loopback.requests) == 1


async def test_a_turn_that_anthropic_pauses_is_taken_up(loopback: Loopback) -> None:
    said = WIRES[ApiFormat.ANTHROPIC].stream(turn("One. "), ASKED)
    paused = [piece.replace(b'"end_turn"', b'"pause_turn"') for piece in said]
    script = Script([stream(*paused), turn("Two.")])
    loopback.play(script)
    async with service(ApiFormat.ANTHROPIC, loopback) as asked:
        message = await turn_of(asked, request())
    assert (message.text, message.stop, message.usage.output) == ("One. Two.", "end", 10)
    assert script.requests[1].body["messages"][1]["content"] == [{"type": "text", "text": "One. "}]


async def test_a_call_that_gemini_could_not_write_is_asked_for_again(loopback: Loopback) -> None:
    slip = gemini_content.chunk(finish="MALFORMED_FUNCTION_CALL")
    call = ("calculator__add", {"a": 1})
    loopback.play(Script([stream(slip), turn("", [call])]))
    async with service(ApiFormat.GEMINI, loopback) as asked:
        found = await events(asked, request(load_tools=load))
    assert "tool call that cannot be read" in retried(found)[0].reason


async def test_the_signature_of_gemini_comes_back_unchanged(loopback: Loopback) -> None:
    script = Script([turn("", [("a", {}), ("b", {})]), turn("Done.")])
    loopback.play(script)
    async with service(ApiFormat.GEMINI, loopback) as asked:
        first = await turn_of(asked, request(model="gemini-3-x"))
        await turn_of(asked, request([*HELLO, first], "gemini-3-x"))
    parts: list[Any] = script.requests[1].body["contents"][1]["parts"]
    assert [part.get("thoughtSignature") for part in parts] == ["c2lnbmVkXzA=", None]


@each_provider
@pytest.mark.parametrize("model", ["model-x", "gemini-3-x"])
async def test_pictures_of_tools_are_sent_and_errors_marked(
    api_format: ApiFormat, model: str, loopback: Loopback
) -> None:
    script = Script([turn("", [("look", {}), ("look", {}), ("look", {})]), turn("I see.")])
    loopback.play(script)
    results = [answer(PICTURE).result, answer(PDF).result, answer(failed=True).result]
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request(model=model))
        answers = [
            ToolAnswer(call.call_id, call.wire_name, result)
            for call, result in zip(first.requests, results, strict=True)
        ]
        messages = [*HELLO, first, ToolMessage(tuple(answers))]
        assert (await turn_of(asked, request(messages, model))).text == "I see."
    sent = script.requests[1].raw.decode().replace("-", "+").replace("_", "/")
    assert PNG_TEXT in sent
    assert "no such file" in sent
