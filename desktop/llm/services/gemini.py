"""Gemini generateContent: the request, the official SDK's stream and its errors.

Source: google-genai 3.4 `GenerateContentConfig`. Imports `google.genai` in functions alone. The SDK
runs functions by itself where it is not told otherwise: it is.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats import ApiFormat
from desktop.llm.json_values import plain_text
from desktop.llm.services.faults import Fault, http_fault, lost_connection
from desktop.llm.services.gemini_contents import contents
from desktop.llm.services.gemini_reader import GeminiReader
from desktop.llm.services.listing import MOST_MODELS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import httpx2
    from google.genai import Client

    from desktop.llm.completion import CompletionRequest
    from desktop.llm.formats import WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_THINKS: Final = re.compile(r"(models/)?gemini-(2\.5|[3-9]|\d\d)")


@dataclass(frozen=True, slots=True)
class GeminiClient:
    """The SDK's client, and the connections under it, which it does not close."""

    sdk: Client
    http: httpx2.AsyncClient


@dataclass(frozen=True, slots=True)
class GeminiContents:
    """`base_url` is empty for Google itself."""

    name: str
    label: str
    base_url: str = ""

    package: str = field(default="gemini", init=False)
    api_format: ApiFormat = field(default=ApiFormat.GEMINI, init=False)

    def connect(self, key: str) -> GeminiClient:
        import httpx2
        from google import genai
        from google.genai import types

        from desktop.llm.services import bounds

        http = httpx2.AsyncClient(timeout=bounds.timeout(), **bounds.client_options())
        options = types.HttpOptions(
            base_url=self.base_url or None,
            headers=dict(bounds.HEADERS),
            httpx_async_client=http,
        )
        sdk = genai.Client(api_key=key, vertexai=False, http_options=options)
        # Built at the first use of each type, which would be on the loop.
        types.GenerateContentResponse.model_validate({"candidates": [{"content": {"parts": []}}]})
        return GeminiClient(sdk, http)

    def body(self, request: CompletionRequest, tools: WireTools | None, replay: str) -> Object:
        config: dict[str, Any] = {"automaticFunctionCalling": {"disable": True}}
        if request.system.strip():
            config["systemInstruction"] = plain_text(request.system)
        if request.max_tokens is not None:
            config["maxOutputTokens"] = request.max_tokens
        if _THINKS.match(request.model):
            config["thinkingConfig"] = {"includeThoughts": True}
        if tools and tools.tools:
            config["tools"] = tools.tools
        return {"model": request.model, "contents": contents(request, replay), "config": config}

    async def events(self, client: GeminiClient, body: Object) -> AsyncGenerator[Object]:
        from desktop.llm.services import bounds

        arguments = await asyncio.to_thread(_typed, body)
        with bounds.leavable() as responses:
            stream = await cast("Any", client.sdk.aio.models).generate_content_stream(**arguments)
            try:
                async for event in stream:
                    yield event.model_dump(mode="json", by_alias=True, exclude_none=True)
            finally:
                # Closed from outside, the SDK's nested generators would keep the connection: they
                # end by themselves where there is nothing more to read.
                for response in responses:
                    response.is_left = True
                with suppress(Exception):
                    async for _ in stream:
                        pass
                for response in responses:
                    await response.aclose()

    def reader(self, draft: Draft) -> GeminiReader:
        return GeminiReader(draft, self.label)

    def fault(self, error: Exception) -> Fault | None:
        import httpx2
        from google.genai import errors

        match error:
            case errors.APIError():
                told = cast("Any", error)
                headers = getattr(told.response, "headers", None)
                return http_fault(self.label, error.code, told.details, headers)
            case httpx2.HTTPError():
                return lost_connection(self.label, error)
            case _:
                return None

    async def models(self, client: GeminiClient) -> list[str]:
        found: list[str] = []
        async for model in await client.sdk.aio.models.list():
            if model.name and "generateContent" in (model.supported_actions or ()):
                found.append(model.name.removeprefix("models/"))
            if len(found) >= MOST_MODELS:
                break
        return found

    async def close(self, client: GeminiClient) -> None:
        await client.sdk.aio.aclose()
        await client.http.aclose()
        client.sdk.close()


def _typed(body: Object) -> dict[str, Any]:
    """The request in the SDK's types, which read base64 as JSON alone."""
    from google.genai import types

    content, config = types.Content, types.GenerateContentConfig
    return {
        "model": body["model"],
        "contents": [content.model_validate_json(json.dumps(each)) for each in body["contents"]],
        "config": config.model_validate_json(json.dumps(body["config"])),
    }
