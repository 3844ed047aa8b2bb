"""What tools cost, asked of the provider's own counter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.chat.llm.completion import CompletionError, TokenCount
from desktop.features.chat.llm.services import RequestLimits
from desktop.features.chat.llm.services import service as services
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.features.chat.llm.services.asking import ADD, KEY, service
from tests.features.models.loopback.exchange import Reply

if TYPE_CHECKING:
    from tests.features.models.loopback.exchange import Request
    from tests.features.models.loopback.server import Loopback

COUNTING = [ApiFormat.ANTHROPIC, ApiFormat.GEMINI, ApiFormat.OPENAI_RESPONSES]
PATHS = {
    ApiFormat.ANTHROPIC: "/v1/messages/count_tokens",
    ApiFormat.GEMINI: "/v1/models/model-x:countTokens",
    ApiFormat.OPENAI_RESPONSES: "/v1/responses/input_tokens",
}


async def count(api_format: ApiFormat, loopback: Loopback) -> TokenCount:
    tools = make_wire_tools([ADD], api_format)
    async with service(api_format, loopback) as asked:
        return await asked.count_tools("model-x", tools)


@pytest.mark.parametrize("api_format", COUNTING)
async def test_the_count_is_what_the_tools_add_to_a_short_message(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    counted = await count(api_format, loopback)
    whole, bare = loopback.requests
    assert {whole.path, bare.path} == {PATHS[api_format]}
    assert counted.tokens == len(whole.raw) // 4 - len(bare.raw) // 4 > 20
    assert (counted.provider, counted.model) == ("mine", "model-x")
    assert b"mcp__calculator__add" in whole.raw
    assert b"tools" not in bare.raw


@pytest.mark.parametrize("api_format", COUNTING)
async def test_what_the_counter_refuses_is_said_in_words_without_the_key(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.count = lambda _: Reply({"error": {"message": f"no model for {KEY}"}}, 404)
    with pytest.raises(CompletionError, match="no model for") as raised:
        await count(api_format, loopback)
    assert raised.value.kind == "request"
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("body", [{}, {"input_tokens": "many"}, {"input_tokens": -3}, []])
async def test_an_answer_without_a_number_is_no_count(body: object, loopback: Loopback) -> None:
    loopback.count = lambda _: Reply(body)
    with pytest.raises(CompletionError) as raised:
        await count(ApiFormat.ANTHROPIC, loopback)
    assert raised.value.kind == "provider"


async def test_an_api_without_a_counter_says_so_and_is_not_asked(loopback: Loopback) -> None:
    with pytest.raises(CompletionError, match="no counter"):
        await count(ApiFormat.OPENAI, loopback)
    assert loopback.requests == []


async def test_a_counter_that_never_answers_has_a_limit(loopback: Loopback) -> None:
    loopback.count = lambda _: Reply(pieces=[b" "], ending="held")
    tools = make_wire_tools([ADD], ApiFormat.ANTHROPIC)
    limits = RequestLimits(listing=0.2)
    async with service(ApiFormat.ANTHROPIC, loopback, limits=limits) as asked:
        with pytest.raises(CompletionError) as raised:
            await asked.count_tools("model-x", tools)
    assert raised.value.kind == "timeout"


async def test_a_count_that_is_given_up_hangs_up(loopback: Loopback) -> None:
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()

    def hold(_: Request) -> Reply:
        loop.call_soon_threadsafe(arrived.set)
        return Reply(pieces=[b" "], ending="held")

    loopback.count = hold
    tools = make_wire_tools([ADD], ApiFormat.ANTHROPIC)
    async with service(ApiFormat.ANTHROPIC, loopback) as asked:
        task = spawn(asked.count_tools("model-x", tools), "count")
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await asyncio.to_thread(loopback.hung_up.wait, 15)


async def test_more_than_a_provider_reads_is_not_sent(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_COUNTED_BYTES", 5_000)
    large = ToolDefinition("s", "large", description="x" * 6_000)
    tools = make_wire_tools([large], ApiFormat.ANTHROPIC)
    async with service(ApiFormat.ANTHROPIC, loopback) as asked:
        with pytest.raises(CompletionError, match="too many to be counted"):
            await asked.count_tools("model-x", tools)
    assert loopback.requests == []
