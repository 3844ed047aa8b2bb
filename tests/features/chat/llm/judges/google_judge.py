"""The judge of Gemini generateContent: the package `google-genai`.

Its types are models that forbid what they do not know. The wire has what its configuration joins:
the system text and the tools stand beside `generationConfig`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import httpx2
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, ValidationError

from desktop.features.models.formats import ApiFormat
from tests.features.chat.llm.judges.judge import KEY, SECONDS, Heard, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.features.chat.llm.judges.judge import Body

_VERSION, _MODEL = re.compile(r"/(v1\w*)/"), re.compile(r"/(models/[^:]+):")


class GeminiJudge:
    """generateContent."""

    def misfits(self, body: Body, path: str) -> list[str]:
        known = {"contents", "systemInstruction", "tools", "generationConfig"}
        return [
            *(f"{key}: unknown" for key in body if key not in known),
            *_judged(types.Content, body["contents"], "contents"),
            *_judged(types.Content, [body.get("systemInstruction", {})], "systemInstruction"),
            *_judged(types.Tool, body.get("tools", []), "tools"),
            *_judged(types.GenerationConfig, [body.get("generationConfig", {})], "generation"),
        ]

    def ask(self, url: str, body: Body, path: str) -> Heard | Refused:
        version, model = _VERSION.search(path), _MODEL.search(path)
        assert version is not None
        assert model is not None
        options = types.HttpOptions(
            base_url=url, api_version=version[1], timeout=int(SECONDS * 1000)
        )
        config = types.GenerateContentConfig.model_validate(
            {
                **body.get("generationConfig", {}),
                "systemInstruction": body.get("systemInstruction"),
                "tools": body.get("tools"),
                "automaticFunctionCalling": {"disable": True},
            }
        )
        try:
            with genai.Client(api_key=KEY, http_options=options) as client:
                stream = client.models.generate_content_stream(
                    model=model[1], contents=body["contents"], config=config
                )
                return _heard(list(stream))
        except errors.APIError as error:
            return Refused(error.code, str(error.message))
        except httpx2.TransportError as error:
            return Refused(0, str(error))


def _heard(chunks: list[types.GenerateContentResponse]) -> Heard:
    said: dict[bool, str] = {False: "", True: ""}
    calls: list[tuple[str, Any]] = []
    stop, usage = "", (0, 0, 0)
    for chunk in chunks:
        for candidate in chunk.candidates or ():
            stop = candidate.finish_reason.value if candidate.finish_reason else stop
            for part in (candidate.content and candidate.content.parts) or ():
                said[bool(part.thought)] += part.text or ""
                if part.function_call is not None:
                    calls.append((part.function_call.name or "", part.function_call.args))
        if (told := chunk.usage_metadata) is not None:
            spoken = (told.candidates_token_count or 0) + (told.thoughts_token_count or 0)
            cached = told.cached_content_token_count or 0
            usage = (told.prompt_token_count or 0, spoken, cached)
    return Heard(said[False], said[True], calls, usage, stop)


def _judged(model: type[BaseModel], values: list[Any], place: str) -> Iterator[str]:
    for number, value in enumerate(values):
        try:
            model.model_validate(value)
        except ValidationError as error:
            for each in error.errors():
                yield f"{place}.{number}.{'.'.join(map(str, each['loc']))}: {each['msg']}"


JUDGES = {ApiFormat.GEMINI: GeminiJudge()}
