"""The agent loop of one `ask`: the model answers, its tool calls run, until it is done.

It can be cancelled at any moment and still leaves a `Conversation` that a provider accepts: every
requested call has an answer. The calls of a turn run side by side, and whatever goes wrong with one
becomes its answer, so that the model can read it. Must not decide whether a call is allowed, and
puts nothing into the system prompt: what servers say about their tools stays out of it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from operator import is_
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.signals import Signal
from desktop.base.translatable import join_texts, translatable
from desktop.features.chat.agent.compaction import (
    FULL,
    THOUGHTS_TOO,
    Numbered,
    Shortened,
    count_shortened,
    estimate_use,
    place_of,
    shorten,
    shorten_more,
)
from desktop.features.chat.agent.events import (
    CallAnswered,
    CallStarted,
    NoticePosted,
    ResultsShortened,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
)
from desktop.features.chat.agent.large_results import result_text, shorten_result
from desktop.features.chat.agent.limits import LEFT, RepeatedCalls
from desktop.features.chat.agent.message_tree import MessageTree
from desktop.features.chat.llm.completion import (
    Completed,
    CompletionError,
    CompletionRequest,
    Remark,
)
from desktop.features.chat.llm.completion import TextDelta as Text
from desktop.features.chat.llm.completion import ThinkingDelta as Thinking
from desktop.features.models.formats import ApiFormat, UnknownTool
from desktop.features.models.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    Usage,
    UserMessage,
)
from desktop.values.tool_types import ErrorCode, ToolCall, failed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from desktop.config.providers import Effort
    from desktop.features.chat.agent.events import AgentEvent, End
    from desktop.features.chat.agent.limits import PausableTimeout, SessionLimits
    from desktop.features.chat.agent.secrets import SessionSecrets
    from desktop.features.chat.agent.session_tools import SessionTools
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.models.formats import WireTools
    from desktop.features.models.messages import Message, StopReason, ToolRequest
    from desktop.values.tool_types import JsonObject, ToolResult

NOT_KEPT = "The app ended before this call's result was kept; the call may have had effects."
NEVER_SENT = "The app ended before this call was sent. It had no effects; call it again if needed."


class Conversation:
    """The messages so far, in their order: one branch of `tree`."""

    def __init__(
        self,
        messages: Iterable[Message] = (),
        *,
        tree: MessageTree | None = None,
        shortened: Shortened | None = None,
    ) -> None:
        """Args: tree: what is stored, in place of `messages`; it may have gaps of a kill."""
        self._messages = list(messages)
        self.tree = MessageTree(self._messages)
        self.added: Signal[[Message]] = Signal()
        self.moved: Signal[[int]] = Signal()
        """Another node of the tree is gone on from."""
        self.shortened = shortened or Shortened()
        """What of it the model is not sent any more."""
        self.shortened_changed: Signal[[Shortened]] = Signal()
        if tree is not None:
            self.tree = tree
            self._take_branch()

    @property
    def messages(self) -> Sequence[Message]:
        return tuple(self._messages)

    @property
    def place(self) -> tuple[int, int]:
        """Number and parent of the last message. Raises `LookupError` where there is none."""
        return self.tree.head, self.tree.parent(self.tree.head)

    def add(self, message: Message) -> None:
        self._messages.append(message)
        self.tree.add(message)
        self.added.send(message)

    @property
    def numbered(self) -> list[Numbered]:
        """The same messages, with their places in the tree."""
        numbers = {id(node.message): node.number for node in self.tree.path()}
        return [Numbered(numbers.get(id(each), -1), each) for each in self._messages]

    @property
    def given(self) -> list[Message]:
        """The messages as the model is given them."""
        return shorten(self.numbered, self.shortened)

    def make_room(self, window: int) -> bool:
        """Send less of older results from now on. Returns: whether that changes enough."""
        found = shorten_more(self.numbered, self.shortened, window)
        if found is not None:
            self.shortened = found
            self.shortened_changed.send(found)
        return found is not None

    def find_result(self, name: str) -> str | None:
        """The text of an answer that was shortened, by the name that the model was told."""
        place = place_of(name)
        if place is None:
            return None
        for number, message in self.numbered:
            if number == place[0] and isinstance(message, ToolMessage):
                answers = message.answers[place[1] : place[1] + 1]
                return result_text(answers[0].result) if answers else None
        return None

    def before(self, number: int) -> int:
        """How many of `messages` come before this number of the tree."""
        earlier = {id(node.message) for node in self.tree.path() if node.number < number}
        places = [at for at, message in enumerate(self._messages, 1) if id(message) in earlier]
        return max(places, default=0)

    def go_to(self, number: int) -> None:
        """Go on after this node of the tree. Raises `LookupError`."""
        if number != self.tree.head:
            self.tree.go_to(number)
            self._take_branch()
            self.moved.send(number)

    def _take_branch(self) -> None:
        branch = (node.message for node in self.tree.path())
        self._messages = repair_messages(branch, self.tree.never_sent)


def cancelled_answer(request: ToolRequest, words: str) -> ToolAnswer:
    """The answer to a call that came to nothing; `words` is a sentence for the model."""
    result = failed("CancelledError", words, ErrorCode.CANCELLED)
    return ToolAnswer(request.call_id, request.wire_name, result)


def repair_messages(messages: Iterable[Message], never_sent: Collection[str] = ()) -> list[Message]:
    """The same without what no provider takes: what a kill, or a lost line, left in pieces.

    A request without an answer gets one that says so; an answer without its request goes; what the
    model said before the person said anything goes.

    Args: never_sent: ids of the calls that are known not to have reached their server.
    """

    def complete(message: ToolMessage) -> ToolMessage:
        by_id = {answer.call_id: answer for answer in message.answers}
        answers = tuple(
            by_id.get(request.call_id)
            or cancelled_answer(request, NEVER_SENT if request.call_id in never_sent else NOT_KEPT)
            for request in waiting
        )
        is_whole = len(answers) == len(message.answers) and all(map(is_, answers, message.answers))
        return message if is_whole else ToolMessage(answers)  # the same keeps its place in a tree

    repaired: list[Message] = []
    waiting: tuple[ToolRequest, ...] = ()
    for message in messages:
        if not repaired and not isinstance(message, UserMessage):
            continue
        if isinstance(message, ToolMessage):
            if waiting:
                repaired.append(complete(message))
            waiting = ()
            continue
        if waiting:
            repaired.append(complete(ToolMessage(())))
        waiting = message.requests if isinstance(message, AssistantMessage) else ()
        repaired.append(message)
    if waiting:
        repaired.append(complete(ToolMessage(())))
    return repaired


logger = logging.getLogger(__name__)


class ToolCallBatch:
    """One turn's requests on their way to answers."""

    def __init__(
        self,
        requests: Sequence[ToolRequest],
        table: WireTools,
        tools: SessionTools,
        secrets: SessionSecrets,
        tell: Callable[[AgentEvent], None],
        model: str = "",
    ) -> None:
        """Args: table: the tools as the model was shown them when it wrote the requests."""
        self._requests, self._table, self._tools = requests, table, tools
        self._secrets, self._tell, self._model = secrets, tell, model
        self._ran: dict[int, ToolResult] = {}
        self._ended: dict[str, ToolResult] = {}
        self._corrected: dict[str, JsonObject] = {}
        self.refused: dict[int, ToolResult] = {}
        """By the place of a request, what answers it in place of a call."""
        self.notes: dict[int, str] = {}
        """By the place of a request, what the model is told beside its result."""
        self._answers: dict[int, ToolAnswer] = {}

    async def run(self, most: int) -> None:
        """Run the first `most` calls and wait for all; being cancelled cancels them."""
        disconnect = self._tools.executor.finished.connect(self._take_end)
        try:
            await asyncio.gather(
                *(self._answer_one(n, n < most) for n in range(len(self._requests)))
            )
        finally:
            disconnect()

    def answers(self, words: str) -> tuple[ToolAnswer, ...]:
        """An answer to each request; to those that came to none, `words`."""
        for n, request in enumerate(self._requests):
            if n in self._answers:
                continue
            ran = self._ran.get(n)  # stopped while its rest was being kept
            missing = "The rest is not kept: it was stopped."
            result = (
                shorten_result(ran, result_text(ran), missing)
                if ran
                else self._cancelled(request, words)
            )
            self._add_answer(n, result)
        return tuple(self._answers[n] for n in range(len(self._requests)))

    def _take_end(self, call: ToolCall, result: ToolResult) -> None:
        self._secrets.learn(call, result)
        if call.is_corrected:
            self._corrected[call.call_id] = self._secrets.written(call)
        self._ended[call.call_id] = result

    def _cancelled(self, request: ToolRequest, words: str) -> ToolResult:
        """A call that was cut short: how long it ran, and whether it was ever sent."""
        ended = self._ended.get(request.call_id) or failed("", "", ErrorCode.CANCELLED)
        if not ended.execution_time:
            words += " It was never sent."
        result = cancelled_answer(request, words).result
        took, waited = ended.execution_time, ended.approval_wait
        return replace(result, execution_time=took, approval_wait=waited)

    async def _answer_one(self, n: int, within: bool) -> None:
        request = self._requests[n]
        found = self._table.find(request.wire_name)
        unknown = found.sentence if isinstance(found, UnknownTool) else ""
        key = self._tools.key_of(request.wire_name) if unknown else str(found)
        left = not within and n not in self.refused
        self._tell(CallStarted(request.call_id, request, key, left))
        if (refused := self.refused.get(n)) is not None:
            self._add_answer(n, refused)
            return
        if left:
            words = "Too many calls in one turn; this one was not sent. Call it again."
            self._add_answer(n, failed(LEFT, words, ErrorCode.DENIED))
            return
        if why := self._tools.why_away(key):
            self._add_answer(n, failed("ServerError", why, ErrorCode.UNREACHABLE))
            return
        if unknown:
            self._add_answer(n, failed("ToolNotFoundError", unknown, ErrorCode.NOT_FOUND))
            return
        result = await self._tools.executor.run(self._call(request, key))
        self._ran[n] = result
        try:
            result = await self._tools.large_results.fit(result, self._secrets.cover)
        except Exception as error:
            logger.exception("the result of %s was not taken over", key)
            result = failed(type(error).__name__, str(error), ErrorCode.INTERNAL)
        self._add_answer(n, result)

    def _call(self, request: ToolRequest, key: str) -> ToolCall:
        read = self._table.read_arguments(request.wire_name, request.arguments)
        if read.error and isinstance(request.arguments, str):
            # The executor finds the same fault in it, and the call is seen like all others.
            text = request.arguments
            return ToolCall(key, {}, request.call_id, "agent", text=text, model=self._model)
        return ToolCall(key, read.arguments, request.call_id, "agent", model=self._model)

    def _add_answer(self, n: int, result: ToolResult) -> None:
        request = self._requests[n]
        corrected = self._corrected.get(request.call_id)
        note = self.notes.get(n, "")
        answer = ToolAnswer(request.call_id, request.wire_name, result, corrected, note)
        self._answers[n] = answer
        self._tell(CallAnswered(answer))


