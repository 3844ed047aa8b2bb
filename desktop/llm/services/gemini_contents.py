"""A conversation as contents of Gemini. Pure; knows no SDK.

Source: google-genai 3.4 `Content`, `Part`; the documentation of thought signatures for what stands
for one that another model cannot have.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from desktop.llm.formats import gemini
from desktop.llm.json_values import plain_text
from desktop.llm.services.history import arguments_object
from desktop.llm.services.telling import tell
from desktop.llm.services.untyped import as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats.content_parts import ContentPart
    from desktop.llm.messages import AssistantMessage, ToolAnswer, ToolRequest
    from desktop.llm.services.untyped import Object

_THIRD: Final = re.compile(r"(models/)?gemini-([3-9]|\d\d)")
UNSIGNED: Final = base64.b64encode(b"skip_thought_signature_validator").decode()


def is_third(model: str) -> bool:
    """Gemini 3 and later: takes media inside an answer, wants a signature at a call."""
    return _THIRD.match(model) is not None


def contents(request: CompletionRequest, source: str) -> list[Object]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    is_new, ids = is_third(request.model), set[str]()

    def person(found: list[ContentPart]) -> list[Object]:
        return [{"role": "user", "parts": [gemini.make_part(piece) for piece in found]}]

    def model(message: AssistantMessage, raw: list[Object]) -> list[Object]:
        ids.update(as_text(as_object(part.get("functionCall")).get("id")) for part in raw)
        return [{"role": "model", "parts": raw or _parts(message, is_new)}]

    def tools(answers: Sequence[ToolAnswer]) -> list[Object]:
        # Only an id that came is sent back.
        known = [one if one.call_id in ids else replace(one, call_id="") for one in answers]
        return gemini.format_results(known, media_inside=is_new)

    return tell(request, source, person=person, model=model, tools=tools)


def _parts(message: AssistantMessage, is_new: bool) -> list[Object]:
    text = plain_text(message.text)
    told: list[Object] = [{"text": text}] if text.strip() else []
    calls = [_call(request) for request in message.requests]
    if calls and is_new:
        calls[0]["thoughtSignature"] = UNSIGNED
    return [*told, *calls]


def _call(request: ToolRequest) -> Object:
    call = {"name": request.wire_name, "args": arguments_object(request)}
    return {"functionCall": call}
