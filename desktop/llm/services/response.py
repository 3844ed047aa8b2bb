"""Builds the message of a model's turn while it arrives, within limits.

Every reader writes to a `ResponseBuilder`, which yields the events and, in the end, the message.
Knows no provider and no network.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from desktop.llm.completion import RequestDelta, TextDelta, ThinkingDelta
from desktop.llm.messages import AssistantMessage, ToolRequest, Usage
from desktop.llm.services.limits import RequestLimits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.llm.completion import CompletionEvent
    from desktop.llm.messages import Replay, StopReason

CUT: Final = "\n\n[The answer was cut here: it is longer than what is taken of one.]"
UNFINISHED: Final = "{"
"""Arguments of a call of which only the name came before the answer ended: not an empty object."""


def make_call_id() -> str:
    """For a call that has none; all providers take it."""
    return f"call_{uuid4().hex[:24]}"


@dataclass(slots=True)
class PendingCall:
    """A call while it arrives; `given` is set where its arguments come as an object."""

    call_id: str
    wire_name: str
    parts: list[str] = field(default_factory=list[str])
    given: Mapping[str, Any] | None = None

    @property
    def arguments(self) -> str | Mapping[str, Any]:
        return "".join(self.parts) if self.given is None else self.given


class ResponseBuilder:
    """Collects one turn. `stop` stays None until the provider says why it stopped."""

    def __init__(self, limits: RequestLimits | None = None) -> None:
        self._limits = limits or RequestLimits()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._left = self._limits.characters
        self.calls: list[PendingCall] = []
        self.is_cut = False
        self.stop: StopReason | None = None
        self.usage = Usage()
        self.model = ""

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def thinking(self) -> str:
        return "".join(self._thinking)

    def add_text(self, text: str) -> Iterator[CompletionEvent]:
        if kept := self._take(text):
            self._text.append(kept)
            yield TextDelta(kept)

    def add_thinking(self, text: str) -> Iterator[CompletionEvent]:
        if kept := self._take(text):
            self._thinking.append(kept)
            yield ThinkingDelta(kept)

    def add_call(
        self, call_id: str, wire_name: str, arguments: str | Mapping[str, Any] = ""
    ) -> Iterator[CompletionEvent]:
        """A call begins; an id that is missing or was there already is replaced by one of ours."""
        if len(self.calls) >= self._limits.calls:
            self.is_cut = True
            return
        if not call_id or any(call_id == other.call_id for other in self.calls):
            call_id = make_call_id()
        self.calls.append(PendingCall(call_id, wire_name))
        yield RequestDelta(len(self.calls) - 1, wire_name)
        yield from self.add_arguments(len(self.calls) - 1, arguments)

    def add_arguments(
        self, index: int, arguments: str | Mapping[str, Any]
    ) -> Iterator[CompletionEvent]:
        """More of the arguments of call `index`, or all of them as an object."""
        call = self.calls[index]
        if not isinstance(arguments, str):
            text = json.dumps(arguments, ensure_ascii=False)
            if self._take(text) == text:
                call.given = arguments
                yield RequestDelta(index, arguments=text)
        elif kept := self._take(arguments):
            call.parts.append(kept)
            yield RequestDelta(index, arguments=kept)

    def cut(self) -> Iterator[CompletionEvent]:
        """End the turn here, and say so."""
        self.is_cut, self.stop = True, "length"
        self._text.append(CUT)
        yield TextDelta(CUT)

    def build_message(self, replay: Replay | None) -> AssistantMessage:
        """The turn. One that was cut or refused is not replayed; a refused one asks for no calls.

        What is left of it would have the provider refuse the next one too.
        """
        stop = self.stop or "other"
        if self.calls and stop == "end":
            stop = "tools"
        is_refused = stop in {"refused", "filtered"}
        return AssistantMessage(
            text=self.text,
            requests=() if is_refused else tuple(self._requests(stop)),
            thinking=self.thinking,
            stop=stop,
            usage=self.usage,
            model=self.model,
            replay=None if self.is_cut or is_refused else replay,
        )

    def _requests(self, stop: StopReason) -> Iterator[ToolRequest]:
        for call in self.calls:
            arguments = call.arguments
            if stop == "length" and call is self.calls[-1] and arguments == "":
                arguments = UNFINISHED
            yield ToolRequest(call.call_id, call.wire_name, arguments)

    def _take(self, text: str) -> str:
        kept = text[: max(0, self._left)]
        self._left -= len(text)
        if self._left < 0:
            self.is_cut = True
        return kept
