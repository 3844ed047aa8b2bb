"""OpenAI Responses, as far as a conversation with tools goes."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats import ApiFormat
from tests.llm.loopback.exchange import Reply, Request, Wire
from tests.llm.loopback.openai_chat import refusal
from tests.llm.provider_rules import violations


def _violations(body: dict[str, Any]) -> list[str]:
    found = violations(ApiFormat.OPENAI_RESPONSES, body.get("tools", []))
    items: list[Any] = [] if isinstance(body["input"], str) else body["input"]
    for item in items:
        if item.get("type") == "function_call_output" and not (item["call_id"] and item["output"]):
            found.append("input: a function_call_output needs call_id and output")
    return found


def _answer(request: Request) -> Reply:
    text: Any = {"type": "output_text", "text": "ok", "annotations": []}
    message: Any = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }
    return Reply(
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": request.body["model"],
            "output": [message],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
    )


WIRE = Wire(lambda path: path.endswith("/responses"), _violations, refusal, _answer)
