"""Every provider, through its official client, to the project's own server: what all have alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.llm.completion import Completed, RequestDelta
from desktop.llm.formats import ApiFormat
from desktop.llm.messages import ToolAnswer, ToolMessage, UserMessage
from desktop.tools.result import Content, ToolResult
from tests.llm.loopback.script import Script, turn
from tests.llm.services.asking import HELLO, events, load, request, service, thought, told

if TYPE_CHECKING:
    from tests.llm.loopback.server import Loopback

each_provider = pytest.mark.parametrize("api_format", ApiFormat)


@each_provider
async def test_text_thoughts_and_parallel_calls_arrive_as_they_are_said(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    calls = [("calculator__add", {"a": 1.5}), ("calculator__add", {"a": "two words"})]
    loopback.play(Script([turn("Let me see this.", calls, thinking="What is asked?")]))
    async with service(api_format, loopback) as asked:
        found = await events(asked, request(load_tools=load))
    assert told(found) == "Let me see this."
    assert thought(found) == "What is asked?"
    last = found[-1]
    assert isinstance(last, Completed)
    message = last.message
    assert (message.text, message.thinking, message.stop) == (
        "Let me see this.",
        "What is asked?",
        "tools",
    )
    assert last.tools
    arguments = [
        last.tools.read_arguments(one.wire_name, one.arguments) for one in message.requests
    ]
    assert [one.arguments for one in arguments] == [{"a": 1.5}, {"a": "two words"}]
    assert len({one.call_id for one in message.requests}) == 2
    assert (message.usage.input, message.usage.output, message.usage.cached) == (10, 5, 2)
    begun = [each for each in found if isinstance(each, RequestDelta) and each.wire_name]
    assert [each.index for each in begun] == [0, 1]


@each_provider
async def test_a_conversation_goes_on_with_the_answers_of_the_tools(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    calls = [("calculator__add", {"a": 1}), ("calculator__add", {"a": 2})]
    script = Script([turn("Let me see.", calls, thinking="Hm."), turn("It is 3.")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        first = (await events(asked, request(load_tools=load)))[-1]
        assert isinstance(first, Completed)
        answers = [
            ToolAnswer(one.call_id, one.wire_name, ToolResult(True, content=(Content("text", t),)))
            for one, t in zip(first.message.requests, ("one", "two"), strict=True)
        ]
        messages = [*HELLO, first.message, ToolMessage(tuple(answers)), UserMessage("Now?")]
        found = await events(asked, request(messages, load_tools=load))
    assert told(found) == "It is 3."
    assert script.is_done
    sent = script.requests[1].raw.decode()
    assert sent.index('"one"') < sent.index('"two"') < sent.index("Now?")
