"""Gemini generateContent: the request, and reading its chunks.

Source: google-genai 3.4 `Content`, `Part`, `GenerateContentConfig`, `GenerateContentResponse`,
`FinishReason`; the documentation of thought signatures for what stands for one that another model
cannot have. A call comes whole, often without an id; a part keeps its signature.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.chat.llm.services.conversation import (
    COUNTED_WITH,
    map_messages,
    read_arguments,
)
from desktop.features.chat.llm.services.errors import TRY_AGAIN, ProviderError, shorten
from desktop.features.chat.llm.services.limits import MAX_MODELS
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats import gemini as formats
from desktop.features.models.json_values import (
    as_count,
    as_list,
    as_object,
    as_objects,
    as_text,
    plain_text,
)
from desktop.features.models.messages import Usage
from desktop.features.models.model_facts import ListedModel, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from desktop.features.chat.llm.services.http_client import ProviderHttp
    from desktop.features.chat.llm.services.response import ResponseBuilder
    from desktop.features.models.formats import WireTools
    from desktop.features.models.formats.content_parts import ContentPart
    from desktop.features.models.json_values import JsonObject
    from desktop.features.models.messages import (
        AssistantMessage,
        StopReason,
        ToolAnswer,
        ToolRequest,
    )

_THINKING_MODELS: Final = compile_later(r"(models/)?gemini-(2\.5|[3-9]|\d\d)")
_VERSION: Final = compile_later(r"v\d+\w*")
_FROM_3: Final = compile_later(r"(models/)?gemini-([3-9]|\d\d)")
NO_SIGNATURE: Final = base64.b64encode(b"skip_thought_signature_validator").decode()
_STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    "SAFETY": "filtered",
    "RECITATION": "filtered",
    "LANGUAGE": "filtered",
    "BLOCKLIST": "filtered",
    "PROHIBITED_CONTENT": "filtered",
    "SPII": "filtered",
    "IMAGE_SAFETY": "filtered",
    "IMAGE_PROHIBITED_CONTENT": "filtered",
    "IMAGE_RECITATION": "filtered",
    "MODEL_ARMOR": "filtered",
    "ESCALATION": "filtered",
}
_MODEL_MISTAKES: Final = {
    "MALFORMED_FUNCTION_CALL": translatable("wrote a tool call that cannot be read"),
    "UNEXPECTED_TOOL_CALL": translatable("called a tool that it was not given"),
    "TOO_MANY_TOOL_CALLS": translatable("called too many tools at once"),
    "MALFORMED_RESPONSE": translatable("wrote an answer that cannot be read"),
}
"""The model's own mistakes: asked again, it often does better."""


class GeminiContents(Struct, frozen=True):
    """`base_url` is empty for Google itself."""

    name: str
    label: str
    base_url: str = ""

    @property
    def api_format(self) -> ApiFormat:
        return ApiFormat.GEMINI

    @property
    def address(self) -> str:
        return self.base_url or "https://generativelanguage.googleapis.com"

    @property
    def version(self) -> str:
        """What paths begin with: nothing where the address has a version at its end already."""
        last = urlsplit(self.address).path.rstrip("/").rpartition("/")[2]
        return "" if _VERSION.fullmatch(last) else "/v1"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def path(self, model: str) -> str:
        return f"{self.version}/{quote(_resource(model))}:streamGenerateContent?alt=sse"

    def build_body(
        self, request: CompletionRequest, tools: WireTools | None, source: str
    ) -> JsonObject:
        body: JsonObject = {"contents": make_contents(request, source)}
        config: JsonObject = {}
        if request.max_tokens is not None:
            config["maxOutputTokens"] = request.max_tokens
        if request.temperature is not None:
            config["temperature"] = request.temperature
        if _THINKING_MODELS.match(request.model):
            config["thinkingConfig"] = {"includeThoughts": True, **_effort(request)}
        if config:
            body["generationConfig"] = config
        if request.system.strip():
            body["systemInstruction"] = {"parts": [{"text": plain_text(request.system)}]}
        if tools and tools.tools:
            body["tools"] = tools.tools
        return body

    def make_reader(self, builder: ResponseBuilder) -> GeminiReader:
        return GeminiReader(builder, self.label)

    async def list_models(self, http: ProviderHttp, seconds: float) -> list[ListedModel]:
        found: list[ListedModel] = []
        parameters = {"pageSize": "1000"}
        while len(found) < MAX_MODELS:
            page = await http.fetch(f"{self.version}/models", parameters, seconds)
            found += [
                ListedModel(as_text(model.get("name")).removeprefix("models/"), read_facts(model))
                for model in as_objects(page.get("models"))
                if "generateContent" in as_list(model.get("supportedGenerationMethods"))
            ]
            if not (token := as_text(page.get("nextPageToken"))):
                break
            parameters["pageToken"] = token
        return [model for model in found if model.name][:MAX_MODELS]

    def counting_request(self, model: str, tools: WireTools | None) -> tuple[str, JsonObject]:
        # `contents` beside it would have the tools ignored; the model is wanted inside once more.
        request: JsonObject = {
            "model": _resource(model),
            "contents": [{"role": "user", "parts": [{"text": COUNTED_WITH}]}],
        }
        if tools and tools.tools:
            request["tools"] = tools.tools
        path = f"{self.version}/{quote(_resource(model))}:countTokens"
        return path, {"generateContentRequest": request}

    def read_count(self, answer: JsonObject) -> int:
        return as_count(answer.get("totalTokens"))


def _resource(model: str) -> str:
    """The name of a model as the API has it in its paths."""
    return model if model.startswith(("models/", "tunedModels/")) else f"models/{model}"


