"""OpenAI Responses: the request, and reading its events. Nothing is stored at the provider.

Source: openai 3.52 `ResponseCreateParams`, `ResponseInputItemParam`, `ResponseStreamEvent`.
Reasoning goes back and forth encrypted, where the model reasons: others refuse to be asked for it.
The deltas of a call are found by `item_id`, else by `output_index`; `call_id` pairs it with its
answer.
"""

from __future__ import annotations

import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from desktop.base.later_patterns import compile_later
from desktop.features.chat.llm.services.conversation import (
    COUNTED_WITH,
    make_safe_id,
    map_messages,
    read_arguments,
    use_safe_ids,
)
from desktop.features.chat.llm.services.errors import http_error
from desktop.features.chat.llm.services.openai import OpenAIApi
from desktop.features.chat.llm.services.response import StreamedCalls
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats import openai as formats
from desktop.features.models.json_values import (
    as_count,
    as_index,
    as_object,
    as_objects,
    as_text,
    plain_text,
)
from desktop.features.models.messages import ToolRequest, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from desktop.features.chat.llm.services.response import ResponseBuilder
    from desktop.features.models.formats import WireTools
    from desktop.features.models.formats.content_parts import ContentPart
    from desktop.features.models.json_values import JsonObject
    from desktop.features.models.messages import AssistantMessage, StopReason, ToolAnswer

_REASONING_MODELS: Final = compile_later(r"(o\d|gpt-([5-9]|\d\d)|codex)")
_ENCRYPTED_REASONING: Final = ["reasoning.encrypted_content"]
_INCOMPLETE: Final[Mapping[str, StopReason]] = {
    "max_output_tokens": "length",
    "content_filter": "filtered",
}
_SENT_BACK: Final = {"message", "reasoning", "function_call"}


class OpenAIResponses(OpenAIApi, frozen=True):
    """See `OpenAIApi`."""

    @property
    def api_format(self) -> ApiFormat:
        return ApiFormat.OPENAI_RESPONSES

    def build_body(
        self, request: CompletionRequest, tools: WireTools | None, source: str
    ) -> JsonObject:
        body: dict[str, Any] = {
            "model": request.model,
            "input": make_items(request, source),
            "stream": True,
            "store": False,
        }
        if request.system.strip():
            body["instructions"] = plain_text(request.system)
        if _REASONING_MODELS.match(request.model):
            body["include"] = _ENCRYPTED_REASONING
            # OpenAI, "Reasoning": a summary is given only where it is asked for.
            body["reasoning"] = {"summary": "auto", **_effort(request)}
        elif request.effort is not None:
            body["reasoning"] = _effort(request)
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body["max_output_tokens"] = request.max_tokens
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["parallel_tool_calls"] = False
        return body

    def path(self, model: str) -> str:
        return "/responses"

    def make_reader(self, builder: ResponseBuilder) -> ResponsesReader:
        return ResponsesReader(builder, self.label)

    def counting_request(self, model: str, tools: WireTools | None) -> tuple[str, JsonObject]:
        # API reference, "Get input token counts": the fields of a request that are read.
        body: JsonObject = {"model": model, "input": COUNTED_WITH}
        if tools and tools.tools:
            body["tools"] = tools.tools
        return "/responses/input_tokens", body

    def read_count(self, answer: JsonObject) -> int:
        return as_count(answer.get("input_tokens"))


def _effort(request: CompletionRequest) -> JsonObject:
    known = {"max": "xhigh"}
    return {"effort": known.get(request.effort, request.effort)} if request.effort else {}


def make_items(request: CompletionRequest, source: str) -> list[JsonObject]:
    """All messages, those of `source` as they came; the system text is a field of its own."""
    return map_messages(request, source, user=_user, model=_model, tools=_tools)


def _user(parts: list[ContentPart]) -> list[JsonObject]:
    content = [formats.make_responses_part(part) for part in parts]
    return [{"type": "message", "role": "user", "content": content}]


def _model(message: AssistantMessage, raw: list[JsonObject]) -> list[JsonObject]:
    if raw:
        return raw
    text = plain_text(message.text)
    item: JsonObject = {"type": "message", "role": "assistant", "content": text}
    return [*([item] if text.strip() else []), *map(_call, message.requests)]


def _call(request: ToolRequest) -> JsonObject:
    return {
        "type": "function_call",
        "call_id": make_safe_id(request.call_id),
        "name": request.wire_name,
        "arguments": json.dumps(read_arguments(request), ensure_ascii=False),
    }


def _tools(answers: Sequence[ToolAnswer]) -> list[JsonObject]:
    return formats.format_responses_results(use_safe_ids(answers))


