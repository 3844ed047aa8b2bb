"""The loop of one ask: the model answers, its calls are run, it is told of them, until it is done.

Ends early at any moment and leaves a conversation that a provider takes. Must not decide whether a
call is allowed, and puts nothing into the system prompt: what servers say of tools stays there.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.agent.answering import ToolCallBatch
from desktop.agent.events import TurnFinished, TurnOutcome, TurnStarted
from desktop.llm.completion import Completed, CompletionError, CompletionRequest
from desktop.llm.completion import TextDelta as Text
from desktop.llm.completion import ThinkingDelta as Thinking
from desktop.llm.messages import AssistantMessage, ToolMessage, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.clock import PausableTimeout
    from desktop.agent.conversation import Conversation
    from desktop.agent.events import AgentEvent, End
    from desktop.agent.limits import SessionLimits
    from desktop.agent.secrets import SessionSecrets
    from desktop.agent.session_tools import SessionTools
    from desktop.llm.completion import CompletionService
    from desktop.llm.formats import WireTools
    from desktop.llm.messages import StopReason

STOPPED = "The call was cancelled by the person."
OUT_OF_TIME = "The call was cancelled: the time for this question is over."
BROKEN_OFF = "The call was cancelled: the session had a fault."
_WORDS: dict[End, str] = {
    "done": BROKEN_OFF,
    "stopped": STOPPED,
    "limit": OUT_OF_TIME,
    "failed": BROKEN_OFF,
}


@dataclass(frozen=True, slots=True)
class ModelRef:
    """Which model answers, and what it is told to be; `system` is the person's words alone."""

    service: CompletionService
    name: str
    system: str = ""


class AgentLoop:
    """One ask. Used once: `go`, then `end`, however `go` ended."""

    def __init__(
        self,
        conversation: Conversation,
        model: ModelRef,
        tools: SessionTools,
        secrets: SessionSecrets,
        limits: SessionLimits,
        tell: Callable[[AgentEvent], None],
    ) -> None:
        self._conversation, self._model, self._tools = conversation, model, tools
        self._secrets, self._limits, self._tell = secrets, limits, tell
        self._turn = 0
        self._usage = Usage()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._answering: ToolCallBatch | None = None
        self._last = AssistantMessage()

    async def go(self, clock: PausableTimeout) -> TurnOutcome:
        """The whole loop; every failure is an outcome."""
        try:
            async with clock.running():
                return await self._loop()
        except CompletionError as error:
            return self._outcome("failed", error=str(error), kind=error.kind)
        except TimeoutError:
            if not clock.has_run_out:
                raise
            words = f"The time for one question ({clock.seconds:g} s) is over."
            return self._outcome("limit", error=words, kind="time")

    def end(self, outcome: TurnOutcome | None) -> TurnOutcome:
        """Put in order what was cut short. `outcome` is that of `go`, None where it has none."""
        if outcome is None:
            outcome = self._outcome("stopped")
        if self._answering is not None:
            words = _WORDS[outcome.end]
            self._conversation.add(ToolMessage(self._answering.answers(words)))
            self._answering = None
        elif text := "".join(self._text):
            thinking = "".join(self._thinking)
            part = AssistantMessage(text, (), thinking, "other", model=self._model.name)
            self._conversation.add(part)
        return outcome

    def broke(self, error: BaseException) -> TurnOutcome:
        """The outcome of a fault of this app."""
        return self._outcome("failed", error=f"{type(error).__name__}: {error}", kind="internal")

    async def _loop(self) -> TurnOutcome:
        while self._turn < self._limits.turns:
            self._turn += 1
            message, table = await self._complete()
            if not message.requests:
                return self._outcome("done", stop=message.stop)
            await self._answer(message, table)
        words = f"The limit of {self._limits.turns} turns is reached; the model was not done."
        return self._outcome("limit", error=words, kind="turns")

    async def _complete(self) -> tuple[AssistantMessage, WireTools]:
        self._tell(TurnStarted(self._turn))
        service = self._model.service
        request = CompletionRequest(
            self._model.name,
            self._conversation.messages,
            system=self._model.system,
            load_tools=self._tools.load,
        )
        completed: Completed | None = None
        async with aclosing(service.stream(request)) as events:
            async for event in events:
                match event:
                    case Completed():
                        completed = event
                        break
                    case Text():
                        self._text.append(event.text)
                    case Thinking():
                        self._thinking.append(event.text)
                    case _:
                        pass
                self._tell(event)
        if completed is None:
            raise CompletionError("provider", f"{service.name} ended without an answer.")
        table = completed.tools or await self._tools.load(service.api_format)
        self._secrets.expect(completed.message, table)
        return self._take(completed), table

    def _take(self, completed: Completed) -> AssistantMessage:
        # Nothing is awaited from here until its calls run: a stop in between would find them open.
        self._last = message = completed.message
        self._text, self._thinking = [], []
        self._usage = Usage(
            self._usage.input + message.usage.input,
            self._usage.output + message.usage.output,
            self._usage.cached + message.usage.cached,
        )
        self._conversation.add(message)
        self._tell(TurnFinished(self._turn, message, completed.tools))
        return message

    async def _answer(self, message: AssistantMessage, table: WireTools) -> None:
        answering = ToolCallBatch(message.requests, table, self._tools, self._secrets, self._tell)
        self._answering = answering
        await answering.run(self._limits.calls)
        self._answering = None
        self._conversation.add(ToolMessage(answering.answers(BROKEN_OFF)))

    def _outcome(
        self, end: End, *, stop: StopReason = "other", error: str = "", kind: str = ""
    ) -> TurnOutcome:
        text = "".join(self._text) or self._last.text
        return TurnOutcome(end, text, self._turn, self._usage, stop, error, kind)
