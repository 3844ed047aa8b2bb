"""Anthropic Messages, as far as a conversation with tools goes."""

from __future__ import annotations

import re
from typing import Any

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback.exchange import Reply, Request, Turn, Wire, named_event, pieces
from tests.features.models.loopback.pairs import Said, unpaired
from tests.features.models.provider_rules import violations

MEDIA = {
    "image": {"image/jpeg", "image/png", "image/gif", "image/webp"},
    "document": {"application/pdf", "text/plain"},
}


KINDS = {
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def refusal(message: str, status: int) -> Any:
    kind = KINDS.get(status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message}}


def _violations(request: Request) -> list[str]:
    body = request.body
    found = violations(ApiFormat.ANTHROPIC, body.get("tools", []))
    for message in body["messages"]:
        blocks: list[Any] = message["content"] if isinstance(message["content"], list) else []
        for block in blocks:
            if block["type"] == "tool_result":
                found += _result_violations(block)
            else:
                found += _block_violations(block)
    if body["messages"][0]["role"] != "user":
        found.append("messages: first message must use the user role")
    return found + unpaired(map(_said, body["messages"]))


def _block_violations(block: dict[str, Any]) -> list[str]:
    match block["type"]:
        case "text" if not block["text"].strip():
            return ["text content blocks must be non-empty"]
        case "thinking" if not block.get("signature"):
            return ["thinking.signature: Field required"]
        case "tool_use" if not isinstance(block["input"], dict):
            return ["tool_use.input: Input should be a valid dictionary"]
        case "tool_use" if not re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]):
            return ["tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"]
        case _:
            return []


def _said(message: dict[str, Any]) -> Said:
    content = message["content"]
    blocks: list[Any] = [{"type": "text"}] if isinstance(content, str) else content
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    answers = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    return Said(calls, answers, is_other=True)


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


STOPS = {
    "end": "end_turn",
    "tools": "tool_use",
    "length": "max_tokens",
    "refused": "refusal",
    "filtered": "refusal",
}


def _blocks(turn: Turn) -> list[tuple[Any, list[dict[str, Any]]]]:
    """Each content block as it begins, and its deltas."""
    found: list[tuple[Any, list[dict[str, Any]]]] = []
    if turn.thinking:
        deltas: list[dict[str, Any]] = [
            {"type": "thinking_delta", "thinking": part} for part in pieces(turn.thinking)
        ]
        deltas.append({"type": "signature_delta", "signature": f"signed_{turn.number}"})
        found.append(({"type": "thinking", "thinking": "", "signature": ""}, deltas))
    if turn.text:
        deltas = [{"type": "text_delta", "text": part} for part in pieces(turn.text)]
        found.append(({"type": "text", "text": ""}, deltas))
    for index, call in enumerate(turn.calls):
        deltas = [{"type": "input_json_delta", "partial_json": part} for part in pieces(call.text)]
        block: Any = {"type": "tool_use", "id": turn.call_id(index), "name": call.name, "input": {}}
        found.append((block, deltas))
    return found


def _stream(turn: Turn, request: Request) -> list[bytes]:
    message: Any = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    message |= {"model": request.body["model"], "stop_reason": None, "stop_sequence": None}
    message["usage"] = {"input_tokens": 8, "cache_read_input_tokens": 2, "output_tokens": 1}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, (block, deltas) in enumerate(_blocks(turn)):
        where: Any = {"index": index}
        events.append({"type": "content_block_start", **where, "content_block": block})
        events += [{"type": "content_block_delta", **where, "delta": each} for each in deltas]
        events.append({"type": "content_block_stop", **where})
    delta = {"stop_reason": STOPS[turn.stop], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}})
    events[-1:] = [{"type": "ping"}, events[-1], {"type": "message_stop"}]
    return [named_event(event) for event in events]


WIRE = Wire(lambda path: path.endswith("/v1/messages"), _violations, refusal, _answer, _stream)
