"""A request of Responses."""

from __future__ import annotations

import pytest

from desktop.llm.services.openai_responses import OpenAIResponses
from tests.llm.services.asking import request


@pytest.mark.parametrize(
    ("model", "reasons"),
    [("gpt-5.2", True), ("o4-mini", True), ("gpt-4o", False), ("gpt-12", True), ("llama", False)],
)
def test_sealed_reasoning_is_asked_for_where_there_is_some(model: str, reasons: bool) -> None:
    body = OpenAIResponses("x", "X").body(request(model=model), None, "")
    assert ("include" in body) == reasons
    assert body["store"] is False
