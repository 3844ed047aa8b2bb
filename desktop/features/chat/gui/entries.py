"""The entries of a chat, one for each thing that is shown, built from a session's events.

Stored messages become the same entries. One `EntryList` per chat, which goes on while nobody looks.
Must not import Qt.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct, field

from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.features.chat.agent.limits import LEFT
from desktop.features.chat.gui.growing_text import GrowingText
from desktop.features.models.messages import AssistantMessage, ToolMessage, Usage, UserMessage
from desktop.gui.translations import named, spoken
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.features.chat.agent.compaction import Shortened
    from desktop.features.chat.agent.events import AgentEvent, TurnOutcome
    from desktop.features.chat.agent.message_tree import MessageTree
    from desktop.features.chat.llm.completion import Retrying, TextDelta, ThinkingDelta
    from desktop.features.models.messages import Image, Message, ToolAnswer, ToolRequest
    from desktop.tools.approvals import ApprovalQuestion
    from desktop.values.tool_types import CallStep, ToolResult

CallState: TypeAlias = Literal[
    "waiting", "asking", "running", "done", "failed", "denied", "cancelled"
]
"""Not sent yet; a person is asked; sent; and the four ways it ends."""
NoticeKind: TypeAlias = Literal[
    "retry", "stopped", "limit", "failed", "length", "refused", "filtered", "lost", "said"
]
"""Another attempt; why it ended other than with an answer; a built-in server; a plain sentence."""


class UserEntry(Struct, eq=False):
    """What a person asked; `number` is its place in the conversation, None until it has one."""

    text: GrowingText
    images: tuple[Image, ...] = ()
    number: int | None = None


class ModelEntry(Struct, eq=False):
    """The words of one turn; `is_live` while more may come."""

    text: GrowingText = field(default_factory=GrowingText)
    thinking: GrowingText = field(default_factory=GrowingText)
    is_live: bool = False


class ToolCallEntry(Struct, eq=False):
    """One tool call. `key` is empty where the model named no tool there is: then `name` is said.

    `text` is what the model wrote where it could not be read as arguments. `elapsed` is in seconds:
    what the tool took, once it is over; `detail` how far it is, or why not.
    """

    call_id: str
    name: str
    key: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    state: CallState = "waiting"
    question: ApprovalQuestion | None = None
    result: ToolResult | None = None
    elapsed: float = 0.0
    detail: str = ""
    is_corrected: bool = False
    """Whether a person changed what the model wrote; `arguments` are those that were sent."""
    is_in_part: bool = False
    """Whether the model is sent only the beginning of its result by now."""
    repeats: int = 0
    """How often the same call was asked about before, for the same question."""


class NoticeEntry(Struct, eq=False):
    """A sentence between the others; `sentence` in the words of whoever said it.

    `due` is when the next attempt begins, in seconds of `time.monotonic`; `is_over` is that of a
    wait that came to its end, and is not shown any more.
    """

    kind: NoticeKind
    sentence: str = ""
    due: float = 0.0
    attempt: int = 0
    cause: str = ""
    is_over: bool = False


Entry: TypeAlias = UserEntry | ModelEntry | ToolCallEntry | NoticeEntry


_BROKEN = ("failed", "stopped", "limit")
_ENDS: dict[ErrorCode, CallState] = {
    ErrorCode.DENIED: "denied",
    ErrorCode.CANCELLED: "cancelled",
}


class EntryList:
    """The entries of one conversation in their order."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.appended: Signal[[Entry]] = Signal()
        self.changed: Signal[[Entry]] = Signal()
        self.replaced: Signal[[]] = Signal()
        """Other entries are shown: some were taken away."""
        self.usage = Usage()
        self.models: set[str] = set()
        """Which models answered, as their provider names them."""
        self.context = 0
        """Tokens of the conversation as the model was given it last, with what it answered."""
        self._calls: dict[str, ToolCallEntry] = {}
        self._asked: list[ToolCallEntry] = []
        """All calls of the last question."""
        self._live: ModelEntry | None = None
        self._retry: NoticeEntry | None = None
        self._left: NoticeEntry | None = None
        """Says how many calls of the last turn were not sent; they have no entries."""

    @property
    def asking(self) -> list[ToolCallEntry]:
        """The calls that wait for a person, in the order they were asked about."""
        return [call for call in self._calls.values() if call.question is not None]

    def say(self, text: str, images: tuple[Image, ...] = (), number: int | None = None) -> None:
        """A person asks."""
        self._calls.clear()
        self._asked.clear()
        self._append(UserEntry(GrowingText(text), images, number))

    def fail(self, sentence: str, cause: str, *, is_stop: bool = False) -> None:
        """It ended before a session could tell so; `cause` is a `Failure` or empty."""
        self._append(NoticeEntry("stopped" if is_stop else "failed", sentence, cause=cause))

    def notice(self, sentence: str) -> None:
        """Something a person should know, between the messages."""
        self._append(NoticeEntry("said", sentence))

    @property
    def last_question(self) -> UserEntry | None:
        """What a person asked last."""
        return next((e for e in reversed(self.entries) if isinstance(e, UserEntry)), None)

    @property
    def is_broken_off(self) -> bool:
        """Whether the last answer did not come to its end."""
        last = self.entries[-1] if self.entries else None
        return isinstance(last, NoticeEntry) and last.kind in _BROKEN

    @property
    def is_too_long(self) -> bool:
        """Whether the last question ended because the model cannot read all of it."""
        last = self.entries[-1] if self.entries else None
        return isinstance(last, NoticeEntry) and last.cause == "context"

    def load(
        self,
        messages: Iterable[Message],
        tree: MessageTree | None = None,
        find_key: Callable[[str], str] = lambda _: "",
        shortened: Shortened | None = None,
    ) -> None:
        """Show what is stored, in place of what is there.

        Args:
            messages: one branch of the conversation.
            tree: says which places the questions have.
            find_key: gives the tool of a wire name that was stored without it; empty for none.
            shortened: of which results the model is sent the beginning alone.
        """
        keys: dict[str, str] = {}

        def key_of(name: str) -> str:
            if name not in keys:
                keys[name] = find_key(name)
            return keys[name]

        numbers = {id(node.message): node.number for node in tree.path()} if tree else {}
        had = bool(self.entries)
        self.entries, self._live, self._retry = [], None, None
        self._calls.clear()
        self._forget_use()
        branch = tuple(messages)
        for message, after in zip(branch, (*branch[1:], None), strict=True):
            self._read(message, numbers.get(id(message)))
            if isinstance(message, AssistantMessage):
                answers = after.answers if isinstance(after, ToolMessage) else ()
                self._read_calls(message, answers, key_of)
        if tree is not None and shortened is not None and shortened.before:
            from desktop.features.chat.agent.compaction import Numbered, count_shortened

            path = (Numbered(node.number, node.message) for node in tree.path())
            self._note_shortened(count_shortened(path, shortened))
        if had:
            self.replaced.send()

    def unload(self) -> tuple[Entry, ...]:
        """Forget what is stored. Returns what is not: notices and questions at the end."""
        at = len(self.entries)
        while at and _is_unstored(self.entries[at - 1]):
            at -= 1
        kept = tuple(self.entries[at:])
        self.entries, self._live, self._retry = [], None, None
        self._calls.clear()
        self._forget_use()
        return kept

    def add(self, kept: Iterable[Entry]) -> None:
        """Show what `unload` returned below what was loaded since."""
        told = {entry.sentence for entry in self.entries if isinstance(entry, NoticeEntry)}
        for entry in kept:
            if not isinstance(entry, NoticeEntry) or entry.sentence not in told - {""}:
                self._append(entry)

    def drop_from(self, entry: UserEntry) -> None:
        """Take a question and all after it away: it is asked in other words."""
        self._cut(self.entries.index(entry))

    def drop_answer(self, entry: UserEntry) -> None:
        """Take all after a question away: it is answered anew."""
        self._cut(self.entries.index(entry) + 1)

    def drop_broken_end(self) -> None:
        """Take the end of an answer that was broken off away; what was done stays."""
        at = len(self.entries)
        while at and isinstance(self.entries[at - 1], NoticeEntry):
            at -= 1
        if at and isinstance(self.entries[at - 1], ModelEntry):
            at -= 1
        self._cut(at)

    def _cut(self, at: int) -> None:
        del self.entries[at:]
        self._live = self._retry = None
        self.replaced.send()

    def apply(self, event: AgentEvent) -> None:
        """Take in the next event of the session."""
        from desktop.features.chat.agent import events as on  # 8 ms that the page does not wait for
        from desktop.features.chat.llm import completion

        match event:
            case completion.TextDelta():
                self._grow(event, is_text=True)
            case completion.ThinkingDelta():
                self._grow(event, is_text=False)
            case completion.Retrying():
                self._tell_retry(event)
            case on.QuestionAdded():
                if (asked := self.last_question) is not None:
                    asked.number = event.number
                    self.changed.send(asked)
            case on.TurnFinished():
                self._left = None
                self._finish_turn(event.message)
            case on.BuiltinLost(restarting=restarting):
                sentence = named(event.name, event.error)
                self._append(NoticeEntry("lost", sentence, attempt=int(restarting)))
            case on.NoticePosted():
                self.notice(event.sentence)
            case on.Ended():
                self._end(event.outcome)
            case _:
                self._apply_to_call(event)

    def _apply_to_call(self, event: AgentEvent) -> None:
        from desktop.features.chat.agent import events as on

        match event:
            case on.CallStarted(left=True):
                self._leave_call()
            case on.CallStarted():
                self._start_call(event.request, event.key, event.call_id)
            case on.CallStepped():
                self._step(event.step)
            case on.ApprovalAsked(question=question):
                call = self._call(question.call_id, question.definition.key)
                call.question, call.state = question, "asking"
                call.key, call.arguments = question.definition.key, question.arguments
                call.repeats = self._count_like(call)
                self.changed.send(call)
            case on.ApprovalGiven(question=question):
                call = self._call(question.call_id, question.definition.key)
                call.question = None
                if call.state == "asking":
                    call.state = "waiting"
                self.changed.send(call)
            case on.ResultsShortened():
                self._note_shortened(event.calls)
            case on.CallAnswered(answer=answer) if not _is_left(answer):
                self._answer(self._call(answer.call_id, answer.wire_name), answer.result)
            case _:
                return

    def _count_like(self, asked: ToolCallEntry) -> int:
        return sum(
            call is not asked
            and (call.key, call.arguments) == (asked.key, asked.arguments)
            and call.result is not None
            for call in self._asked
        )

    def _note_shortened(self, calls: int) -> None:
        from desktop.features.chat.agent.compaction import is_long

        found = [entry for entry in self.entries if isinstance(entry, ToolCallEntry)][:calls]
        for call in found:
            if not call.is_in_part and call.result is not None and is_long(call.result):
                call.is_in_part = True
                self.changed.send(call)

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.appended.send(entry)

    def _grow(self, event: TextDelta | ThinkingDelta, *, is_text: bool) -> None:
        self._end_retry()
        entry, is_new = self._live or ModelEntry(is_live=True), self._live is None
        self._live = entry
        (entry.text if is_text else entry.thinking).add(event.text)
        if is_new:
            self._append(entry)
        else:
            self.changed.send(entry)

    def _finish_turn(self, message: AssistantMessage) -> None:
        """What came whole counts: a service may send no pieces, or take some of them back."""
        entry, self._live = self._live, None
        self._end_retry()
        self._count(message)
        if entry is None:
            if message.text or message.thinking:
                self._append(_model_entry(message))
            return
        if entry.text.text != (text := _spoken_text(message)):
            entry.text = GrowingText(text)
        if message.thinking and entry.thinking.text != message.thinking:
            entry.thinking = GrowingText(message.thinking)
        entry.is_live = False
        self.changed.send(entry)

    def _tell_retry(self, event: Retrying) -> None:
        self._drop_half_a_turn()
        if self._retry is None:
            self._retry = NoticeEntry("retry")
            self._append(self._retry)
        retry = self._retry
        retry.sentence, retry.attempt = event.reason, event.attempt
        retry.due = time.monotonic() + event.seconds
        self.changed.send(retry)

    def _end_retry(self) -> None:
        retry, self._retry = self._retry, None
        if retry is not None:
            retry.is_over = True
            self.changed.send(retry)

    def _count(self, message: AssistantMessage) -> None:
        used = message.usage
        if used.input or used.output:
            self.context = used.input + used.output
            self.models.add(message.model)

    def _forget_use(self) -> None:
        self.usage, self.context = Usage(), 0
        self.models.clear()

    def _drop_half_a_turn(self) -> None:
        """The next attempt says it all again."""
        if self._live is not None:
            self._live.text, self._live.thinking = GrowingText(), GrowingText()
            self.changed.send(self._live)

    def _start_call(self, request: ToolRequest, key: str, call_id: str) -> ToolCallEntry:
        arguments, text = _arguments(request.arguments)
        call = ToolCallEntry(call_id, request.wire_name, key, arguments, text)
        self._calls[call_id] = call
        self._asked.append(call)
        self._append(call)
        return call

    def _leave_call(self) -> None:
        """One sentence for all of a turn: there may be a hundred, and none of them did anything."""
        if is_new := self._left is None:
            self._left = NoticeEntry("said")
        left = self._left
        left.attempt += 1
        left.sentence = translatable(
            "Too many calls in one turn. The model was told that these were not sent: {count}.",
            count=left.attempt,
        )
        if is_new:
            self._append(left)
        else:
            self.changed.send(left)

    def _call(self, call_id: str, name: str) -> ToolCallEntry:
        if (call := self._calls.get(call_id)) is None:
            call = self._calls[call_id] = ToolCallEntry(call_id, name)
            self._append(call)
        return call

    def _step(self, step: CallStep) -> None:
        call = self._call(step.call.call_id, step.call.key)
        call.elapsed, call.key = step.elapsed, step.call.key
        call.is_corrected = step.call.is_corrected
        match step.step:
            case "parsed" | "validated" | "approved":
                call.arguments, call.text = step.call.arguments, ""
            case "sent":
                call.state, call.detail = "running", ""
            case "progress" | "refused" | "denied":
                call.detail = step.detail
            case "finished" if step.result is not None:
                self._answer(call, step.result)
                return
            case _:
                return
        self.changed.send(call)

    def _answer(self, call: ToolCallEntry, result: ToolResult) -> None:
        """The whole result comes with the last step; what the model is told may be a part of it."""
        if call.result is None:
            call.result = result
            call.state = _state_of(result)
            call.elapsed = result.execution_time  # without what a person took to decide
        self.changed.send(call)

    def _correct(self, answer: ToolAnswer) -> None:
        """What is stored of the arguments that were sent."""
        if answer.corrected is not None:
            call = self._call(answer.call_id, answer.wire_name)
            call.arguments, call.text, call.is_corrected = answer.corrected, "", True

    def _end(self, outcome: TurnOutcome) -> None:
        self._end_retry()
        if (entry := self._live) is not None:
            entry.is_live, self._live = False, None
            self.changed.send(entry)
        for call in self._calls.values():
            if call.state in {"waiting", "asking", "running"}:
                call.state, call.question = "cancelled", None
                self.changed.send(call)
        before, now = self.usage, outcome.usage
        self.usage = Usage(
            before.input + now.input, before.output + now.output, before.cached + now.cached
        )
        if outcome.end != "done":
            self._append(NoticeEntry(outcome.end, outcome.error, cause=outcome.kind))
        elif outcome.stop in {"length", "refused", "filtered"}:
            self._append(NoticeEntry(cast("Any", outcome.stop)))

    def _read_calls(
        self,
        message: AssistantMessage,
        answers: Iterable[ToolAnswer],
        find_key: Callable[[str], str],
    ) -> None:
        self._left = None
        left = {answer.call_id for answer in answers if _is_left(answer)}
        for request in message.requests:
            if request.call_id in left:
                self._leave_call()
            else:
                key = request.key or find_key(request.wire_name)
                self._start_call(request, key, request.call_id)

    def _read(self, message: Message, number: int | None) -> None:
        match message:
            case UserMessage():
                self.say(message.text, message.images, number)
            case AssistantMessage():
                if message.text or message.thinking:
                    self._append(_model_entry(message))
                self._count(message)
                used = message.usage
                self.usage = Usage(
                    self.usage.input + used.input,
                    self.usage.output + used.output,
                    self.usage.cached + used.cached,
                )
            case ToolMessage():
                for answer in message.answers:
                    if not _is_left(answer):
                        self._correct(answer)
                        self._answer(self._call(answer.call_id, answer.wire_name), answer.result)


def _is_left(answer: ToolAnswer) -> bool:
    return answer.result.error is not None and answer.result.error.type == LEFT


def _is_unstored(entry: Entry) -> bool:
    if isinstance(entry, UserEntry):
        return entry.number is None
    return isinstance(entry, NoticeEntry)


def _model_entry(message: AssistantMessage) -> ModelEntry:
    return ModelEntry(GrowingText(_spoken_text(message)), GrowingText(message.thinking))


def _spoken_text(message: AssistantMessage) -> str:
    """The text, with what the app added to it in the language of the window."""
    end = f"[{message.note}]"
    if not message.note or not message.text.endswith(end):
        return message.text
    return f"{message.text.removesuffix(end)}[{spoken(message.note)}]"


def _state_of(result: ToolResult) -> CallState:
    if result.error is None:
        return "done" if result.success else "failed"
    return _ENDS.get(result.error.code, "failed")


def _arguments(given: str | Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """What a model wrote: an object, or the text that is none."""
    if isinstance(given, Mapping):
        return given, ""
    try:
        read: object = json.loads(given) if given.strip() else {}
    except (ValueError, RecursionError):
        return {}, given
    return (cast("Mapping[str, Any]", read), "") if isinstance(read, dict) else ({}, given)
