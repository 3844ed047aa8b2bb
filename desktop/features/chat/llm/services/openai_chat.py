"""OpenAI Chat Completions, also of every compatible server: the request, and reading its chunks.

Source: openai 3.52 `CompletionCreateParams`, `ChatCompletionMessageParam`, `ChatCompletionChunk`.
Compatible servers send a call whole, its arguments as an object, no usage, and thinking under one
of two names; DeepSeek, Kimi and others want `reasoning_content` back beside the calls it led to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.chat.llm.services.conversation import map_messages, read_arguments
from desktop.features.chat.llm.services.errors import ProviderError, http_error
from desktop.features.chat.llm.services.openai import OpenAIApi
from desktop.features.chat.llm.services.response import StreamedCalls
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats import openai as formats
from desktop.features.models.json_values import (
    as_count,
    as_list,
    as_object,
    as_objects,
    as_text,
    plain_text,
)
from desktop.features.models.messages import AssistantMessage, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from desktop.features.chat.llm.services.response import ResponseBuilder
    from desktop.features.models.formats import WireTools
    from desktop.features.models.formats.content_parts import ContentPart
    from desktop.features.models.json_values import JsonObject
    from desktop.features.models.messages import Message, StopReason, ToolRequest

_STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "filtered",
    "sensitive": "filtered",  # 智谱, docs.bigmodel.cn/api-reference, 2026-11-27
}
_FIELD: Final = "reasoning_content"
_THINKING_KEYS: Final = (_FIELD, "reasoning")
_DETAILS: Final = "reasoning_details"
_GROWING: Final = ("text", "summary", "data")
_OPEN, _CLOSE = "<think>", "</think>"
_LONE_END: Final = compile_later(r"^[ \t]*</think>[ \t]*(?:\n\s*|\Z)", re.MULTILINE)
"""The end of thinking on a line of its own, as templates write it; elsewhere it is a word."""
_MAX_DIGITS: Final = 6
_CALL_KEYS: Final = {"index", "id", "type", "function"}


class OpenAIChat(OpenAIApi, frozen=True):
    """See `OpenAIApi`."""

    @property
    def api_format(self) -> ApiFormat:
        return ApiFormat.OPENAI

    def build_body(
        self, request: CompletionRequest, tools: WireTools | None, source: str
    ) -> JsonObject:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": make_messages(request, source),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.max_tokens is not None:
            # Compatible servers know the old name; OpenAI's newer models refuse it.
            name = "max_tokens" if self.base_url else "max_completion_tokens"
            body[name] = request.max_tokens
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.effort is not None:
            body["reasoning_effort"] = "high" if request.effort == "max" else request.effort
        if tools and tools.tools:
            body["tools"] = tools.tools
            if not request.parallel:
                body["parallel_tool_calls"] = False
        return body

    def path(self, model: str) -> str:
        return "/chat/completions"

    def make_reader(self, builder: ResponseBuilder) -> ChatReader:
        return ChatReader(builder, self.label)

    def counting_request(self, model: str, tools: WireTools | None) -> tuple[str, JsonObject]:
        raise ProviderError(
            "request",
            translatable("{label} has no counter for this API.", label=self.label),
            translatable("The estimate is all that there is."),
        )

    def read_count(self, answer: JsonObject) -> int:
        return 0


def make_messages(request: CompletionRequest, source: str) -> list[JsonObject]:
    """The system text and all messages, those of `source` as they came."""
    system = plain_text(request.system)
    messages = map_messages(
        request,
        source,
        user=_user,
        model=partial(_model, with_thoughts=_wants_thoughts(request)),
        tools=formats.format_chat_results,
    )
    return [{"role": "system", "content": system}, *messages] if system.strip() else messages


def _user(parts: list[ContentPart]) -> list[JsonObject]:
    content: Any = [formats.make_chat_part(part) for part in parts]
    if all(part.is_text for part in parts):
        # Some compatible servers do not understand parts.
        content = "\n".join(part.text for part in parts)
    return [{"role": "user", "content": content}]


def _wants_thoughts(request: CompletionRequest) -> bool | None:
    """Whether each call is accompanied by `reasoning_content`, empty where there was none.

    DeepSeek and Kimi refuse a conversation that has the field beside one call and not beside
    another (api-docs.deepseek.com/guides/thinking_mode, 2026-11-27); others do not know it. So it
    is sent where the server said what it wants, and where the conversation has shown the field.
    """
    if (wanted := request.facts.reasoning) is not None:
        return wanted
    return any(map(_has_thoughts, request.messages)) or None


def _has_thoughts(message: Message) -> bool:
    replay = message.replay if isinstance(message, AssistantMessage) else None
    return replay is not None and any(_FIELD in item for item in replay.items)


def _model(
    message: AssistantMessage, raw: list[JsonObject], *, with_thoughts: bool | None
) -> list[JsonObject]:
    turn: JsonObject = {"role": "assistant", "content": plain_text(message.text) or None}
    if message.requests:
        turn["tool_calls"] = [_make_call(request) for request in message.requests]
    turns = raw or [turn]
    if with_thoughts is False:
        return [{key: each[key] for key in each if key != _FIELD} for each in turns]
    if with_thoughts:
        return [{_FIELD: ""} | each if each.get("tool_calls") else each for each in turns]
    return turns


def _make_call(request: ToolRequest) -> JsonObject:
    """A call to be sent back: its arguments are always an object, as some servers parse them."""
    arguments: Any = json.dumps(read_arguments(request), ensure_ascii=False)
    function = {"name": request.wire_name, "arguments": arguments}
    return {"id": request.call_id, "type": "function", "function": function}


class ThinkTags:
    """Tells `<think>…</think>` at the beginning of an answer from the answer itself.

    Servers without a parser for it (MiniMax, many that run distilled models) leave it in the text,
    and want it back there. Where the template has written the beginning already (DeepSeek R1,
    QwQ), only the end of it comes: what stood before it turns out to have been thinking once the
    whole is there. Anywhere else the tag is a word of the answer.
    """

    def __init__(self) -> None:
        self.is_found = False
        self._pieces: list[str] = []
        self._held = ""
        self._is_fresh = False
        self._state: Literal["before", "inside", "after"] = "before"

    @property
    def whole(self) -> str:
        """The answer as it came."""
        return "".join(self._pieces)

    def take(self, text: str) -> Iterator[tuple[bool, str]]:
        """The next piece of the answer. Yields: whether it is thinking, and the words of it."""
        if not text:
            return
        if self._state == "after" and not self.is_found:
            yield False, text
            return
        self._pieces.append(text)
        self._held += text
        if self._state == "before":
            begun = self._held.lstrip()
            if _OPEN.startswith(begun[: len(_OPEN)]) and len(begun) < len(_OPEN):
                return  # it may become one
            self.is_found = begun.startswith(_OPEN)
            self._state = "inside" if self.is_found else "after"
            self._is_fresh = self.is_found
            self._held = begun.removeprefix(_OPEN) if self.is_found else self._held
        if self._state == "inside":
            thought, tag, rest = self._held.partition(_CLOSE)
            if not tag:  # the end of it may be the beginning of one
                keep = next(
                    (n for n in range(len(_CLOSE) - 1, 0, -1) if thought.endswith(_CLOSE[:n])), 0
                )
                thought, rest = thought[: len(thought) - keep], thought[len(thought) - keep :]
            yield from self._words(thought, is_thought=True)
            self._held = rest
            if tag:
                self._state, self._is_fresh = "after", True
        if self._state == "after":
            held, self._held = self._held, ""
            yield from self._words(held, is_thought=False)

    def end(self) -> Iterator[tuple[bool, str]]:
        """What was held back because more could come."""
        held, self._held = self._held, ""
        yield from self._words(held, is_thought=self._state == "inside")

    def _words(self, words: str, *, is_thought: bool) -> Iterator[tuple[bool, str]]:
        """Without the white space right after a tag."""
        if self._is_fresh:
            words = words.lstrip()
        if words:
            self._is_fresh = False
            yield is_thought, words


class ChatReader:
    """One turn of the only choice. `label` is what the provider is called in an error."""

    def __init__(self, builder: ResponseBuilder, label: str) -> None:
        self.builder = builder
        self._label = label
        self._calls = StreamedCalls(builder)
        self._extras: dict[int, JsonObject] = {}
        self._thoughts = ""
        self._details: dict[tuple[object, str], dict[str, Any]] = {}
        self._tagged = ThinkTags()
        self._whole = ""
        self._is_refused = False

    def begin_response(self) -> None:
        self.builder.stop = None
        self._details.clear()
        self._tagged = ThinkTags()

    def read(self, event: JsonObject) -> Iterator[CompletionEvent]:
        self.builder.model = as_text(event.get("model")) or self.builder.model
        if usage := as_object(event.get("usage")):
            self._count(usage)
        for choice in as_objects(event.get("choices")):
            if choice.get("index") in (0, None):
                if choice.get("error"):
                    raise http_error(self._label, 0, choice)
                # A server that does not stream sends the whole; the oldest ones a bare text.
                whole = as_object(choice.get("message")) or {"content": choice.get("text")}
                yield from self._delta(as_object(choice.get("delta")) or whole)
                yield from self._finish(as_text(choice.get("finish_reason")))

    def continue_body(self, body: JsonObject) -> None:
        """Nothing is ever paused here."""

    def replay_items(self) -> Sequence[JsonObject]:
        """The turn with thoughts and what servers add to calls; nothing where there is neither."""
        whole = self._tagged.whole if self._tagged.is_found else self._whole
        if not (self._thoughts or self._extras or self._details or whole):
            return ()
        builder = self.builder
        text = whole or builder.text
        told: JsonObject = {"role": "assistant", "content": text or None}
        if self._details:
            # OpenRouter, "Preserving reasoning": the whole list, in its order and as it came.
            told[_DETAILS] = list(self._details.values())
        elif self._thoughts:
            told[self._thoughts] = builder.thinking
        if builder.calls:
            told["tool_calls"] = [
                _make_call(request) | self._extras.get(index, {})
                for index, request in enumerate(builder.requests())
            ]
        return (told,)

    def _delta(self, delta: JsonObject) -> Iterator[CompletionEvent]:
        for name in _THINKING_KEYS:
            if thought := as_text(delta.get(name)):
                self._thoughts = self._thoughts or name
                yield from self.builder.add_thinking(thought)
                break
        for detail in as_objects(delta.get(_DETAILS)):
            yield from self._detail(detail, is_told=any(delta.get(key) for key in _THINKING_KEYS))
        yield from self._content(delta.get("content"))
        if refusal := as_text(delta.get("refusal")):
            self._is_refused = True
            yield from self.builder.add_text(refusal)
        for call in as_objects(delta.get("tool_calls")):
            yield from self._call(call)
        if legacy := as_object(delta.get("function_call")):
            yield from self._call({"function": legacy})

    def _content(self, content: object) -> Iterator[CompletionEvent]:
        """A text, or, of Mistral, a list of parts."""
        for is_thought, piece in self._tagged.take(as_text(content)):
            add = self.builder.add_thinking if is_thought else self.builder.add_text
            yield from add(piece)
        for part in as_objects(content):
            yield from self.builder.add_text(as_text(part.get("text")))
            for thought in as_objects(part.get("thinking")):
                yield from self.builder.add_thinking(as_text(thought.get("text")))

    def _detail(self, detail: JsonObject, *, is_told: bool) -> Iterator[CompletionEvent]:
        """A piece of `reasoning_details`: what grows is joined, what is one stays the last.

        Args: is_told: whether the same words come under another key, too.
        """
        number = detail.get("index", len(self._details))
        whole = self._details.setdefault((number, as_text(detail.get("type"))), {})
        for key, value in detail.items():
            if key in _GROWING and isinstance(value, str):
                whole[key] = as_text(whole.get(key)) + value
            elif value is not None or key not in whole:
                whole[key] = value
        if not is_told:
            words = as_text(detail.get("text")) or as_text(detail.get("summary"))
            yield from self.builder.add_thinking(words)

    def _call(self, delta: JsonObject) -> Iterator[CompletionEvent]:
        function = as_object(delta.get("function"))
        where = yield from self._calls.read(
            _index(delta.get("index")),
            as_text(delta.get("id")),
            as_text(function.get("name")),
            _arguments(function.get("arguments")),
        )
        extra = {key: delta[key] for key in delta if key not in _CALL_KEYS and delta[key]}
        if extra and where is not None:
            self._extras[where] = self._extras.get(where, {}) | extra

    def _finish(self, reason: str) -> Iterator[CompletionEvent]:
        if reason:
            for is_thought, piece in self._tagged.end():
                add = self.builder.add_thinking if is_thought else self.builder.add_text
                yield from add(piece)
            self._fold_lone_end()
        if reason == "network_error":  # 智谱: its own inference broke off
            message = translatable(
                "{label} broke off in the middle of its answer.", label=self._label
            )
            remedy = translatable("Try again.")
            raise ProviderError("provider", message, remedy, is_transient=True)
        if reason:
            self.builder.stop = (
                "refused" if self._is_refused else _STOP_REASONS.get(reason, "other")
            )

    def _fold_lone_end(self) -> None:
        """The template began the thinking, so the answer has only the end of it."""
        text = self.builder.text
        found = None if self._tagged.is_found or _CLOSE not in text else _LONE_END.search(text)
        if found is not None and _OPEN not in text[: found.start()]:
            self._whole = text
            self.builder.fold(found.start(), found.end())

    def _count(self, usage: JsonObject) -> None:
        details = as_object(usage.get("prompt_tokens_details"))
        self.builder.usage = Usage(
            as_count(usage.get("prompt_tokens")),
            as_count(usage.get("completion_tokens")),
            as_count(details.get("cached_tokens")),
        )


def _arguments(value: object) -> str | Mapping[str, Any]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    return json.dumps(value) if as_list(value) else as_text(value)


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < _MAX_DIGITS:
        return int(value)
    return value if isinstance(value, int) else None
