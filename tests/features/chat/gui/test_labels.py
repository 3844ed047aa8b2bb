from __future__ import annotations

import time
from typing import TYPE_CHECKING, get_args

import pytest

from desktop.features.chat.gui.entries import CallState, NoticeEntry, NoticeKind, ToolCallEntry
from desktop.features.chat.gui.labels import call_label, notice_label, usage_label
from desktop.features.chat.llm.completion import CompletionError, Failure
from desktop.features.chat.llm.services.errors import http_error
from desktop.features.models.messages import Usage

if TYPE_CHECKING:
    from desktop.gui.widgets.styled_text import StyledText


def test_every_state_of_a_call_has_words_of_its_own() -> None:
    states: list[StyledText] = [
        call_label(ToolCallEntry("1", "t", state=state)) for state in get_args(CallState)
    ]
    assert len({state.text for state in states}) == len(states)


def test_every_notice_says_something() -> None:
    assert all(notice_label(NoticeEntry(kind, "x")).text for kind in get_args(NoticeKind))


def test_a_failure_says_what_to_do() -> None:
    told = {
        kind: notice_label(NoticeEntry("failed", "No.", cause=kind)) for kind in get_args(Failure)
    }
    assert {kind for kind, said in told.items() if not said.remedy} <= {"request", "provider"}
    assert "Settings" in told["key"].remedy


def test_a_limit_is_gone_on_from_unless_its_sentence_says_something_better() -> None:
    assert "go on" in notice_label(NoticeEntry("limit", "25 turns.")).remedy
    repeated = notice_label(NoticeEntry("limit", "The same call.\nChoose another model."))
    assert repeated.remedy == ""


def test_a_retry_says_why_and_when() -> None:
    said = notice_label(
        NoticeEntry("retry", "Too many requests.", due=time.monotonic() + 2.5, attempt=2)
    )
    assert said.text in {f"Too many requests. Next attempt (2) in {left} s." for left in (1, 2, 3)}


def test_tokens_are_told_once_there_are_any() -> None:
    assert usage_label(Usage()) == ""
    assert usage_label(Usage(120, 34)) == "120 tokens in, 34 out"
    assert usage_label(Usage(7270, 34)) == "7,270 tokens in, 34 out"  # in every locale
    assert usage_label(Usage(120, 34, 100)).endswith("100 of them cached")


@pytest.mark.usefixtures("chinese")
def test_why_a_model_did_not_answer_is_said_with_what_to_do() -> None:
    fault = http_error("X", 429, {"error": {"message": "slow down"}})
    notice = NoticeEntry(
        "failed", str(CompletionError(fault.kind, fault.message, remedy=fault.remedy))
    )

    assert notice_label(notice).text == (
        "已达到 X 的速率限制：slow down\n请稍等，或选择另一个模型。"
    )
