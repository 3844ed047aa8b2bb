"""Gemini generateContent, as far as a conversation with tools goes."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats import ApiFormat
from tests.llm.loopback.exchange import Reply, Request, Wire
from tests.llm.provider_rules import violations


def _refusal(message: str) -> Any:
    return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}


def _violations(body: dict[str, Any]) -> list[str]:
    found = violations(ApiFormat.GEMINI, body.get("tools", []))
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


def _answer(request: Request) -> Reply:
    content = {"role": "model", "parts": [{"text": "ok"}]}
    return Reply({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]})


WIRE = Wire(lambda path: ":generateContent" in path, _violations, _refusal, _answer)
