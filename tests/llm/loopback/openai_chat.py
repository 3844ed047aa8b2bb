"""OpenAI Chat Completions, as far as a conversation with tools goes."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats import ApiFormat
from tests.llm.loopback.exchange import Reply, Request, Wire
from tests.llm.provider_rules import violations


def refusal(message: str) -> Any:
    return {"error": {"message": message, "type": "invalid_request_error", "code": None}}


def _violations(body: dict[str, Any]) -> list[str]:
    found = violations(ApiFormat.OPENAI, body.get("tools", []))
    for message in body["messages"]:
        content = message.get("content")
        if message["role"] == "tool" and not isinstance(content, str):
            found.append("messages: content of a tool message must be text")
        if content in ("", []):
            found.append("messages: content is empty")
    return found


def _answer(request: Request) -> Reply:
    message = {"role": "assistant", "content": "ok", "refusal": None}
    return Reply(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": request.body["model"],
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": message, "logprobs": None}
            ],
        }
    )


WIRE = Wire(lambda path: path.endswith("/chat/completions"), _violations, refusal, _answer)