NOTHING = translatable("The model answered nothing.")
ANOTHER_MODEL = translatable("Ask in other words, or choose another model.")
_SILENT: Collection[StopReason] = ("end", "tools", "other")
"""Other reasons have words of their own."""
THINKING_DROPPED = translatable(
    "The provider did not take back what the model thought earlier in this conversation. It was "
    "left out, and the question was sent once more."
)
ROOM_MADE = translatable(
    "The window of the model is nearly full: of older tool results, only the beginning is sent "
    "from now on. The model can read on in each."
)
CUT_CALL = (
    "Your answer reached the output limit{tokens} before this call was complete. It was not sent. "
    "Write less, or do it in several smaller calls."
)
REPEATED = (
    "You have made this very call {times} times. Use its result, do something else, or answer the "
    "person."
)
NOT_AGAIN = "This very call had the same result each time. It was not sent again."
STOPPED = "The call was cancelled by the person."
CLOSED = "The app was closed before this call came to its end."
OUT_OF_TIME = "The call was cancelled: the time for this question is over."
BROKEN_OFF = "The call was cancelled: the session had a fault."
_WORDS: dict[End, str] = {
    "done": BROKEN_OFF,
    "stopped": STOPPED,
    "limit": OUT_OF_TIME,
    "failed": BROKEN_OFF,
}


