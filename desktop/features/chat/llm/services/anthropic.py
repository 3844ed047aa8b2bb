"""Anthropic Messages: the request, and reading its events.

Source: anthropic 2.11 `MessageCreateParams`, `MessageParam`, `RawMessageStreamEvent`: a result
right after its call, no empty text, an object as `input`, ids of letters, digits, `_` and `-`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.features.chat.llm.services.conversation import (
    COUNTED_WITH,
    make_safe_id,
    map_messages,
    read_arguments,
    use_safe_ids,
)
from desktop.features.chat.llm.services.limits import MAX_MODELS
from desktop.features.chat.llm.services.response import StreamedCalls
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats import anthropic as formats
from desktop.features.models.json_values import (
    as_count,
    as_index,
    as_object,
    as_objects,
    as_text,
    plain_text,
)
from desktop.features.models.messages import Usage
from desktop.features.models.model_facts import ListedModel, documented, read_facts

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

DEFAULT_TOKENS: Final = 16_384
"""The API wants a number; every model on offer today can say as much."""
MOST_TOKENS: Final = 64_000
"""Tokens of an answer without a person's word, also of models that can write more."""
_ADAPTIVE: Final = compile_later(
    r"claude-((opus|sonnet|fable|haiku)-([5-9]|\d\d)(\D|$)|(opus|sonnet)-4-[6-9])"
)
"""Models that decide by themselves how much they think (platform.claude.com, "Adaptive thinking",
2026-11-25); older ones think only where they are given a budget."""
_STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
    "pause_turn": "other",
}
_GROWING: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
}


class AnthropicMessages(Struct, frozen=True):
    """`base_url` is empty for Anthropic itself."""

    name: str
    label: str
    base_url: str = ""

    @property
    def api_format(self) -> ApiFormat:
        return ApiFormat.ANTHROPIC

    @property
    def address(self) -> str:
        return self.base_url or "https://api.anthropic.com"

    def headers(self, key: str) -> dict[str, str]:
        # As the SDK sends them: `_api_key_auth`, `ANTHROPIC_API_VERSION`.
        return {"Authorization": f"Bearer {key}", "anthropic-version": "2026-10-21"}

    def path(self, model: str) -> str:
        return "/v1/messages"

    def build_body(
        self, request: CompletionRequest, tools: WireTools | None, source: str
    ) -> JsonObject:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens or _usual_tokens(request),
            "messages": make_messages(request, source),
            "stream": True,
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.effort is not None:
            level = {"minimal": "low"}.get(request.effort, request.effort)
            body["output_config"] = {"effort": level}
        if _ADAPTIVE.match(request.model):
            # Without it what the model writes between its calls comes as empty thinking.
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
        if not self.base_url:
            # Each step of an agent sends all of the conversation again: a tenth of the price.
            body["cache_control"] = {"type": "ephemeral"}
        if request.system.strip():
            body["system"] = plain_text(request.system)
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        return body

    def make_reader(self, builder: ResponseBuilder) -> AnthropicReader:
        return AnthropicReader(builder)

    async def list_models(self, http: ProviderHttp, seconds: float) -> list[ListedModel]:
        found: list[ListedModel] = []
        parameters = {"limit": "1000"}
        while len(found) < MAX_MODELS:
            page = await http.fetch("/v1/models", parameters, seconds)
            listed = [
                ListedModel(as_text(model.get("id")), read_facts(model))
                for model in as_objects(page.get("data"))
            ]
            found += (model for model in listed if model.name)
            if not page.get("has_more") or not listed:
                break
            parameters["after_id"] = listed[-1].name
        return found[:MAX_MODELS]

    def counting_request(self, model: str, tools: WireTools | None) -> tuple[str, JsonObject]:
        body: JsonObject = {"model": model, "messages": [{"role": "user", "content": COUNTED_WITH}]}
        if tools and tools.tools:
            body["tools"] = tools.tools
        return "/v1/messages/count_tokens", body

    def read_count(self, answer: JsonObject) -> int:
        return as_count(answer.get("input_tokens"))


