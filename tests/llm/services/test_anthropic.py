"""A request of Messages."""

from __future__ import annotations

import pytest

from desktop.llm.services.anthropic import DEFAULT_TOKENS, AnthropicMessages
from tests.llm.services.asking import load, request


async def test_the_body_has_what_the_api_wants() -> None:
    tools = await load(AnthropicMessages("x", "X").api_format)
    body = AnthropicMessages("x", "X").body(request(parallel=False, system="Be brief."), tools, "")
    assert body["max_tokens"] == DEFAULT_TOKENS
    assert body["system"] == "Be brief."
    assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}


@pytest.mark.parametrize(("base_url", "is_asked"), [("", True), ("http://x", False)])
def test_what_is_sent_again_is_cached_by_anthropic_itself(base_url: str, is_asked: bool) -> None:
    body = AnthropicMessages("x", "X", base_url).body(request(), None, "")
    assert ("cache_control" in body) == is_asked


def test_an_error_that_is_not_of_the_sdk_is_none() -> None:
    assert AnthropicMessages("x", "X").fault(ValueError("x")) is None