class ResponsesReader:
    """One turn. `label` is what the provider is called in an error."""

    def __init__(self, builder: ResponseBuilder, label: str) -> None:
        self.builder = builder
        self._label = label
        self._calls = StreamedCalls(builder)
        self._whole_calls: set[int] = set()
        self._done: list[tuple[int, JsonObject]] = []
        self._is_refused = False
        self._readers: Mapping[str, Callable[[JsonObject], Iterator[CompletionEvent]]] = {
            "response.output_item.added": self._added,
            "response.output_text.delta": lambda e: self.builder.add_text(as_text(e.get("delta"))),
            "response.output_text.done": self._whole_text,
            "response.refusal.delta": self._refusal,
            "response.reasoning_summary_part.added": self._part,
            "response.reasoning_summary_text.delta": self._thought,
            "response.reasoning_text.delta": self._thought,
            "response.function_call_arguments.delta": self._arguments,
            "response.output_item.done": self._item,
            "response.completed": self._ended,
            "response.done": self._ended,
            "response.incomplete": self._ended,
            "response.failed": self._failed,
            "error": self._failed,
        }

    def begin_response(self) -> None:
        self.builder.stop = None
        self._calls.begin_response()
        self._whole_calls.clear()
        self._done.clear()

    def read(self, event: JsonObject) -> Iterator[CompletionEvent]:
        if event.get("object") == "response" or "output" in event:
            event = {"type": "response.completed", "response": event}
        if (reader := self._readers.get(as_text(event.get("type")))) is not None:
            yield from reader(event)

    def continue_body(self, body: JsonObject) -> None:
        """Nothing is ever paused here."""

    def replay_items(self) -> Sequence[JsonObject]:
        """The output items; reasoning without its seal is left out, as it is stored nowhere."""
        # Those with one number, or with none, in the order in which they came.
        return [
            _repaired(item)
            for _, item in sorted(self._done, key=itemgetter(0))
            if as_text(item.get("type")) in _SENT_BACK
            and (item["type"] != "reasoning" or item.get("encrypted_content"))
        ]

    def _added(self, event: JsonObject) -> Iterator[CompletionEvent]:
        item = as_object(event.get("item"))
        if item.get("type") == "function_call" and self._calls.find(None, *_ids(item)) is None:
            index, name = as_index(event.get("output_index")), as_text(item.get("name"))
            given = as_text(item.get("arguments"))
            yield from self._calls.open(index, _ids(item), name, given)

    def _call_of(self, item: JsonObject, index: int) -> int | None:
        """The call that an item is the whole of; proxies give it another id here."""
        where = self._calls.find(None, *_ids(item))
        if where is None and (found := self._calls.find(index)) is not None:
            name = self.builder.calls[found].wire_name
            where = found if name == item.get("name") and found not in self._whole_calls else None
        return where

    def _whole_text(self, event: JsonObject) -> Iterator[CompletionEvent]:
        """A text is whole: what came of it in pieces is there already."""
        if not self.builder.text:
            yield from self.builder.add_text(as_text(event.get("text")))

    def _refusal(self, event: JsonObject) -> Iterator[CompletionEvent]:
        self._is_refused = True
        return self.builder.add_text(as_text(event.get("delta")))

    def _part(self, event: JsonObject) -> Iterator[CompletionEvent]:
        if self.builder.thinking:
            yield from self.builder.add_thinking("\n\n")

    def _thought(self, event: JsonObject) -> Iterator[CompletionEvent]:
        return self.builder.add_thinking(as_text(event.get("delta")))

    def _arguments(self, event: JsonObject) -> Iterator[CompletionEvent]:
        if arguments := as_text(event.get("delta")):
            ids = [as_text(event.get("item_id")), as_text(event.get("call_id"))]
            yield from self._calls.add(as_index(event.get("output_index")), ids, arguments)

    def _item(self, event: JsonObject) -> Iterator[CompletionEvent]:
        """An item is whole: what it says of a call's arguments counts."""
        item, index = as_object(event.get("item")), as_index(event.get("output_index"))
        if item.get("type") == "function_call":
            where = self._call_of(item, index)
            if where is None:
                where = len(self.builder.calls)
                yield from self._added(event)
            if where < len(self.builder.calls):
                self._whole_calls.add(where)
                call, told = self.builder.calls[where], as_text(item.get("arguments"))
                if told and told != call.arguments:
                    call.clear()
                    yield from self.builder.add_arguments(where, told)
                # So that the answer, which goes by our id, meets this item again.
                item = item | {"call_id": call.call_id}
        self._done.append((index if index >= 0 else len(self._done), item))

    def _ended(self, event: JsonObject) -> Iterator[CompletionEvent]:
        response = as_object(event.get("response"))
        self.builder.model = as_text(response.get("model"))
        self._count(as_object(response.get("usage")))
        if not self._done:  # a server that tells only the whole
            for index, item in enumerate(as_objects(response.get("output"))):
                yield from self._whole(item)
                yield from self._item({"item": item, "output_index": index})
        reason = as_text(as_object(response.get("incomplete_details")).get("reason"))
        if event.get("type") == "response.incomplete" or reason:
            self.builder.stop = _INCOMPLETE.get(reason, "other")
        else:
            self.builder.stop = "refused" if self._is_refused else "end"

    def _whole(self, item: JsonObject) -> Iterator[CompletionEvent]:
        if not self.builder.text and item.get("type") == "message":
            for part in as_objects(item.get("content")):
                yield from self.builder.add_text(as_text(part.get("text")))

    def _failed(self, event: JsonObject) -> Iterator[CompletionEvent]:
        error = as_object(as_object(event.get("response")).get("error"))
        raise http_error(self._label, 0, error or as_object(event.get("error")) or event)

    def _count(self, usage: JsonObject) -> None:
        details = as_object(usage.get("input_tokens_details"))
        self.builder.usage = Usage(
            as_count(usage.get("input_tokens")),
            as_count(usage.get("output_tokens")),
            as_count(details.get("cached_tokens")),
        )


def _repaired(item: JsonObject) -> JsonObject:
    """A call that was cut goes back with arguments that can be read."""
    if item.get("type") != "function_call":
        return item
    request = ToolRequest("", "", as_text(item.get("arguments")))
    return item | {"arguments": json.dumps(read_arguments(request), ensure_ascii=False)}


def _ids(item: JsonObject) -> list[str]:
    """What further events may call an item by."""
    return [as_text(item.get("call_id")), as_text(item.get("id"))]