class ModelRef(Struct, frozen=True):
    """Which model answers, and what it is told to be; `system` is the person's words alone."""

    service: CompletionService
    name: str
    system: str = ""
    effort: Effort | None = None


def _cut_words(count: int, message: AssistantMessage) -> str:
    """What ended it: the model's limit, or, where nobody counted, ours."""
    if not message.usage.output:
        return translatable(
            "The model wrote more than is taken of one answer {count} times in a row, in the "
            "middle of a call. Ask for less at a time.",
            count=count,
        )
    return translatable(
        "The model reached its output limit {count} times in a row, in the middle of a call "
        "({tokens:,} tokens). Ask for less at a time, or set a larger maxTokens for the provider.",
        count=count,
        tokens=message.usage.output,
    )


class AgentLoop:
    """One `ask`. Used once: `run`, then `finish`, however `run` ended."""

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
        self._batch: ToolCallBatch | None = None
        self._last = AssistantMessage()
        self._repeated = RepeatedCalls()
        self._stuck: ToolRequest | None = None
        self._cuts = 0

    async def run(self, clock: PausableTimeout) -> TurnOutcome:
        """Run the whole loop; every failure is an outcome."""
        try:
            async with clock.running():
                return await self._loop()
        except CompletionError as error:
            return self._outcome("failed", error=str(error), kind=error.kind)
        except TimeoutError:
            if not clock.has_run_out:
                raise
            words = translatable(
                "The time for one question ({seconds:g} s) is over.", seconds=clock.seconds
            )
            return self._outcome("limit", error=words, kind="time")

    def finish(self, outcome: TurnOutcome | None, *, is_closing: bool = False) -> TurnOutcome:
        """Complete a conversation that was cut short, so that a provider accepts it.

        Args:
            outcome: that of `run`; None where it was cancelled.
            is_closing: whether it was cancelled because the session ends, not by a person.
        """
        if outcome is None:
            outcome = self._outcome("stopped")
        if self._batch is not None:
            words = CLOSED if is_closing and outcome.end == "stopped" else _WORDS[outcome.end]
            self._conversation.add(ToolMessage(self._batch.answers(words)))
            self._batch = None
        elif text := "".join(self._text):
            thinking = "".join(self._thinking)
            part = AssistantMessage(text, (), thinking, "other", model=self._model.name)
            self._conversation.add(part)
        return outcome

    def fault_outcome(self, error: BaseException) -> TurnOutcome:
        """The outcome where the app itself failed."""
        return self._outcome("failed", error=f"{type(error).__name__}: {error}", kind="internal")

    async def _loop(self) -> TurnOutcome:
        while self._turn < self._limits.turns:
            self._turn += 1
            message, table = await self._complete()
            if not message.requests and not message.text.strip() and message.stop in _SILENT:
                words = join_texts("\n", NOTHING, ANOTHER_MODEL)
                return self._outcome("failed", error=words, kind="empty")
            if not message.requests:
                return self._outcome("done", stop=message.stop)
            await self._answer(message, table)
            if (end := self._end_of_loop(message, table)) is not None:
                return end
        words = translatable(
            "The limit of {turns} turns is reached; the model was not done.",
            turns=self._limits.turns,
        )
        return self._outcome("limit", error=words, kind="turns")

    async def _complete(self) -> tuple[AssistantMessage, WireTools]:
        self._tell(TurnStarted(self._turn))
        window = self._model.service.window(self._model.name)
        given = self._conversation.given
        if window and estimate_use(given) > window * FULL:
            self._make_room(window)
        while True:
            try:
                return await self._request()
            except CompletionError as error:
                # At some time there is nothing left to leave out.
                if not self._can_leave_out(error):
                    raise

    def _can_leave_out(self, error: CompletionError) -> bool:
        """Whether the same question can be put with less around it."""
        if error.kind == "thinking":
            if is_less := self._tools.unbind(self._conversation.tree.following):
                self._tell(NoticePosted(THINKING_DROPPED))
            return is_less
        if error.kind != "context":
            return False
        # It may have named its limit just now.
        window = self._model.service.window(self._model.name)
        return self._make_room(window or estimate_use(self._conversation.given))

    def _make_room(self, window: int) -> bool:
        conversation = self._conversation
        if not conversation.make_room(window):
            return False
        calls = count_shortened(conversation.numbered, conversation.shortened)
        thoughts = ""
        if self._model.service.api_format is ApiFormat.ANTHROPIC and self._tools.unbind(
            conversation.tree.following
        ):
            thoughts = THOUGHTS_TOO  # it is bound to all that came before it
        self._tell(NoticePosted(join_texts(" ", ROOM_MADE, thoughts)))
        self._tell(ResultsShortened(calls))
        return True

    async def _request(self) -> tuple[AssistantMessage, WireTools]:
        service = self._model.service
        request = CompletionRequest(
            self._model.name,
            self._conversation.given,
            system=self._model.system,
            load_tools=self._tools.load,
            unbound=self._conversation.before(self._tools.since),
            effort=self._model.effort,
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
                    case Remark():
                        self._tell(NoticePosted(event.sentence))
                        continue
                    case _:
                        pass
                self._tell(event)
        if completed is None:
            raise CompletionError(
                "provider", translatable("{name} ended without an answer.", name=service.name)
            )
        table = completed.tools or await self._tools.load(service.api_format)
        self._tools.keep(table)
        self._secrets.expect(completed.message, table)
        return self._take(completed, table), table

    def _take(self, completed: Completed, table: WireTools) -> AssistantMessage:
        # Nothing is awaited from here until its calls run: a stop in between would find them open.
        self._last = message = self._with_keys(completed.message, table)
        self._text, self._thinking = [], []
        self._usage = Usage(
            self._usage.input + message.usage.input,
            self._usage.output + message.usage.output,
            self._usage.cached + message.usage.cached,
        )
        self._conversation.add(message)
        self._tell(TurnFinished(self._turn, message, completed.tools))
        return message

    def _with_keys(self, message: AssistantMessage, table: WireTools) -> AssistantMessage:
        """What each name stands for, kept for later: a name is never parsed."""
        if not message.requests:
            return message
        requests: list[ToolRequest] = []
        for request in message.requests:
            key = table.find(request.wire_name)
            if isinstance(key, UnknownTool):
                key = self._tools.key_of(request.wire_name)
            requests.append(replace(request, key=key))
        return replace(message, requests=tuple(requests))

    async def _answer(self, message: AssistantMessage, table: WireTools) -> None:
        self._batch = batch = ToolCallBatch(
            message.requests, table, self._tools, self._secrets, self._tell, self._model.name
        )
        self._refuse_cut(message, batch, table)
        times = self._repeated.take(message.requests)
        self._stuck = None
        for n, request in enumerate(message.requests):
            if times[n] >= self._limits.told_repeats:
                batch.notes[n] = REPEATED.format(times=times[n])
            if times[n] >= self._limits.repeats and self._repeated.is_answered_alike(request):
                batch.refused[n] = failed("LimitError", NOT_AGAIN, ErrorCode.DENIED)
                self._stuck = request
        await batch.run(self._limits.calls)
        self._batch = None
        answers = batch.answers(BROKEN_OFF)
        for request, answer in zip(message.requests, answers, strict=True):
            self._repeated.note(request, result_text(answer.result))
        self._conversation.add(ToolMessage(answers))

    def _refuse_cut(
        self, message: AssistantMessage, batch: ToolCallBatch, table: WireTools
    ) -> None:
        """Answer the calls that the output limit cut off; of those that are whole, all run."""
        cut = [
            n
            for n, request in enumerate(message.requests)
            if message.stop == "length"
            and table.read_arguments(request.wire_name, request.arguments).error
        ]
        self._cuts = self._cuts + 1 if cut else 0
        tokens = f" of {message.usage.output:,} tokens" if message.usage.output else ""
        for n in cut:
            words = CUT_CALL.format(tokens=tokens)
            batch.refused[n] = failed("OutputLimitError", words, ErrorCode.INVALID_ARGUMENTS)

    def _end_of_loop(self, message: AssistantMessage, table: WireTools) -> TurnOutcome | None:
        """The outcome where the model turns in circles, at its own cost."""
        if self._stuck is not None:
            found = table.find(self._stuck.wire_name)
            tool = found if isinstance(found, str) else self._stuck.wire_name
            words = translatable(
                "The model made the same call {count} times, with the same result: {tool}.",
                count=self._limits.repeats,
                tool=tool,
            )
            words = join_texts("\n", words, ANOTHER_MODEL)
            return self._outcome("limit", error=words, kind="repeated")
        if self._cuts < self._limits.cuts:
            return None
        return self._outcome("limit", error=_cut_words(self._cuts, message), kind="length")

    def _outcome(
        self, end: End, *, stop: StopReason = "other", error: str = "", kind: str = ""
    ) -> TurnOutcome:
        text = "".join(self._text) or self._last.text
        return TurnOutcome(end, text, self._turn, self._usage, stop, error, kind)
