"""Gemini generateContent, as far as a conversation with tools goes."""

from __future__ import annotations

import base64
from typing import Any

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback.exchange import Reply, Request, Turn, Wire, data_event, pieces
from tests.features.models.loopback.pairs import Said, unpaired
from tests.features.models.provider_rules import violations

KINDS = {
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def refusal(message: str, status: int) -> Any:
    kind = KINDS.get(status, "INVALID_ARGUMENT")
    return {"error": {"code": status, "message": message, "status": kind}}


def _violations(request: Request) -> list[str]:
    body = request.body
    found = violations(ApiFormat.GEMINI, body.get("tools", []))
    found += unpaired(map(_said, body["contents"]))
    found += _unsigned(body["contents"]) if "gemini-3" in request.path else []
    if body["contents"][0]["role"] != "user":
        found.append("contents: a function call turn comes after a user turn")
    for content in body["contents"]:
        for part in content["parts"]:
            response = part.get("functionResponse") or part.get("function_response")
            if response is None:
                continue
            if not response.get("name") or not isinstance(response.get("response"), dict):
                found.append("function_response: name and response are needed")
            elif not set(response["response"]) <= {"output", "error"}:
                found.append("function_response: neither output nor error")
    return found


def _said(content: dict[str, Any]) -> Said:
    parts: list[Any] = content["parts"]
    calls = [_id(part["functionCall"]) for part in parts if "functionCall" in part]
    responses = [part.get("functionResponse") or part.get("function_response") for part in parts]
    answers = [_id(response) for response in responses if response]
    return Said(calls, answers, is_other=True)


def _id(value: dict[str, Any]) -> str:
    return f"{value['name']} {value.get('id')}"


def _unsigned(contents: list[Any]) -> list[str]:
    """The first call of each turn needs a signature."""
    firsts = [
        next((part for part in content["parts"] if "functionCall" in part), None)
        for content in contents
    ]
    unsigned = [item for item in firsts if item and not item.get("thoughtSignature")]
    return ["Function call is missing a thought_signature"] if unsigned else []


def _answer(request: Request) -> Reply:
    content = {"role": "model", "parts": [{"text": "ok"}]}
    return Reply({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]})


STOPS = {"end": "STOP", "tools": "STOP", "length": "MAX_TOKENS"}
BLOCKED = {"refused": "PROHIBITED_CONTENT", "filtered": "SAFETY"}


def signature(turn: Turn) -> str:
    """What a turn with calls carries, and what has to come back with it."""
    return base64.urlsafe_b64encode(f"signed_{turn.number}".encode()).decode()


def chunk(*parts: Any, finish: str | None = None, **more: Any) -> bytes:
    """One event: parts of the only candidate."""
    candidate: Any = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return data_event({"candidates": [candidate], "modelVersion": "gemini-x-1", **more})


def _stream(turn: Turn, request: Request) -> list[bytes]:
    events = [chunk({"text": part, "thought": True}) for part in pieces(turn.thinking)]
    events += [chunk({"text": part}) for part in pieces(turn.text)]
    calls: list[Any] = []
    for call in turn.calls:
        if isinstance(call.arguments, str):
            raise TypeError("Gemini sends whole objects as arguments")
        calls.append({"functionCall": {"name": call.name, "args": call.arguments}})
    if calls:  # only the first of parallel calls is signed
        calls[0]["thoughtSignature"] = signature(turn)
        events.append(chunk(*calls))
    finish = {**STOPS, **BLOCKED}[turn.stop]
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 1}
    usage["cachedContentTokenCount"] = 2
    return [*events, chunk({"text": ""}, finish=finish, usageMetadata=usage)]


WIRE = Wire(
    lambda path: ":generateContent" in path or ":streamGenerateContent" in path,
    _violations,
    refusal,
    _answer,
    _stream,
)
