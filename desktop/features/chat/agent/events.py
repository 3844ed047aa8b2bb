"""The events that a session emits while it works.

One stream for the window and the terminal; the deltas of an answer are the events of
`desktop.features.chat.llm.completion` themselves. Values, and what reports the questions of
approvals among them: decides nothing.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct, field

from desktop.features.chat.llm.completion import RequestDelta, Retrying, TextDelta, ThinkingDelta
from desktop.features.models.messages import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.chat.agent.limits import PausableTimeout
    from desktop.features.models.formats import WireTools
    from desktop.features.models.messages import (
        AssistantMessage,
        StopReason,
        ToolAnswer,
        ToolRequest,
    )
    from desktop.tools.approvals import ApprovalPrompter, ApprovalQuestion, ApprovalResponse
    from desktop.values.tool_types import CallStep

End: TypeAlias = Literal["done", "stopped", "limit", "failed"]
"""The model is done; a person stopped it; a limit was reached; no answer came."""


class QuestionAdded(Struct, frozen=True):
    """What a person asked is in the conversation, as this node of its `MessageTree`."""

    number: int


class TurnStarted(Struct, frozen=True):
    """The model is asked; `turn` counts from 1 in each ask. Its deltas follow."""

    turn: int


class TurnFinished(Struct, frozen=True):
    """The model's turn is whole and in the conversation; `tools` as it was shown them."""

    turn: int
    message: AssistantMessage
    tools: WireTools | None = None


class CallStarted(Struct, frozen=True):
    """A requested call begins; `key` is `server:tool`, empty where the model named none there is.

    All that follows about it has this `call_id`. One that is `left` is not sent: the turn has too
    many.
    """

    call_id: str
    request: ToolRequest
    key: str = ""
    left: bool = False


class CallStepped(Struct, frozen=True):
    """A step of a call that runs (`step.call.call_id`)."""

    step: CallStep


class ApprovalAsked(Struct, frozen=True):
    """A person is asked; the `Asker` was given the same question."""

    question: ApprovalQuestion


class ApprovalGiven(Struct, frozen=True):
    """The question is off the table; `answer` is None where nobody waits for it any more."""

    question: ApprovalQuestion
    answer: ApprovalResponse | None


class CallAnswered(Struct, frozen=True):
    """What the model will be told of a call; the whole result came with its `finished` step."""

    answer: ToolAnswer


class BuiltinLost(Struct, frozen=True):
    """A built-in server of the session is gone; `error` says why, and whether it is started again.

    The session goes on without it until `BuiltinReconnected`.
    """

    name: str
    error: str
    restarting: bool


class BuiltinReconnected(Struct, frozen=True):
    """It is there again, with a state that is new."""

    name: str


class ServersAwaited(Struct, frozen=True):
    """The next request waits some seconds for these servers; none: it waits no longer."""

    names: tuple[str, ...] = ()


class NoticePosted(Struct, frozen=True):
    """A sentence for the person that ends nothing: the conversation cannot be saved, ..."""

    sentence: str


class ResultsShortened(Struct, frozen=True):
    """Of the first `calls` of the conversation, the model is sent the beginnings of results."""

    calls: int


class TurnOutcome(Struct, frozen=True):
    """How an ask ended. `text` is the last text of the model; `usage` that of all turns.

    `error` is a sentence for "limit" and "failed". `kind` is for a program: with "failed" the
    `Failure` of a `CompletionError`, "empty" or "internal", with "limit" "turns", "time",
    "repeated" or "length". `stop` is why the model stopped last: "length", "refused" and "filtered"
    are worth a word.
    """

    end: End
    text: str = ""
    turns: int = 0
    usage: Usage = field(default_factory=Usage)
    stop: StopReason = "end"
    error: str = ""
    kind: str = ""


class Ended(Struct, frozen=True):
    """The ask is over, always its last event; the conversation can go on."""

    outcome: TurnOutcome


AgentEvent: TypeAlias = (
    QuestionAdded
    | TurnStarted
    | TextDelta
    | ThinkingDelta
    | RequestDelta
    | Retrying
    | TurnFinished
    | CallStarted
    | CallStepped
    | ApprovalAsked
    | ApprovalGiven
    | CallAnswered
    | BuiltinLost
    | BuiltinReconnected
    | ServersAwaited
    | NoticePosted
    | ResultsShortened
    | Ended
)


class NotifyingPrompter:
    """An `ApprovalPrompter` around the session's own. `clock` is that of the ask that runs."""

    def __init__(self, prompter: ApprovalPrompter, tell: Callable[[AgentEvent], None]) -> None:
        self.clock: PausableTimeout | None = None
        self._prompter, self.tell = prompter, tell

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        answer: ApprovalResponse | None = None
        self.tell(ApprovalAsked(question))
        try:
            with self.clock.paused() if self.clock is not None else nullcontext():
                answer = await self._prompter.ask(question)
            return answer
        finally:
            self.tell(ApprovalGiven(question, answer))
