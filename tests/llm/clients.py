"""The providers' own clients, pointed at the loopback server: one call each with tools."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, cast

from desktop.llm.formats import ApiFormat

if TYPE_CHECKING:
    from tests.llm.loopback.server import Loopback


def send(api_format: ApiFormat, server: Loopback, tools: Any, messages: Any = None) -> str:
    """Send one request through the provider's official client; the text that came back.

    Raises:
        Exception: the client's own error for what the server refused.
    """
    senders = {
        ApiFormat.OPENAI: _chat,
        ApiFormat.OPENAI_RESPONSES: _responses,
        ApiFormat.ANTHROPIC: _anthropic,
        ApiFormat.GEMINI: _gemini,
    }
    return senders[api_format](server.url, tools, messages)


def _chat(url: str, tools: Any, messages: Any) -> str:
    from openai import OpenAI

    with OpenAI(api_key="none", base_url=url, max_retries=0) as client:
        asked: Any = messages or [{"role": "user", "content": "hi"}]
        answer = client.chat.completions.create(model="m", messages=asked, tools=tools)
        return answer.choices[0].message.content or ""


def _responses(url: str, tools: Any, messages: Any) -> str:
    from openai import OpenAI

    with OpenAI(api_key="none", base_url=url, max_retries=0) as client:
        return client.responses.create(model="m", input=messages or "hi", tools=tools).output_text


def _anthropic(url: str, tools: Any, messages: Any) -> str:
    from anthropic import Anthropic

    with Anthropic(api_key="none", base_url=url, max_retries=0) as client:
        asked: Any = messages or [{"role": "user", "content": "hi"}]
        answer = client.messages.create(model="m", max_tokens=9, messages=asked, tools=tools)
        return getattr(answer.content[0], "text", "")


def _gemini(url: str, tools: Any, messages: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from google import genai
        from google.genai import types

    asked: Any = messages and [
        types.Content.model_validate_json(json.dumps(message)) for message in messages
    ]
    off = types.AutomaticFunctionCallingConfig(disable=True)
    config = types.GenerateContentConfig(
        tools=[types.Tool.model_validate(tool) for tool in tools], automatic_function_calling=off
    )
    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))
    try:
        answer = cast("Any", client.models).generate_content(
            model="m", contents=asked or "hi", config=config
        )
        return answer.text or ""
    finally:
        client.close()
