"""Answers in the form of each provider."""

from __future__ import annotations

import pytest

from desktop.llm.formats import ApiFormat, answer_messages
from tests.llm.answer_cases import answer


@pytest.mark.parametrize("api_format", ApiFormat)
def test_no_answers_are_no_messages(api_format: ApiFormat) -> None:
    assert answer_messages(api_format, []) == []


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_round_of_calls_is_answered_whole(api_format: ApiFormat) -> None:
    messages = answer_messages(api_format, [answer(call_id="a"), answer(call_id="b")])
    is_one = api_format in {ApiFormat.ANTHROPIC, ApiFormat.GEMINI}
    assert len(messages) == (1 if is_one else 2)
