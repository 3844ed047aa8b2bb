"""OpenAI Chat Completions, as far as a conversation with tools goes."""

from __future__ import annotations

import json
from typing import Any

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback.exchange import Reply, Request, Turn, Wire, data_event, pieces
from tests.features.models.loopback.pairs import Said, unpaired
from tests.features.models.provider_rules import violations

KINDS = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


def refusal(message: str, status: int) -> Any:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": KINDS.get(status)}}


def _violations(request: Request) -> list[str]:
    body = request.body
    found = violations(ApiFormat.OPENAI, body.get("tools", []))
    for message in body["messages"]:
        content = message.get("content")
        if message["role"] == "tool" and not isinstance(content, str):
            found.append("messages: content of a tool message must be text")
        if content in ("", []):
            found.append("messages: content is empty")
        for call in message.get("tool_calls", []):
            if not isinstance(json.loads(call["function"]["arguments"]), dict):
                found.append("messages: arguments must be an object")
    return found + unpaired(map(_said, body["messages"]))


def _said(message: dict[str, Any]) -> Said:
    calls = [call["id"] for call in message.get("tool_calls", [])]
    if message["role"] == "tool":
        return Said(answers=[message["tool_call_id"]])
    return Said(calls, is_other=True)


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


STOPS = {
    "end": "stop",
    "tools": "tool_calls",
    "length": "length",
    "refused": "stop",
    "filtered": "content_filter",
}


def chunk(request: Request, delta: Any, finish: str | None = None, **more: Any) -> bytes:
    """One event: a delta of the only choice."""
    return data_event(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": request.body["model"],
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
            **more,
        }
    )


def _stream(turn: Turn, request: Request) -> list[bytes]:
    said = "refusal" if turn.stop == "refused" else "content"
    events = [chunk(request, {"role": "assistant", "content": ""})]
    events += [chunk(request, {"reasoning_content": piece}) for piece in pieces(turn.thinking)]
    events += [chunk(request, {said: piece}) for piece in pieces(turn.text)]
    for index, call in enumerate(turn.calls):
        begun: Any = {"name": call.name, "arguments": ""}
        deltas: list[Any] = [
            {"index": index, "id": turn.call_id(index), "type": "function", "function": begun},
            *({"index": index, "function": {"arguments": part}} for part in pieces(call.text)),
        ]
        events += [chunk(request, {"tool_calls": [delta]}) for delta in deltas]
    last = chunk(request, {}, STOPS[turn.stop])
    usage: Any = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    usage["prompt_tokens_details"] = {"cached_tokens": 2}
    asked = request.body.get("stream_options", {}).get("include_usage")
    told = [chunk(request, {}, choices=[], usage=usage)] if asked else []
    return [*events, last + b"".join(told) + b"data: [DONE]\n\n"]


WIRE = Wire(lambda path: path.endswith("/chat/completions"), _violations, refusal, _answer, _stream)
