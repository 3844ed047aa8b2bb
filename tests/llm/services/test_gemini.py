"""A request of generateContent."""

from __future__ import annotations

import pytest

from desktop.llm.services.gemini import GeminiContents
from tests.llm.services.asking import request


@pytest.mark.parametrize(
    ("model", "thinks"), [("gemini-2.5-pro", True), ("gemini-3-x", True), ("gemini-2.0-x", False)]
)
def test_thoughts_are_asked_for_where_there_are_some(model: str, thinks: bool) -> None:
    body = GeminiContents("x", "X").body(request(model=model, system="Be brief."), None, "")
    assert ("thinkingConfig" in body["config"]) == thinks
    assert body["config"]["systemInstruction"] == "Be brief."


def test_the_sdk_runs_no_function_by_itself() -> None:
    body = GeminiContents("x", "X").body(request(), None, "")
    assert body["config"]["automaticFunctionCalling"] == {"disable": True}


def test_an_error_that_is_not_of_the_sdk_is_none() -> None:
    assert GeminiContents("x", "X").fault(ValueError("x")) is None
