"""A conversation for Gemini."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.completion import CompletionRequest
from desktop.llm.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from desktop.llm.services.gemini_contents import UNSIGNED, contents, is_third

HELLO = UserMessage("Hello")
REQUESTS = (ToolRequest("ours_1", "a", "{}"), ToolRequest("ours_2", "b", "{bad"))


@pytest.mark.parametrize(
    ("model", "third"),
    [
        ("gemini-3-pro", True),
        ("models/gemini-3.5-flash", True),
        ("gemini-10", True),
        ("gemini-2.5-pro", False),
        ("other", False),
    ],
)
def test_models_of_the_third_generation_are_known(model: str, third: bool) -> None:
    assert is_third(model) is third


@pytest.mark.parametrize(("model", "signature"), [("gemini-3-x", UNSIGNED), ("gemini-2.5", None)])
def test_calls_of_another_model_stand_without_its_signature(
    model: str, signature: str | None
) -> None:
    turn = AssistantMessage("Well.", REQUESTS)
    told = contents(CompletionRequest(model, [HELLO, turn]), "")
    assert [content["role"] for content in told] == ["user", "model", "user"]
    calls = told[1]["parts"][1:]
    assert [call.get("thoughtSignature") for call in calls] == [signature, None]
    assert calls[1]["functionCall"] == {"name": "b", "args": {"unreadable_arguments": "{bad"}}
    assert "id" not in told[2]["parts"][0]["functionResponse"]


def test_only_ids_that_came_are_sent_back() -> None:
    raw: tuple[Any, ...] = (
        {"functionCall": {"name": "a", "id": "ours_1"}, "thoughtSignature": "s"},
        {"functionCall": {"name": "b"}},
    )
    turn = AssistantMessage("", REQUESTS, replay=Replay("s", raw, "m"))
    told = contents(CompletionRequest("m", [HELLO, turn]), "s")
    assert tuple(told[1]["parts"]) == raw
    responses = [part["functionResponse"] for part in told[2]["parts"]]
    assert [each.get("id") for each in responses] == ["ours_1", None]
