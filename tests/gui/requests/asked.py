"""Requests as servers make them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from desktop.config.imports.dangers import address_dangers, host_of
from desktop.servers.elicited_form import secret_fields
from desktop.servers.requests import (
    ElicitationRequest,
    SamplingMessage,
    SamplingRequest,
    UrlElicitationRequest,
)
from desktop.values.tool_types import Content

TABLE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "seats": {"type": "integer", "minimum": 1, "default": 2},
    },
    "required": ["name"],
}


def form(schema: dict[str, Any] = TABLE, message: str = "A table?") -> ElicitationRequest:
    return ElicitationRequest(message, schema, secret_fields(schema))


def visit(url: str, *, blocks_call: bool = False) -> UrlElicitationRequest:
    host = host_of(url)[0] or ""
    dangers = tuple(address_dangers("url", url))
    return UrlElicitationRequest("Sign in", url, "e1", host, dangers, blocks_call)


def prompt(*texts: str, **more: Any) -> SamplingRequest:
    messages = tuple(
        SamplingMessage("user" if at % 2 == 0 else "assistant", (Content("text", text),))
        for at, text in enumerate(texts or ("a poem",))
    )
    return replace(SamplingRequest(messages, max_tokens=50), **more)
