"""A conversation as contents of Gemini. Pure; knows no SDK.

Source: google-genai 3.4 `Content`, `Part`; the documentation of thought signatures for what stands
for one that another model cannot have.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from desktop.llm.formats import answers_gemini
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.messages import AssistantMessage, ToolMessage
from desktop.llm.services.history import arguments_object, settled
from desktop.llm.services.replaying import replayed
from desktop.llm.services.said import said
from desktop.llm.services.untyped import as_object, as_text

if TYPE_CHECKING:
    from desktop.llm.completion import CompletionRequest
    from desktop.llm.messages import ToolRequest
    from desktop.llm.services.untyped import Object

_THIRD: Final = re.compile(r"(models/)?gemini-([3-9]|\d\d)")
UNSIGNED: Final = base64.b64encode(b"skip_thought_signature_validator").decode()


def is_third(model: str) -> bool:
    """Gemini 3 and later: takes media inside an answer, wants a signature at a call."""
    return _THIRD.match(model) is not None


def contents(request: CompletionRequest, replay: str) -> list[Object]:
    """All messages, those of `replay` as they came; the system text is a field of its own."""
    told: list[Object] = []
    ids: set[str] = set()
    for message in settled(request.messages):
        match message:
            case ToolMessage():
                # Only an id that came is sent back.
                answers = [
                    one if one.call_id in ids else replace(one, call_id="")
                    for one in message.answers
                ]
                media_inside = is_third(request.model)
                told += answers_gemini.contents(answers, media_inside=media_inside)
            case AssistantMessage():
                parts = replayed(message, request.model, replay)
                ids |= {as_text(as_object(part.get("functionCall")).get("id")) for part in parts}
                told.append({"role": "model", "parts": parts or _parts(message, request.model)})
            case _:
                parts = [answers_gemini.part(piece) for piece in said(message)]
                told.append({"role": "user", "parts": parts})
    return told


def _parts(message: AssistantMessage, model: str) -> list[Object]:
    text = plain_text(message.text)
    told: list[Object] = [{"text": text}] if text.strip() else []
    calls = [_call(request) for request in message.requests]
    if calls and is_third(model):
        calls[0]["thoughtSignature"] = UNSIGNED
    return [*told, *calls]


def _call(request: ToolRequest) -> Object:
    call = {"name": request.wire_name, "args": arguments_object(request)}
    return {"functionCall": call}
