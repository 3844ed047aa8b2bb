"""Thinking is told apart from the answer, and goes back to its provider as it came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.features.chat.llm.services.openai_chat import ThinkTags
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import UserMessage
from tests.features.chat.llm.services.asking import events, request, service, thought, turn_of
from tests.features.models.loopback.exchange import Reply, data_event
from tests.features.models.loopback.script import Script, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback


def streamed(*deltas: dict[str, Any]) -> Reply:
    chunks: list[Any] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return Reply(pieces=list(map(data_event, chunks)), content_type="text/event-stream")


def split(*pieces: str) -> tuple[str, str]:
    """Thinking and answer of a text that comes so."""
    tags, found = ThinkTags(), ["", ""]
    for piece in pieces:
        for is_thought, words in tags.take(piece):
            found[not is_thought] += words
    for is_thought, words in tags.end():
        found[not is_thought] += words
    return found[0], found[1]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<think>Hm.</think>Yes.", ("Hm.", "Yes.")),
        ("\n<think>\nHm.\n</think>\n\nYes.", ("Hm.\n", "Yes.")),
        ("<think>Hm, without an end", ("Hm, without an end", "")),
        ("Write <think> and </think>.", ("", "Write <think> and </think>.")),
        ("<thinking> is a word", ("", "<thinking> is a word")),
        ("<thi", ("", "<thi")),
        ("", ("", "")),
        ("<think></think>Yes.", ("", "Yes.")),
    ],
)
def test_think_at_the_beginning_is_thinking_and_elsewhere_a_word(
    text: str, wanted: tuple[str, str]
) -> None:
    assert split(text) == wanted
    assert split(*text) == wanted


@given(st.text("<>/think a", max_size=40), st.integers(1, 9))
def test_the_pieces_in_which_it_comes_change_nothing(text: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert split(*pieces) == split(text)


async def test_think_goes_back_in_its_place_to_the_same_model(loopback: Loopback) -> None:
    script = Script([streamed({"content": "<think>Hm."}, {"content": "</think>Yes."}), turn("ok")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        message = await turn_of(asked, request(model="mm"))
        assert (message.thinking, message.text) == ("Hm.", "Yes.")
        said = [UserMessage("a"), message, UserMessage("b")]
        await events(asked, request(said, model="mm"))
        loopback.play(second := Script([turn("ok")]))
        await events(asked, request(said, model="other"))
    assert script.requests[1].body["messages"][1]["content"] == "<think>Hm.</think>Yes."
    assert second.requests[0].body["messages"][1]["content"] == "Yes."


async def test_reasoning_details_are_kept_whole_and_go_back(loopback: Loopback) -> None:
    """OpenRouter: pieces of one text are joined by index, what is sealed stays as it is."""
    script = Script(
        [
            streamed(
                {
                    "reasoning": "I ",
                    "reasoning_details": [
                        {"type": "reasoning.text", "index": 0, "text": "I ", "signature": None}
                    ],
                },
                {
                    "reasoning": "think.",
                    "reasoning_details": [
                        {"type": "reasoning.text", "index": 0, "text": "think.", "signature": "s1"}
                    ],
                },
                {
                    "reasoning_details": [
                        {"type": "reasoning.encrypted", "index": 1, "data": "abc", "id": "r1"}
                    ]
                },
                {"content": "Yes."},
            ),
            turn("ok"),
        ]
    )
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        message = await turn_of(asked, request(model="or"))
        assert (message.thinking, message.text) == ("I think.", "Yes.")
        await events(asked, request([UserMessage("a"), message, UserMessage("b")], model="or"))
    sent = script.requests[1].body["messages"][1]
    assert sent["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "I think.", "signature": "s1"},
        {"type": "reasoning.encrypted", "index": 1, "data": "abc", "id": "r1"},
    ]
    assert "reasoning" not in sent


async def test_details_alone_are_shown(loopback: Loopback) -> None:
    detail = {"type": "reasoning.summary", "summary": "It adds.", "index": 0}
    loopback.play(Script([streamed({"reasoning_details": [detail]}, {"content": "Yes."})]))
    async with service(ApiFormat.OPENAI, loopback) as asked:
        assert thought(await events(asked, request())) == "It adds."


async def test_a_summary_is_asked_for_where_one_is_given(loopback: Loopback) -> None:
    for api_format, model, field, wanted in (
        (ApiFormat.ANTHROPIC, "claude-opus-5-5", "thinking",
         {"type": "adaptive", "display": "summarized"}),
        (ApiFormat.ANTHROPIC, "claude-haiku-4-5", "thinking", None),
        (ApiFormat.OPENAI_RESPONSES, "gpt-5.6", "reasoning", {"summary": "auto"}),
        (ApiFormat.OPENAI_RESPONSES, "gpt-4o", "reasoning", None),
    ):  # fmt: skip
        loopback.play(script := Script([turn("ok")]))
        async with service(api_format, loopback) as asked:
            await events(asked, request(model=model))
        assert script.requests[0].body.get(field) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Hm.\nWell.\n</think>\n\nYes.", ("Hm.\nWell.\n", "Yes.")),
        ("</think>\nYes.", ("", "Yes.")),
        ("Hm.\n</think>", ("Hm.\n", "")),
        ("The end is `</think>`, on no line of its own.", None),
        ("It begins with <think>\nand ends with\n</think>\n", None),
    ],
)
async def test_an_end_of_thinking_without_a_beginning_is_folded(
    text: str, wanted: tuple[str, str] | None, loopback: Loopback
) -> None:
    """As DeepSeek R1's template has it. It goes back as it came."""
    script = Script([streamed({"content": text[:5]}, {"content": text[5:]}), turn("ok")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        message = await turn_of(asked, request(model="mm"))
        assert (message.thinking, message.text) == (wanted or ("", text))
        if not message.text:
            return
        again = [UserMessage("a"), message, UserMessage("b")]
        await events(asked, request(again, model="mm"))
    assert script.requests[1].body["messages"][1]["content"] == text
