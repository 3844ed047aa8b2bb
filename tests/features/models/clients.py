"""One request with tools to the loopback server, in each provider's format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback.server import LIMIT

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback

_HELLO = [{"role": "user", "content": "hi"}]
_REQUESTS: dict[ApiFormat, tuple[str, str, Any, dict[str, Any]]] = {
    ApiFormat.OPENAI: ("/v1/chat/completions", "messages", _HELLO, {}),
    ApiFormat.OPENAI_RESPONSES: ("/v1/responses", "input", "hi", {}),
    ApiFormat.ANTHROPIC: ("/v1/messages", "messages", _HELLO, {"max_tokens": 9}),
    ApiFormat.GEMINI: (
        "/v1/models/m:generateContent",
        "contents",
        [{"role": "user", "parts": [{"text": "hi"}]}],
        {},
    ),
}


def send(api_format: ApiFormat, server: Loopback, tools: Any, messages: Any = None) -> None:
    """Send tools, and messages or a greeting.

    Raises:
        AssertionError: the server refused them, with its reason.
    """
    path, field, greeting, more = _REQUESTS[api_format]
    body = {"model": "m", field: messages or greeting, "tools": tools, **more}
    # The server judges every tool before it answers: httpx2's own 5 s are too few under load.
    answer = httpx2.post(server.url + path, json=body, timeout=LIMIT)
    assert answer.is_success, f"{answer.status_code} {answer.text}"
