"""Requests and answers of generateContent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.providers import checked
from desktop.features.chat.llm.completion import CompletionRequest
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.gemini import (
    NO_SIGNATURE,
    GeminiContents,
    GeminiReader,
    is_gemini_3,
    make_contents,
)
from desktop.features.chat.llm.services.response import ResponseBuilder
from desktop.features.models.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from tests.features.chat.llm.services.asking import request, turn_of
from tests.features.models.loopback.script import Script, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback


@pytest.mark.parametrize(
    ("model", "thinks"), [("gemini-2.5-pro", True), ("gemini-3-x", True), ("gemini-2.0-x", False)]
)
def test_thoughts_are_asked_for_where_there_are_some(model: str, thinks: bool) -> None:
    body = GeminiContents("x", "X").build_body(request(model=model, system="Be brief."), None, "")
    assert ("generationConfig" in body) == thinks
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-x", "models/gemini-x"),
        ("models/gemini-x", "models/gemini-x"),
        ("tunedModels/mine", "tunedModels/mine"),
        ("a?b&c#d", "models/a%3Fb%26c%23d"),
    ],
)
def test_the_model_is_part_of_the_path(model: str, path: str) -> None:
    expected = f"/v1/{path}:streamGenerateContent?alt=sse"
    assert GeminiContents("x", "X").path(model) == expected


@pytest.mark.parametrize(
    ("address", "version"),
    [
        ("", "/v1"),
        ("https://proxy.example", "/v1"),
        ("https://proxy.example/gemini/", "/v1"),
        ("https://proxy.example/gemini/v1beta", ""),
        ("https://proxy.example/v1/", ""),
        ("https://v1", "/v1"),
    ],
)
def test_a_version_in_the_address_is_the_one_that_is_asked(address: str, version: str) -> None:
    path = GeminiContents("x", "X", address).path("gemini-x")
    assert path == f"{version}/models/gemini-x:streamGenerateContent?alt=sse"


async def test_an_address_with_a_version_is_asked_there(loopback: Loopback) -> None:
    loopback.play(Script([turn("ok")]))
    settings = {"name": "mine", "kind": "gemini", "base_url": f"{loopback.url}/v1beta/"}
    made = make_service(checked(settings), Keys({"MINE_API_KEY": "k" * 20}))
    try:
        assert (await turn_of(made, request())).text == "ok"
        await made.list_models()
    finally:
        await made.close()
    asked = [each.path.partition("?")[0] for each in loopback.requests]
    assert asked == ["/v1beta/models/model-x:streamGenerateContent", "/v1beta/models"]


HELLO = UserMessage("Hello")
REQUESTS = (ToolRequest("ours_1", "a", "{}"), ToolRequest("ours_2", "b", "{bad"))


@pytest.mark.parametrize(
    ("model", "third"),
    [
        ("gemini-3-pro", True),
        ("models/gemini-3.5-flash", True),
        ("gemini-10", True),
        ("gemini-2.5-pro", False),
        ("other", False),
    ],
)
def test_models_of_the_third_generation_are_known(model: str, third: bool) -> None:
    assert is_gemini_3(model) is third


@pytest.mark.parametrize(
    ("model", "signature"), [("gemini-3-x", NO_SIGNATURE), ("gemini-2.5", None)]
)
def test_calls_of_another_model_stand_without_its_signature(
    model: str, signature: str | None
) -> None:
    turn = AssistantMessage("Well.", REQUESTS)
    told = make_contents(CompletionRequest(model, [HELLO, turn]), "")
    assert [content["role"] for content in told] == ["user", "model", "user"]
    calls = told[1]["parts"][1:]
    assert [call.get("thoughtSignature") for call in calls] == [signature, None]
    assert calls[1]["functionCall"] == {"name": "b", "args": {"unreadable_arguments": "{bad"}}
    assert "id" not in told[2]["parts"][0]["functionResponse"]


def test_only_ids_that_came_are_sent_back() -> None:
    replay_items: tuple[Any, ...] = (
        {"functionCall": {"name": "a", "id": "ours_1"}, "thoughtSignature": "s"},
        {"functionCall": {"name": "b"}},
    )
    turn = AssistantMessage("", REQUESTS, replay=Replay("s", replay_items, "m"))
    told = make_contents(CompletionRequest("m", [HELLO, turn]), "s")
    assert tuple(told[1]["parts"]) == replay_items
    responses = [part["functionResponse"] for part in told[2]["parts"]]
    assert [each.get("id") for each in responses] == ["ours_1", None]


def chunk(*parts: Any, finish: str = "", message: str = "") -> Any:
    candidate = {
        "content": {"parts": list(parts)},
        "finishReason": finish,
        "finishMessage": message,
    }
    return {"candidates": [candidate]}


def reading(*events: Any) -> GeminiReader:
    reader = GeminiReader(ResponseBuilder(), "Gemini")
    reader.begin_response()
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
    assert list(reader.replay_items()) == [
        {"text": "hm", "thought": True},
        {"text": "ab"},
        signed,
        call,
        {"text": "d"},
    ]
    assert (reader.builder.text, reader.builder.thinking) == ("abcd", "hm")


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
    assert reading(chunk({"text": "x"}, finish=finish)).builder.stop == stop


def test_a_prompt_that_was_blocked_says_so() -> None:
    builder = reading({"promptFeedback": {"blockReason": "SAFETY"}}).builder
    assert builder.stop == "filtered"
    assert "SAFETY" in builder.text


@pytest.mark.parametrize("finish", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
def test_a_slip_of_the_model_is_tried_again_or_told(finish: str) -> None:
    with pytest.raises(ProviderError, match=r"Gemini .*print\(x\)") as raised:
        reading(chunk(finish=finish, message="Malformed function call: print(x)"))
    assert raised.value.is_transient
    builder = reading(chunk({"text": "Well."}), chunk(finish=finish)).builder
    assert builder.stop == "other"
    assert builder.text.startswith("Well.\n\n[Gemini ")


def test_a_call_without_an_id_gets_one() -> None:
    call = {"functionCall": {"name": "a", "args": {"x": 1}}}
    requests = reading(chunk(call, call, finish="STOP")).builder.build_message(None).requests
    assert len({call.call_id for call in requests}) == 2
    assert [call.arguments for call in requests] == [{"x": 1}] * 2
