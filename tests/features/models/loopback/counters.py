"""The providers' token counters, as far as tools go: a token for each four bytes of the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback import anthropic_messages, gemini_content, openai_chat
from tests.features.models.loopback.exchange import Reply, Request
from tests.features.models.provider_rules import violations

if TYPE_CHECKING:
    from collections.abc import Callable

_PATHS: dict[str, tuple[ApiFormat, str, Callable[[str, int], Any]]] = {
    "/v1/messages/count_tokens": (
        ApiFormat.ANTHROPIC,
        "input_tokens",
        anthropic_messages.refusal,
    ),
    "/v1/responses/input_tokens": (
        ApiFormat.OPENAI_RESPONSES,
        "input_tokens",
        openai_chat.refusal,
    ),
    ":countTokens": (ApiFormat.GEMINI, "totalTokens", gemini_content.refusal),
}


def reply(request: Request) -> Reply | None:
    """What the counter of this path says; None where it is no counter's."""
    found = next((rest for end, rest in _PATHS.items() if request.path.endswith(end)), None)
    if found is None:
        return None
    api_format, field, refusal = found
    body = request.body
    if api_format is ApiFormat.GEMINI:
        if "contents" in body or not body["generateContentRequest"].get("model"):
            return Reply(refusal("generate_content_request.model: required, alone", 400), 400)
        body = body["generateContentRequest"]
    if wrong := violations(api_format, body.get("tools", [])):
        return Reply(refusal("; ".join(wrong), 400), 400)
    return Reply({field: len(request.raw) // 4})
