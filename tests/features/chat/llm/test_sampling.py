"""A server's prompt is answered by the model that a person agreed to, tools and all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.providers import ProviderSettings
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.chat.llm.sampling import BEGINNING, Proposal, answer_sampling, propose_model
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.servers.requests import (
    SamplingAnswer,
    SamplingMessage,
    SamplingRequest,
    ToolOutcome,
    ToolUse,
)
from desktop.values.tool_types import Content, ToolDefinition
from tests.features.chat.agent.scripted import Scripted, calls, says

if TYPE_CHECKING:
    from desktop.servers.requests import SamplingBlock

ADD = ToolDefinition("s", "add it", input_schema={"type": "object"})


def prompt(*blocks: SamplingBlock, **more: Any) -> SamplingRequest:
    return SamplingRequest((SamplingMessage("user", blocks),), 50, **more)


POEM = prompt(Content("text", "a poem"))


async def test_a_prompt_is_sent_as_the_server_wrote_it_and_the_answer_names_the_model() -> None:
    service = Scripted([says("roses are red")])
    image = Content("image", data=b"png", mime="image/png")
    sound = Content("audio", data=b"wav", mime="audio/wav")
    request = prompt(Content("text", "a poem"), image, sound, system="Be brief.", temperature=0.5)
    answer = await answer_sampling(service, "m", request)
    assert answer == SamplingAnswer((Content("text", "roses are red"),), "scripted-1", "endTurn")
    (sent,) = service.requests
    assert (sent.model, sent.system, sent.max_tokens) == ("m", "Be brief.", 50)
    words = "a poem\n[Audio: audio/wav]"
    assert list(sent.messages) == [UserMessage(words, (Image(b"png", "image/png"),))]
    assert sent.load_tools is None


async def test_the_servers_tools_are_offered_and_their_calls_come_back_under_its_names() -> None:
    (wire,) = await _wire_names(prompt(tools=(ADD,)))
    service = Scripted([calls((wire, '{"a": 1}'), text="Let me see.")])
    answer = await answer_sampling(service, "m", prompt(Content("text", "add"), tools=(ADD,)))
    text, use = answer.blocks
    assert text == Content("text", "Let me see.")
    assert isinstance(use, ToolUse)
    assert (use.name, use.arguments, answer.stop) == ("add it", {"a": 1}, "toolUse")


async def _wire_names(request: SamplingRequest) -> list[str]:
    service = Scripted([says("x")])
    await answer_sampling(service, "m", request)
    return [declaration.wire_name for declaration in service.tables[0].declarations]


async def test_a_server_that_wants_no_tools_called_offers_none() -> None:
    service = Scripted([says("no")])
    request = prompt(Content("text", "add"), tools=(ADD,), tool_choice="none")
    await answer_sampling(service, "m", request)
    assert service.tables == []


async def test_results_follow_the_calls_that_they_belong_to() -> None:
    service = Scripted([says("two")])
    done = ToolOutcome("1", (Content("text", "2"),))
    request = SamplingRequest(
        (
            SamplingMessage("user", (Content("text", "add"),)),
            SamplingMessage("assistant", (ToolUse("1", "add it", {"a": 1}),)),
            SamplingMessage("user", (done, Content("text", "so?"))),
        ),
        50,
        tools=(ADD,),
    )
    await answer_sampling(service, "m", request)
    (name,) = await _wire_names(request)
    first, asked, answered, then = service.requests[0].messages
    assert first == UserMessage("add")
    assert asked == AssistantMessage(requests=(ToolRequest("1", name, {"a": 1}),), stop="tools")
    assert isinstance(answered, ToolMessage)
    assert [(each.call_id, each.result.output) for each in answered.answers] == [("1", "2")]
    assert then == UserMessage("so?")


@pytest.mark.parametrize(
    "blocks", [(ToolUse("1", "add it", {}),), (ToolUse("2", "unknown", {"a": 1}),)]
)
async def test_calls_without_results_and_a_model_that_begins_are_told_in_words(
    blocks: tuple[SamplingBlock, ...],
) -> None:
    """No provider takes them as they are."""
    service = Scripted([says("ok")])
    after = SamplingMessage("user", (ToolOutcome("9", (Content("text", "odd"),)),))
    request = SamplingRequest((SamplingMessage("assistant", blocks), after), 50, tools=(ADD,))
    await answer_sampling(service, "m", request)
    first, said, last = service.requests[0].messages
    assert first == UserMessage(BEGINNING)
    assert isinstance(said, AssistantMessage)
    assert said.requests == ()
    assert said.text.startswith("[called ")
    assert last == UserMessage("[result: odd]")


async def test_an_answer_ends_before_the_first_stop_sequence() -> None:
    request = prompt(Content("text", "count"), stop_sequences=("3", "2", ""))
    answer = await answer_sampling(Scripted([says("1 2 3")]), "m", request)
    assert answer == SamplingAnswer((Content("text", "1 "),), "scripted-1", "stopSequence")


async def test_an_answer_that_is_cut_says_so() -> None:
    answer = await answer_sampling(Scripted([says("ros", stop="length")]), "m", POEM)
    assert answer.stop == "maxTokens"


@pytest.mark.parametrize(
    "step",
    [
        says(""),
        says("no", stop="refused"),
        calls(("nothing", "{}")),
        CompletionError("key", "no key"),
    ],
)
async def test_what_is_no_answer_is_an_error_and_never_sent(step: Any) -> None:
    with pytest.raises(CompletionError):
        await answer_sampling(Scripted([step]), "m", prompt(Content("text", "x"), tools=(ADD,)))


PROVIDERS = {
    name: ProviderSettings(name=name, kind="openai", model=model)
    for name, model in (("none", ""), ("big", "large-1"), ("small", "Small-2"))
}


@pytest.mark.parametrize(
    ("hints", "name"),
    [((), "big"), (("small",), "small"), (("other", "LARGE"), "big"), (("other",), "big")],
)
def test_a_model_is_proposed_by_the_first_hint_that_fits(hints: tuple[str, ...], name: str) -> None:
    proposal = propose_model(hints, PROVIDERS)
    assert proposal == Proposal(PROVIDERS[name], PROVIDERS[name].model)
    assert str(proposal) == f"{PROVIDERS[name].model} of {name}"


def test_without_a_model_nothing_is_proposed() -> None:
    assert propose_model(("a",), {"none": PROVIDERS["none"]}) is None