def _usual_tokens(request: CompletionRequest) -> int:
    """Room for a large answer, that leaves more for the conversation."""
    facts = request.facts.over(documented(request.model))
    if not facts.output:
        return DEFAULT_TOKENS
    return min(facts.output, MOST_TOKENS, facts.window // 4 or MOST_TOKENS)


def make_messages(request: CompletionRequest, source: str) -> list[JsonObject]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    return map_messages(request, source, user=_user, model=_model, tools=_tools)


def _user(parts: list[ContentPart]) -> list[JsonObject]:
    return [{"role": "user", "content": [formats.make_block(part) for part in parts]}]


def _model(message: AssistantMessage, raw: list[JsonObject]) -> list[JsonObject]:
    return [{"role": "assistant", "content": raw or _blocks(message)}]


def _blocks(message: AssistantMessage) -> list[JsonObject]:
    # The API refuses white space at the end of what may be the last message.
    text = plain_text(message.text).rstrip()
    blocks: list[JsonObject] = [{"type": "text", "text": text}] if text else []
    return [*blocks, *map(_call, message.requests)]


def _call(request: ToolRequest) -> JsonObject:
    return {
        "type": "tool_use",
        "id": make_safe_id(request.call_id),
        "name": request.wire_name,
        "input": read_arguments(request),
    }


def _tools(answers: Sequence[ToolAnswer]) -> list[JsonObject]:
    return formats.format_results(use_safe_ids(answers))


class AnthropicReader:
    """One turn, which may take several responses where the provider pauses it."""

    def __init__(self, builder: ResponseBuilder) -> None:
        self.builder = builder
        self._is_paused = False
        self._before: list[JsonObject] = []
        self._blocks: list[JsonObject] = []
        self._at: dict[int, int] = {}
        self._grown: dict[tuple[int, str], list[str]] = {}
        self._calls = StreamedCalls(builder)
        self._call_of: dict[int, int] = {}
        self._counted = Usage()
        self._usage: JsonObject = {}

    def begin_response(self) -> None:
        if self._is_paused:
            self._before, self._counted = list(self.replay_items()), self.builder.usage
        self.builder.stop, self._is_paused = None, False
        self._blocks.clear()
        self._at.clear()
        self._grown.clear()
        self._calls.begin_response()
        self._call_of.clear()
        self._usage = {}

    def read(self, event: JsonObject) -> Iterator[CompletionEvent]:
        index = as_index(event.get("index"))
        match event.get("type"):
            case "message":  # whole, of a server that does not stream
                yield from self.read({"type": "message_start", "message": event})
                for number, block in enumerate(as_objects(event.get("content"))):
                    yield from self._start(number, block)
                self._stop(as_text(event.get("stop_reason")))
                self.builder.end()
            case "message_stop":
                self.builder.end()
            case "message_start":
                message = as_object(event.get("message"))
                self.builder.model = as_text(message.get("model"))
                self._count(as_object(message.get("usage")))
            case "content_block_start":
                yield from self._start(index, as_object(event.get("content_block")))
            case "content_block_delta":
                yield from self._delta(index, as_object(event.get("delta")))
            case "message_delta":
                self._count(as_object(event.get("usage")))
                self._stop(as_text(as_object(event.get("delta")).get("stop_reason")))
            case _:
                pass

    def continue_body(self, body: JsonObject) -> JsonObject | None:
        if not self._is_paused:
            return None
        begun = {"role": "assistant", "content": list(self.replay_items())}
        return {**body, "messages": [*body["messages"], begun]}

    def replay_items(self) -> Sequence[JsonObject]:
        """The blocks as they have to come back: thoughts with their signature, input as objects."""
        requests = tuple(self.builder.requests())
        found = [self._whole(n, block, requests) for n, block in enumerate(self._blocks)]
        return [*self._before, *filter(_is_taken_back, found)]

    def _start(self, index: int, block: JsonObject) -> Iterator[CompletionEvent]:
        """A block begins, also at an index where one was before."""
        self._at[index] = len(self._blocks)
        self._blocks.append(dict(block))
        match block.get("type"):
            case "text":
                yield from self.builder.add_text(as_text(block.get("text")))
            case "thinking":
                if self.builder.thinking:
                    yield from self.builder.add_thinking("\n\n")
                yield from self.builder.add_thinking(as_text(block.get("thinking")))
            case "tool_use":
                given = as_object(block.get("input"))  # empty, but for compatible servers
                name, ids = as_text(block.get("name")), [as_text(block.get("id"))]
                where = yield from self._calls.open(index, ids, name, given or "")
                if where is not None:
                    self._call_of[self._at[index]] = where
            case _:
                pass

    def _delta(self, index: int, delta: JsonObject) -> Iterator[CompletionEvent]:
        kind = as_text(delta.get("type"))
        if kind == "input_json_delta":
            if arguments := as_text(delta.get("partial_json")):
                yield from self._calls.add(index, (), arguments)
        elif (field := _GROWING.get(kind)) is not None:
            piece = as_text(delta.get(field))
            block = self._at.get(index, len(self._blocks) - 1)
            self._grown.setdefault((block, field), []).append(piece)
            if field != "signature":
                add = self.builder.add_text if field == "text" else self.builder.add_thinking
                yield from add(piece)

    def _stop(self, reason: str) -> None:
        if reason:
            self.builder.stop = _STOP_REASONS.get(reason, "other")
            self._is_paused = reason == "pause_turn"

    def _whole(self, number: int, block: JsonObject, requests: Sequence[ToolRequest]) -> JsonObject:
        if number not in self._call_of:
            grown = {
                field: as_text(block.get(field)) + "".join(self._grown[number, field])
                for field in _GROWING.values()
                if (number, field) in self._grown
            }
            return block | grown
        request = requests[self._call_of[number]]
        return block | {"id": request.call_id, "input": read_arguments(request)}

    def _count(self, usage: JsonObject) -> None:
        """Figures are cumulative, and the last of each counts; cached input is counted apart."""
        self._usage |= {key: value for key, value in usage.items() if value is not None}
        cached = as_count(self._usage.get("cache_read_input_tokens"))
        written = as_count(self._usage.get("cache_creation_input_tokens"))
        given = as_count(self._usage.get("input_tokens"))
        self.builder.usage = Usage(
            self._counted.input + given + cached + written,
            self._counted.output + as_count(self._usage.get("output_tokens")),
            self._counted.cached + cached,
        )


def _is_taken_back(block: JsonObject) -> bool:
    match block.get("type"):
        case "text":
            return bool(as_text(block.get("text")).strip())
        case "thinking":
            return bool(block.get("signature"))
        case _:
            return True
