"""Reads the events of Responses.

Source: openai 3.52 `ResponseStreamEvent`. The key of a call's deltas is `output_index`; `call_id`
pairs it with its answer.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from desktop.llm.messages import ToolRequest, Usage
from desktop.llm.services.faults import FaultError, http_fault
from desktop.llm.services.history import arguments_object
from desktop.llm.services.untyped import as_count, as_index, as_object, as_objects, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.llm.completion import CompletionEvent
    from desktop.llm.messages import StopReason
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_INCOMPLETE: Final[Mapping[str, StopReason]] = {
    "max_output_tokens": "length",
    "content_filter": "filtered",
}
_SENT_BACK: Final = {"message", "reasoning", "function_call"}


class ResponsesReader:
    """One turn. `label` is what the provider is called in an error."""

    def __init__(self, draft: Draft, label: str) -> None:
        self.draft = draft
        self._label = label
        self._calls: dict[int, int] = {}
        self._done: dict[int, Object] = {}
        self._is_refused = False
        self._readers: Mapping[str, Callable[[Object], Iterator[CompletionEvent]]] = {
            "response.output_item.added": self._added,
            "response.output_text.delta": lambda e: self.draft.say(as_text(e.get("delta"))),
            "response.refusal.delta": self._refusal,
            "response.reasoning_summary_part.added": self._part,
            "response.reasoning_summary_text.delta": self._thought,
            "response.reasoning_text.delta": self._thought,
            "response.function_call_arguments.delta": self._arguments,
            "response.output_item.done": self._item,
            "response.completed": self._ended,
            "response.incomplete": self._ended,
            "response.failed": self._failed,
            "error": self._failed,
        }

    def begin(self) -> None:
        self.draft.stop = None
        self._calls.clear()
        self._done.clear()

    def read(self, event: Object) -> Iterator[CompletionEvent]:
        if (reader := self._readers.get(as_text(event.get("type")))) is not None:
            yield from reader(event)

    def continuation(self, body: Object) -> None:
        """Nothing is ever paused here."""

    def raw(self) -> Sequence[Object]:
        """The output items; reasoning without its seal is left out, as it is stored nowhere."""
        found = [self._done[index] for index in sorted(self._done)]
        return [
            _repaired(item)
            for item in found
            if as_text(item.get("type")) in _SENT_BACK
            and (item["type"] != "reasoning" or item.get("encrypted_content"))
        ]

    def _added(self, event: Object) -> Iterator[CompletionEvent]:
        item, index = as_object(event.get("item")), as_index(event.get("output_index"))
        if item.get("type") == "function_call" and index not in self._calls:
            self._calls[index] = len(self.draft.calls)
            given = as_text(item.get("arguments"))
            call_id = as_text(item.get("call_id")) or as_text(item.get("id"))
            yield from self.draft.call(call_id, as_text(item.get("name")), given)

    def _refusal(self, event: Object) -> Iterator[CompletionEvent]:
        self._is_refused = True
        return self.draft.say(as_text(event.get("delta")))

    def _part(self, event: Object) -> Iterator[CompletionEvent]:
        if self.draft.thinking:
            yield from self.draft.think("\n\n")

    def _thought(self, event: Object) -> Iterator[CompletionEvent]:
        return self.draft.think(as_text(event.get("delta")))

    def _arguments(self, event: Object) -> Iterator[CompletionEvent]:
        where = self._calls.get(as_index(event.get("output_index")))
        if where is not None and where < len(self.draft.calls):
            yield from self.draft.argue(where, as_text(event.get("delta")))

    def _item(self, event: Object) -> Iterator[CompletionEvent]:
        """An item is whole; a call that came without deltas gets its arguments here."""
        item, index = as_object(event.get("item")), as_index(event.get("output_index"))
        yield from self._added(event)
        where = self._calls.get(index)
        if where is not None and where < len(self.draft.calls):
            call = self.draft.calls[where]
            if not call.arguments:
                yield from self.draft.argue(where, as_text(item.get("arguments")))
            # So that the answer, which goes by our id, meets this item again.
            item = item | {"call_id": call.call_id}
        self._done[index if index >= 0 else len(self._done)] = item

    def _ended(self, event: Object) -> Iterator[CompletionEvent]:
        response = as_object(event.get("response"))
        self.draft.model = as_text(response.get("model"))
        self._count(as_object(response.get("usage")))
        if not self._done:  # a server that tells only the whole
            for index, item in enumerate(as_objects(response.get("output"))):
                yield from self._whole(item)
                yield from self._item({"item": item, "output_index": index})
        reason = as_text(as_object(response.get("incomplete_details")).get("reason"))
        if event.get("type") == "response.incomplete" or reason:
            self.draft.stop = _INCOMPLETE.get(reason, "other")
        else:
            self.draft.stop = "refused" if self._is_refused else "end"

    def _whole(self, item: Object) -> Iterator[CompletionEvent]:
        if not self.draft.text and item.get("type") == "message":
            for part in as_objects(item.get("content")):
                yield from self.draft.say(as_text(part.get("text")))

    def _failed(self, event: Object) -> Iterator[CompletionEvent]:
        error = as_object(as_object(event.get("response")).get("error"))
        raise FaultError(
            http_fault(self._label, 0, error or as_object(event.get("error")) or event)
        )

    def _count(self, usage: Object) -> None:
        details = as_object(usage.get("input_tokens_details"))
        self.draft.usage = Usage(
            as_count(usage.get("input_tokens")),
            as_count(usage.get("output_tokens")),
            as_count(details.get("cached_tokens")),
        )


def _repaired(item: Object) -> Object:
    """A call that was cut goes back with arguments that can be read."""
    if item.get("type") != "function_call":
        return item
    request = ToolRequest("", "", as_text(item.get("arguments")))
    return item | {"arguments": json.dumps(arguments_object(request), ensure_ascii=False)}
