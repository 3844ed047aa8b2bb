"""Refusals of the providers that people in China use are read by what they mean.

The bodies are those of their documentation, or of reports where that is silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.chat.llm.services.errors import event_error, http_error
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import AssistantMessage, Replay, ToolRequest, UserMessage
from tests.features.chat.llm.services.asking import events, failure, request, service, told, turn_of
from tests.features.models.loopback.exchange import Reply, Request, data_event
from tests.features.models.loopback.script import Script, failing, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback


def coded(code: Any, message: str) -> Any:
    return {"error": {"code": code, "message": message}}


NO_CREDIT = [
    (429, coded("1113", "余额不足或无可用资源包,请充值。")),
    (403, {"code": 30001, "message": "Sorry, your account balance is insufficient"}),
    (403, coded("AccountOverdueError", "your account has an overdue balance")),
    (403, coded("AllocationQuota.FreeTierOnly", "The free tier of the model is exhausted.")),
    (400, coded("Arrearage", "Access denied, your account is not in good standing.")),
    (402, {"error": {"message": "Insufficient Balance"}}),
    (429, {"error": {"type": "exceeded_current_quota_error", "message": "no quota"}}),
]
TOO_LONG = [
    (400, coded("1261", "Prompt 超长")),
    (400, coded("invalid_parameter_error", "Range of input length should be [1, 129024]")),
    (400, {"error": {"message": "Your request exceeded model token limit: 131072"}}),
]
RISKY = [
    (400, {"error": {"message": "Content Exists Risk", "code": "invalid_request_error"}}),
    (400, coded("data_inspection_failed", "Input data may contain inappropriate content.")),
    (400, coded("1301", "系统检测到输入或生成内容可能包含不安全或敏感内容")),
    (400, coded("SensitiveContentDetected", "the input text may contain sensitive information")),
    (400, {"error": {"type": "content_filter", "message": "it was considered high risk"}}),
]


@pytest.mark.parametrize(("status", "body"), NO_CREDIT)
def test_no_balance_is_no_rate_limit_and_no_wrong_key(status: int, body: Any) -> None:
    error = http_error("X", status, body)
    assert (error.kind, error.is_transient) == ("rate", False)
    assert "no remaining credit" in error.message
    assert "balance" in error.remedy


@pytest.mark.parametrize(("status", "body"), TOO_LONG)
def test_too_long_is_too_long(status: int, body: Any) -> None:
    assert http_error("X", status, body).kind == "context"


@pytest.mark.parametrize(("status", "body"), RISKY)
def test_a_content_check_has_a_remedy(status: int, body: Any) -> None:
    error = http_error("X", status, body)
    assert (error.kind, error.is_transient) == ("request", False)
    assert "content check of X" in error.message
    assert "use another provider" in error.remedy


def test_a_limit_of_the_plan_says_until_when_and_is_not_tried_again() -> None:
    words = "已达到 5 小时的使用上限。您的限额将在 2026-11-27 15:00:00 重置。"
    error = http_error("X", 429, coded("1308", words))
    assert (error.kind, error.is_transient) == ("rate", False)
    assert "15:00:00" in error.message


def test_a_busy_server_and_too_many_at_once_are_tried_again() -> None:
    assert http_error("X", 429, coded("1302", "并发数过高")).is_transient
    assert http_error("X", 429, coded("1305", "访问量过大")).kind == "overloaded"


@pytest.mark.parametrize(
    ("code", "kind"),
    [(1008, "rate"), (1004, "key"), (1002, "rate"), (1026, "request"), (1039, "context")],
)
def test_a_refusal_with_status_200_is_read_by_its_code(code: int, kind: str) -> None:
    error = event_error("X", {"base_resp": {"status_code": code, "status_msg": "why"}})
    assert error is not None
    assert error.kind == kind
    assert "why" in error.message


def test_the_words_of_a_right_answer_mean_nothing() -> None:
    assert event_error("X", {"choices": [], "base_resp": {"status_code": 0}}) is None


async def test_glm_ends_by_its_own_words(loopback: Loopback) -> None:
    def ends(reason: str) -> Reply:
        chunks: list[Any] = [
            {"choices": [{"index": 0, "delta": {"content": "a"}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        ]
        return Reply(pieces=list(map(data_event, chunks)), content_type="text/event-stream")

    async with service(ApiFormat.OPENAI, loopback) as asked:
        loopback.play(Script([ends("sensitive"), ends("network_error")]))
        assert (await turn_of(asked, request())).stop == "filtered"
        error = await failure(asked, request())
        assert "broke off in the middle of its answer" in str(error)


FIELD = "reasoning_content"
CALL = ToolRequest("1", "calculator__add", "{}")
BARE = AssistantMessage("", (CALL,), stop="tools")
ITEM = {
    "role": "assistant",
    "content": None,
    FIELD: "I think.",
    "tool_calls": [
        {"id": "0", "type": "function", "function": {"name": "calculator__add", "arguments": "{}"}}
    ],
}
THOUGHT = AssistantMessage(
    "",
    (ToolRequest("0", "calculator__add", "{}"),),
    "I think.",
    stop="tools",
    replay=Replay("mine/openai", (ITEM,), "kimi"),
)


def assistants(request: Request) -> list[dict[str, Any]]:
    return [message for message in request.body["messages"] if message["role"] == "assistant"]


async def test_once_shown_the_field_goes_back_beside_every_call_also_to_another_model(
    loopback: Loopback,
) -> None:
    script = Script([turn("one")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        said = [UserMessage("go"), THOUGHT, BARE, UserMessage("and?")]
        await events(asked, request(said, model="deepseek"))
    assert [message[FIELD] for message in assistants(script.requests[0])] == ["", ""]


async def test_a_server_that_wants_the_field_is_given_it_at_once_from_then_on(
    loopback: Loopback,
) -> None:
    """DeepSeek answered a call without the field, and wants it back all the same."""
    words = f"Missing {FIELD} field in the assistant message at message index 1."
    script = Script([failing(400, words), turn("one"), turn("two")])
    loopback.play(script)
    said = [UserMessage("go"), BARE, UserMessage("and?")]
    async with service(ApiFormat.OPENAI, loopback) as asked:
        for text in ("one", "two"):
            assert told(await events(asked, request(said, model="wants"))) == text
    sent = [[FIELD in message for message in assistants(each)] for each in script.requests]
    assert sent == [[False], [True], [True]]


async def test_a_server_that_does_not_know_the_field_is_not_sent_it_again(
    loopback: Loopback,
) -> None:
    words = f"body.messages.1.assistant.{FIELD}: Extra inputs are not permitted"
    script = Script([failing(422, words), turn("one")])
    loopback.play(script)
    said = [UserMessage("go"), THOUGHT, UserMessage("and?")]
    async with service(ApiFormat.OPENAI, loopback) as asked:
        assert told(await events(asked, request(said, model="strict"))) == "one"
    sent = [[FIELD in message for message in assistants(each)] for each in script.requests]
    assert sent == [[True], [False]]


async def test_a_server_that_refuses_it_either_way_is_not_asked_for_ever(
    loopback: Loopback,
) -> None:
    words = f"Missing {FIELD} field"
    script = Script([failing(400, words), failing(400, words)])
    loopback.play(script)
    said = [UserMessage("go"), BARE, UserMessage("and?")]
    async with service(ApiFormat.OPENAI, loopback) as asked:
        assert "did not take back what it thought" in str(await failure(asked, request(said)))
    assert script.is_done