def is_gemini_3(model: str) -> bool:
    """Gemini 3 and later: takes media inside an answer, wants a signature at a call."""
    return _FROM_3.match(model) is not None


def _effort(request: CompletionRequest) -> JsonObject:
    """Gemini 3 knows levels; before, a budget of tokens, which is left to the model."""
    if request.effort is None or not _FROM_3.match(request.model):
        return {}
    return {"thinkingLevel": "high" if request.effort == "max" else request.effort}


def make_contents(request: CompletionRequest, source: str) -> list[JsonObject]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    is_new, ids = is_gemini_3(request.model), set[str]()

    def user(parts: list[ContentPart]) -> list[JsonObject]:
        return [{"role": "user", "parts": [formats.make_part(part) for part in parts]}]

    def model(message: AssistantMessage, raw: list[JsonObject]) -> list[JsonObject]:
        ids.update(as_text(as_object(part.get("functionCall")).get("id")) for part in raw)
        return [{"role": "model", "parts": raw or _parts(message, is_new)}]

    def tools(answers: Sequence[ToolAnswer]) -> list[JsonObject]:
        # Only an id that came is sent back.
        known = [
            answer if answer.call_id in ids else replace(answer, call_id="") for answer in answers
        ]
        return formats.format_results(known, media_inside=is_new)

    return map_messages(request, source, user=user, model=model, tools=tools)


def _parts(message: AssistantMessage, is_new: bool) -> list[JsonObject]:
    text = plain_text(message.text)
    parts: list[JsonObject] = [{"text": text}] if text.strip() else []
    calls = [_call(request) for request in message.requests]
    if calls and is_new:
        calls[0]["thoughtSignature"] = NO_SIGNATURE
    return [*parts, *calls]


def _call(request: ToolRequest) -> JsonObject:
    call = {"name": request.wire_name, "args": read_arguments(request)}
    return {"functionCall": call}


class GeminiReader:
    """One turn of the only candidate. `label` is what the provider is called in an error."""

    def __init__(self, builder: ResponseBuilder, label: str) -> None:
        self.builder = builder
        self._label = label
        self._parts: list[JsonObject] = []
        self._texts: dict[int, list[str]] = {}

    def begin_response(self) -> None:
        self.builder.stop = None
        self._parts.clear()
        self._texts.clear()

    def read(self, event: JsonObject) -> Iterator[CompletionEvent]:
        self.builder.model = as_text(event.get("modelVersion")) or self.builder.model
        if usage := as_object(event.get("usageMetadata")):
            self._count(usage)
        if reason := as_text(as_object(event.get("promptFeedback")).get("blockReason")):
            self.builder.stop = "filtered"
            said = translatable("Gemini did not take the prompt: {reason}", reason=shorten(reason))
            yield from self.builder.add_note(said)
        for candidate in as_objects(event.get("candidates"))[:1]:
            for part in as_objects(as_object(candidate.get("content")).get("parts")):
                yield from self._part(part)
            yield from self._finish(candidate)

    def continue_body(self, body: JsonObject) -> None:
        """Nothing is ever paused here."""

    def replay_items(self) -> Sequence[JsonObject]:
        """The parts of the turn; texts that followed each other as one."""
        return [
            part | ({"text": "".join(self._texts[index])} if index in self._texts else {})
            for index, part in enumerate(self._parts)
        ]

    def _part(self, part: JsonObject) -> Iterator[CompletionEvent]:
        call = as_object(part.get("functionCall"))
        if call:
            name, call_id = as_text(call.get("name")), as_text(call.get("id"))
            yield from self.builder.add_call(call_id, name, as_object(call.get("args")))
            self._parts.append(part)
            return
        text = as_text(part.get("text"))
        yield from (
            self.builder.add_thinking(text) if part.get("thought") else self.builder.add_text(text)
        )
        self._keep(part)

    def _keep(self, part: JsonObject) -> None:
        """Join plain texts: the API sends them in hundreds, and takes them back as one."""
        text, is_plain = as_text(part.get("text")), part.keys() <= {"text", "thought"}
        if is_plain and not text:
            return
        last = len(self._parts) - 1
        if is_plain and last in self._texts and _is_thought(part) == _is_thought(self._parts[-1]):
            self._texts[last].append(text)
            return
        if is_plain:
            self._texts[last + 1] = [text]
        self._parts.append(part)

    def _finish(self, candidate: JsonObject) -> Iterator[CompletionEvent]:
        reason = as_text(candidate.get("finishReason"))
        if not reason:
            return
        self.builder.stop = _STOP_REASONS.get(reason, "other")
        if (mistake := _MODEL_MISTAKES.get(reason)) is None:
            return
        said = shorten(as_text(candidate.get("finishMessage")))
        sentence = (
            translatable("{label} {mistake}: {said}", label=self._label, mistake=mistake, said=said)
            if said
            else translatable("{label} {mistake}.", label=self._label, mistake=mistake)
        )
        if not self.builder.text and not self.builder.calls and not self.builder.thinking:
            raise ProviderError("provider", sentence, TRY_AGAIN, is_transient=True)
        yield from self.builder.add_note(sentence)

    def _count(self, usage: JsonObject) -> None:
        spoken = as_count(usage.get("candidatesTokenCount"))
        self.builder.usage = Usage(
            as_count(usage.get("promptTokenCount")),
            spoken + as_count(usage.get("thoughtsTokenCount")),
            as_count(usage.get("cachedContentTokenCount")),
        )


def _is_thought(part: JsonObject) -> bool:
    return bool(part.get("thought"))
