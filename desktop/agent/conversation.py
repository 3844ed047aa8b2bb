"""A conversation that a provider takes at any moment: every requested call has its answer.

Must not talk to anybody; a session adds to it and ends what was cut short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.llm.messages import AssistantMessage, ToolAnswer, ToolMessage, UserMessage
from desktop.signals import Signal
from desktop.tool_types import ErrorCode, failed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.llm.messages import Message, ToolRequest

NOT_KEPT = "The app ended before this call's result was kept; the call may have had effects."


class Conversation:
    """The messages so far, in their order."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._messages = list(messages)
        self.added: Signal[[Message]] = Signal()

    @property
    def messages(self) -> Sequence[Message]:
        return tuple(self._messages)

    @property
    def waits_for_model(self) -> bool:
        """Whether the model has the word: it can be asked without a new message of the person."""
        return bool(self._messages) and not isinstance(self._messages[-1], AssistantMessage)

    def add(self, message: Message) -> None:
        self._messages.append(message)
        self.added.send(message)


def cancelled(request: ToolRequest, words: str) -> ToolAnswer:
    """The answer to a call that came to nothing; `words` is a sentence for the model."""
    result = failed("CancelledError", words, ErrorCode.CANCELLED)
    return ToolAnswer(request.call_id, request.wire_name, result)


def mended(messages: Iterable[Message]) -> list[Message]:
    """The same without what no provider takes: what a kill, or a lost line, left in pieces.

    A request without an answer gets one that says so; an answer without its request goes; what the
    model said before the person said anything goes.
    """
    found: list[Message] = []
    waiting: tuple[ToolRequest, ...] = ()
    for message in messages:
        if not found and not isinstance(message, UserMessage):
            continue
        if isinstance(message, ToolMessage):
            if waiting:
                found.append(_complete(waiting, message.answers))
            waiting = ()
            continue
        if waiting:
            found.append(_complete(waiting, ()))
        waiting = message.requests if isinstance(message, AssistantMessage) else ()
        found.append(message)
    if waiting:
        found.append(_complete(waiting, ()))
    return found


def _complete(requests: tuple[ToolRequest, ...], answers: tuple[ToolAnswer, ...]) -> ToolMessage:
    by_id = {answer.call_id: answer for answer in answers}
    return ToolMessage(
        tuple(by_id.get(one.call_id) or cancelled(one, NOT_KEPT) for one in requests)
    )
