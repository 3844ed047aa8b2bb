"""Anthropic Messages, as far as a conversation with tools goes."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats import ApiFormat
from tests.llm.loopback.exchange import Reply, Request, Wire
from tests.llm.provider_rules import violations

MEDIA = {
    "image": {"image/jpeg", "image/png", "image/gif", "image/webp"},
    "document": {"application/pdf", "text/plain"},
}


def _refusal(message: str) -> Any:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


def _violations(body: dict[str, Any]) -> list[str]:
    found = violations(ApiFormat.ANTHROPIC, body.get("tools", []))
    for message in body["messages"]:
        blocks: list[Any] = message["content"] if isinstance(message["content"], list) else []
        for block in blocks:
            if block["type"] == "tool_result":
                found += _result_violations(block)
    return found


def _result_violations(block: dict[str, Any]) -> list[str]:
    found: list[str] = []
    if not block["content"]:
        found.append("tool_result: content is empty")
    for part in block["content"]:
        if block.get("is_error") and part["type"] != "text":
            found.append("tool_result: all content must be type 'text' if 'is_error' is true")
        if part["type"] == "text" and not part["text"].strip():
            found.append("text content blocks must be non-empty")
        if part["type"] in MEDIA and part["source"]["media_type"] not in MEDIA[part["type"]]:
            found.append("source.media_type: not permitted")
    return found


def _answer(request: Request) -> Reply:
    return Reply(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": request.body["model"],
            "content": [{"type": "text", "text": "ok"}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )


WIRE = Wire(lambda path: path.endswith("/v1/messages"), _violations, _refusal, _answer)
