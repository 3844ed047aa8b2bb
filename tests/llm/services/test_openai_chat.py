"""A request of Chat Completions."""

from __future__ import annotations

import pytest

from desktop.llm.services.openai_chat import OpenAIChat
from tests.llm.services.asking import request


@pytest.mark.parametrize(
    ("base_url", "name"), [("", "max_completion_tokens"), ("http://x/v1", "max_tokens")]
)
def test_the_limit_has_the_name_that_the_server_knows(base_url: str, name: str) -> None:
    body = OpenAIChat("x", "X", base_url).body(request(max_tokens=7), None, "")
    assert body[name] == 7
    assert body["stream_options"] == {"include_usage": True}
    assert "tools" not in body
