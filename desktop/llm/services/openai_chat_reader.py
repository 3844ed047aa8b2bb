"""Reads the chunks of Chat Completions, whoever sends them.

Source: openai 3.52 `ChatCompletionChunk`. Compatible servers leave out or repeat `id` and `index`,
send a call whole, its arguments as an object, no usage, and thoughts under one of two names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.messages import ToolRequest, Usage
from desktop.llm.services.openai_chat_messages import tool_call
from desktop.llm.services.untyped import as_count, as_list, as_object, as_objects, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.llm.completion import CompletionEvent
    from desktop.llm.messages import StopReason
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_STOPS: Final[Mapping[str, StopReason]] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "filtered",
}
_THOUGHTS: Final = ("reasoning_content", "reasoning")
_KNOWN: Final = {"index", "id", "type", "function"}


class ChatReader:
    """One turn of the only choice."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._by_index: dict[int, int] = {}
        self._by_id: dict[str, int] = {}
        self._extras: dict[int, Object] = {}
        self._thoughts = ""
        self._is_refused = False

    def begin(self) -> None:
        self.draft.stop = None

    def read(self, event: Object) -> Iterator[CompletionEvent]:
        self.draft.model = as_text(event.get("model")) or self.draft.model
        if usage := as_object(event.get("usage")):
            self._count(usage)
        for choice in as_objects(event.get("choices")):
            if choice.get("index") in (0, None):
                yield from self._delta(as_object(choice.get("delta")))
                self._finish(as_text(choice.get("finish_reason")))

    def continuation(self, body: Object) -> None:
        """Nothing is ever paused here."""

    def raw(self) -> Sequence[Object]:
        """The turn with thoughts and what servers add to calls; nothing where there is neither."""
        if not self._thoughts and not self._extras:
            return ()
        draft = self.draft
        told: Object = {"role": "assistant", "content": draft.text or None}
        if self._thoughts:
            told[self._thoughts] = draft.thinking
        if draft.calls:
            told["tool_calls"] = [
                tool_call(ToolRequest(call.call_id, call.wire_name, call.arguments))
                | self._extras.get(index, {})
                for index, call in enumerate(draft.calls)
            ]
        return (told,)

    def _delta(self, delta: Object) -> Iterator[CompletionEvent]:
        for name in _THOUGHTS:
            if thought := as_text(delta.get(name)):
                self._thoughts = self._thoughts or name
                yield from self.draft.think(thought)
                break
        yield from self._content(delta.get("content"))
        if refusal := as_text(delta.get("refusal")):
            self._is_refused = True
            yield from self.draft.say(refusal)
        for call in as_objects(delta.get("tool_calls")):
            yield from self._call(call)

    def _content(self, content: object) -> Iterator[CompletionEvent]:
        """A text, or, of Mistral, a list of parts."""
        yield from self.draft.say(as_text(content))
        for part in as_objects(content):
            yield from self.draft.say(as_text(part.get("text")))
            for thought in as_objects(part.get("thinking")):
                yield from self.draft.think(as_text(thought.get("text")))

    def _call(self, delta: Object) -> Iterator[CompletionEvent]:
        function = as_object(delta.get("function"))
        arguments = _arguments(function.get("arguments"))
        call_id, name = as_text(delta.get("id")), as_text(function.get("name"))
        where = self._place(delta.get("index"), call_id, name)
        if where is None:
            where = len(self.draft.calls)
            yield from self.draft.call(call_id, name, arguments)
            if where == len(self.draft.calls):
                return  # too many
        else:
            yield from self._more(where, name, arguments)
        self._remember(where, delta, call_id)

    def _more(self, where: int, name: str, arguments: Any) -> Iterator[CompletionEvent]:
        call = self.draft.calls[where]
        call.wire_name = call.wire_name or name
        if arguments:
            yield from self.draft.argue(where, arguments)

    def _place(self, index: object, call_id: str, name: str) -> int | None:
        """Which call a delta goes on with; None where it begins one."""
        if call_id and call_id in self._by_id:
            return self._by_id[call_id]
        is_new = bool(call_id and name)
        if isinstance(index, int):
            found = self._by_index.get(index)
            # Some servers count every call as number 0.
            return None if found is not None and is_new else found
        if is_new or name or not self.draft.calls:
            return None
        return len(self.draft.calls) - 1

    def _remember(self, where: int, delta: Object, call_id: str) -> None:
        index = delta.get("index")
        if isinstance(index, int):
            self._by_index[index] = where
        if call_id:
            self._by_id[call_id] = where
        if extra := {key: delta[key] for key in delta if key not in _KNOWN and delta[key]}:
            self._extras[where] = self._extras.get(where, {}) | extra

    def _finish(self, reason: str) -> None:
        if reason:
            self.draft.stop = "refused" if self._is_refused else _STOPS.get(reason, "other")

    def _count(self, usage: Object) -> None:
        details = as_object(usage.get("prompt_tokens_details"))
        self.draft.usage = Usage(
            as_count(usage.get("prompt_tokens")),
            as_count(usage.get("completion_tokens")),
            as_count(details.get("cached_tokens")),
        )


def _arguments(value: object) -> str | Mapping[str, Any]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    return json.dumps(value) if as_list(value) else as_text(value)
