"""What is converted is what each provider accepts, down to the byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from desktop.features.chat.llm.completion import CompletionRequest
from desktop.features.chat.llm.services import anthropic, gemini, openai_chat, openai_responses
from desktop.features.models.formats import ApiFormat, answer_messages, make_wire_tools
from desktop.features.models.formats.declaration import MAX_TOOLS
from desktop.features.models.messages import AssistantMessage, ToolRequest, UserMessage
from desktop.values.tool_types import Content
from tests.corpus import corpus, needs_corpus
from tests.features.models.answer_cases import PDF, PICTURE, PNG_TEXT, answer
from tests.features.models.clients import send
from tests.features.models.fixtures import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.models.messages import ToolAnswer
    from desktop.values.tool_types import ToolDefinition
    from tests.features.models.loopback.server import Loopback


def arrives(api_format: ApiFormat, tools: Sequence[ToolDefinition], server: Loopback) -> int:
    """Send the tools in as few requests as the provider takes; how many arrived unchanged."""
    size = min(MAX_TOOLS.get(api_format, 300), 300)
    count = 0
    for start in range(0, len(tools), size):
        table = make_wire_tools(tools[start : start + size], api_format)
        assert table.quarantined == ()
        send(api_format, server, table.tools)
        assert json.dumps(server.last.body["tools"]) == json.dumps(table.tools)
        count += len(table.declarations)
    return count


@needs_corpus
@pytest.mark.parametrize("api_format", ApiFormat)
def test_every_real_tool_arrives_as_it_was_made(api_format: ApiFormat, loopback: Loopback) -> None:
    assert arrives(api_format, corpus(), loopback) == 291


@pytest.mark.parametrize("api_format", ApiFormat)
def test_every_odd_schema_arrives_as_it_was_made(api_format: ApiFormat, loopback: Loopback) -> None:
    tools = [fixture.tool for fixture in FIXTURES]
    assert arrives(api_format, tools, loopback) == len(tools)


@pytest.mark.parametrize("api_format", ApiFormat)
def test_the_server_refuses_what_the_provider_refuses(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    table = make_wire_tools([FIXTURES[0].tool], api_format)
    broken: Any = json.loads(json.dumps(table.tools).replace("mcp__", "mcp::"))
    with pytest.raises(Exception, match="400"):
        send(api_format, loopback, broken)


JUNK = Content("image", data=b"no picture", mime="image/png")
ANSWERS = (
    answer(Content("text", "done")),
    answer(),
    answer(structured={"n": 1}),
    answer(Content("text", "")),
    answer(Content("text", "see"), PICTURE),
    answer(JUNK),
    answer(Content("audio", data=b"x", mime="audio/wav")),
    answer(PDF),
    answer(Content("resource", "text", uri="file:///a.txt"), Content("link", uri="http://x")),
    answer(failed=True),
    answer(Content("text", "own words"), PICTURE, failed=True),
)


def calls(api_format: ApiFormat, answers: list[ToolAnswer]) -> list[dict[str, Any]]:
    """The turn that the answers answer, as each provider has it."""
    requests = tuple(ToolRequest(item.call_id, item.wire_name, "{}") for item in answers)
    turns = (UserMessage("Look."), AssistantMessage(requests=requests))
    request = CompletionRequest("m", turns)
    told = {
        ApiFormat.OPENAI: openai_chat.make_messages,
        ApiFormat.OPENAI_RESPONSES: openai_responses.make_items,
        ApiFormat.ANTHROPIC: anthropic.make_messages,
        ApiFormat.GEMINI: gemini.make_contents,
    }[api_format](request, "")
    count = len(requests) if api_format is ApiFormat.OPENAI_RESPONSES else 1
    asked = told[: 1 + count]
    for index, part in enumerate(asked[-1].get("parts", ())):
        part["functionCall"]["id"] = answers[index].call_id
    return asked


@pytest.mark.parametrize("media_inside", [True, False])
@pytest.mark.parametrize("api_format", ApiFormat)
def test_every_kind_of_answer_is_taken_by_each_provider(
    api_format: ApiFormat, media_inside: bool, loopback: Loopback
) -> None:
    answers = [replace(each, call_id=f"call_{i}") for i, each in enumerate(ANSWERS)]
    messages = calls(api_format, answers)
    messages += answer_messages(api_format, answers, media_inside=media_inside)
    tools = make_wire_tools([FIXTURES[0].tool], api_format).tools
    send(api_format, loopback, tools, messages)
    sent = loopback.last.raw.decode()
    assert PNG_TEXT in sent
    assert "no such file" in sent
