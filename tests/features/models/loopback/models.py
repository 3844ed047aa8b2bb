"""The list of models, as each provider answers `GET /models`."""

from __future__ import annotations

from typing import Any

from tests.features.models.loopback.exchange import Reply, Request


def reply(request: Request) -> Reply:
    """By the header that each provider's client sends and no other does."""
    names = {name.lower() for name in request.headers}
    if "x-goog-api-key" in names:
        return Reply({"models": [_gemini("gemini-x"), _gemini("embedding-x", "embedContent")]})
    if "anthropic-version" in names:
        return Reply({"data": [_anthropic("claude-x")], "has_more": False})
    return Reply({"object": "list", "data": [_openai("gpt-y"), _openai("gpt-x")]})


def _openai(name: str) -> Any:
    return {"id": name, "object": "model", "created": 0, "owned_by": "me"}


def _anthropic(name: str) -> Any:
    created = "2026-01-01T00:00:00Z"
    return {"id": name, "type": "model", "display_name": name, "created_at": created}


def _gemini(name: str, action: str = "generateContent") -> Any:
    return {"name": f"models/{name}", "supportedGenerationMethods": [action]}
