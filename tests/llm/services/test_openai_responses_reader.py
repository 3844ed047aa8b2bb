"""Events of Responses."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.services.draft import Draft
from desktop.llm.services.faults import FaultError
from desktop.llm.services.openai_responses_reader import ResponsesReader

CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "a", "arguments": '{"x": 1}'}
SEALED: Any = {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "x"}
BARE: Any = {"type": "reasoning", "id": "r2", "summary": []}
MESSAGE: Any = {"type": "message", "content": [{"type": "output_text", "text": "Hello"}]}


def read(*events: Any) -> ResponsesReader:
    reader = ResponsesReader(Draft(), "OpenAI")
    reader.begin()
    for each in events:
        list(reader.read(each))
    return reader


def done(*items: Any) -> list[Any]:
    kind = "response.output_item.done"
    return [{"type": kind, "output_index": i, "item": item} for i, item in enumerate(items)]


def completed(*output: Any, **fields: Any) -> Any:
    return {"type": "response.completed", "response": {"output": list(output), **fields}}


def test_only_what_can_come_back_is_kept_to_be_sent_back() -> None:
    items = (SEALED, BARE, MESSAGE, CALL, {"type": "web_search_call"})
    reader = read(*done(*items), completed())
    assert list(reader.raw()) == [SEALED, MESSAGE, CALL]


def test_a_call_without_deltas_has_its_arguments_all_the_same() -> None:
    message = read(*done(CALL), completed()).draft.message(None)
    assert [(one.call_id, one.arguments) for one in message.requests] == [("c", '{"x": 1}')]


def test_a_server_may_tell_the_whole_alone() -> None:
    draft = read(completed(MESSAGE, CALL, model="m")).draft
    assert (draft.text, draft.calls[0].wire_name, draft.model) == ("Hello", "a", "m")


def test_a_call_that_was_cut_goes_back_readable() -> None:
    cut = {**CALL, "arguments": '{"x'}
    details = {"incomplete_details": {"reason": "max_output_tokens"}}
    reader = read(*done(cut), {"type": "response.incomplete", "response": details})
    assert reader.draft.stop == "length"
    assert reader.draft.message(None).requests[0].arguments == '{"x'
    assert reader.raw()[0]["arguments"] == '{"unreadable_arguments": "{\\"x"}'


def test_thoughts_in_parts_are_paragraphs() -> None:
    part: Any = {"type": "response.reasoning_summary_part.added"}
    text: Any = {"type": "response.reasoning_summary_text.delta", "delta": "hm"}
    assert read(part, text, part, text).draft.thinking == "hm\n\nhm"


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, "rate"),
        ({"type": "error", "error": {"code": "server_error", "message": "x"}}, "provider"),
        (
            {
                "type": "response.failed",
                "response": {"error": {"code": "context_length_exceeded", "message": "long"}},
            },
            "context",
        ),
    ],
)
def test_an_error_inside_the_stream_is_one(event: Any, kind: str) -> None:
    with pytest.raises(FaultError) as raised:
        read(event)
    assert raised.value.fault.kind == kind
