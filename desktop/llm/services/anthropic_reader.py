"""Reads the events of Anthropic Messages.

Source: anthropic 2.11 `RawMessageStreamEvent`; the raw events, as the SDK's own snapshot raises in
the middle of a stream for arguments that are no JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.messages import ToolRequest, Usage
from desktop.llm.services.history import arguments_object
from desktop.llm.services.untyped import as_count, as_index, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop.llm.completion import CompletionEvent
    from desktop.llm.messages import StopReason
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_STOPS: Final[Mapping[str, StopReason]] = {
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


class AnthropicReader:
    """One turn, which may take several responses where the provider pauses it."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._is_paused = False
        self._before: list[Object] = []
        self._blocks: dict[int, Object] = {}
        self._grown: dict[tuple[int, str], list[str]] = {}
        self._calls: dict[int, int] = {}
        self._counted = Usage()
        self._usage: Object = {}

    def begin(self) -> None:
        if self._is_paused:
            self._before, self._counted = list(self.raw()), self.draft.usage
        self.draft.stop, self._is_paused = None, False
        self._blocks.clear()
        self._grown.clear()
        self._calls.clear()
        self._usage = {}

    def read(self, event: Object) -> Iterator[CompletionEvent]:
        index = as_index(event.get("index"))
        match event.get("type"):
            case "message_start":
                message = as_object(event.get("message"))
                self.draft.model = as_text(message.get("model"))
                self._count(as_object(message.get("usage")))
            case "content_block_start":
                yield from self._start(
                    as_index(event.get("index")), as_object(event.get("content_block"))
                )
            case "content_block_delta":
                yield from self._delta(index, as_object(event.get("delta")))
            case "message_delta":
                self._count(as_object(event.get("usage")))
                self._stop(as_text(as_object(event.get("delta")).get("stop_reason")))
            case _:
                pass

    def continuation(self, body: Object) -> Object | None:
        if not self._is_paused:
            return None
        begun = {"role": "assistant", "content": list(self.raw())}
        return {**body, "messages": [*body["messages"], begun]}

    def raw(self) -> Sequence[Object]:
        """The blocks as they have to come back: thoughts with their signature, input as objects."""
        found = [self._whole(index, block) for index, block in self._blocks.items()]
        return [*self._before, *filter(_is_taken_back, found)]

    def _start(self, index: int, block: Object) -> Iterator[CompletionEvent]:
        self._blocks[index] = dict(block)
        match block.get("type"):
            case "text":
                yield from self.draft.say(as_text(block.get("text")))
            case "thinking":
                if self.draft.thinking:
                    yield from self.draft.think("\n\n")
                yield from self.draft.think(as_text(block.get("thinking")))
            case "tool_use":
                where = len(self.draft.calls)
                given = as_object(block.get("input"))  # empty, but for compatible servers
                name = as_text(block.get("name"))
                yield from self.draft.call(as_text(block.get("id")), name, given or "")
                if where < len(self.draft.calls):
                    self._calls[index] = where
            case _:
                pass

    def _delta(self, index: int, delta: Object) -> Iterator[CompletionEvent]:
        kind = as_text(delta.get("type"))
        if kind == "input_json_delta" and index in self._calls:
            yield from self.draft.argue(self._calls[index], as_text(delta.get("partial_json")))
        elif (field := _GROWING.get(kind)) is not None:
            piece = as_text(delta.get(field))
            self._grown.setdefault((index, field), []).append(piece)
            if field != "signature":
                say = self.draft.say if field == "text" else self.draft.think
                yield from say(piece)

    def _stop(self, reason: str) -> None:
        if reason:
            self.draft.stop = _STOPS.get(reason, "other")
            self._is_paused = reason == "pause_turn"

    def _whole(self, index: int, block: Object) -> Object:
        if index not in self._calls:
            grown = {
                field: as_text(block.get(field)) + "".join(self._grown[index, field])
                for field in _GROWING.values()
                if (index, field) in self._grown
            }
            return block | grown
        call = self.draft.calls[self._calls[index]]
        request = ToolRequest(call.call_id, call.wire_name, call.arguments)
        return block | {"id": call.call_id, "input": arguments_object(request)}

    def _count(self, usage: Object) -> None:
        """Figures are cumulative, and the last of each counts; cached input is counted apart."""
        self._usage |= {key: value for key, value in usage.items() if value is not None}
        cached = as_count(self._usage.get("cache_read_input_tokens"))
        written = as_count(self._usage.get("cache_creation_input_tokens"))
        given = as_count(self._usage.get("input_tokens"))
        self.draft.usage = Usage(
            self._counted.input + given + cached + written,
            self._counted.output + as_count(self._usage.get("output_tokens")),
            self._counted.cached + cached,
        )


def _is_taken_back(block: Object) -> bool:
    match block.get("type"):
        case "text":
            return bool(as_text(block.get("text")).strip())
        case "thinking":
            return bool(block.get("signature"))
        case _:
            return True
