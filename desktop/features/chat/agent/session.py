"""`AgentSession`: a conversation with a model, the tools it may call, and servers of its own.

Sessions share the service's servers and nothing else; what a session started ends with it. Must not
show anything: the window and the terminal follow `event_emitted`. Made by `AgentSessions`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.features.chat.agent.compaction import summary_question
from desktop.features.chat.agent.events import CallStepped, Ended, NoticePosted, QuestionAdded
from desktop.features.chat.agent.limits import PausableTimeout, SessionLimits
from desktop.features.chat.agent.loop import NOTHING, AgentLoop, ModelRef
from desktop.features.chat.agent.session_info import make_title, title_of
from desktop.features.chat.llm.completion import Completed, CompletionError, CompletionRequest
from desktop.features.models.messages import UserMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.features.chat.agent.compaction import Shortened
    from desktop.features.chat.agent.events import AgentEvent, NotifyingPrompter, TurnOutcome
    from desktop.features.chat.agent.loop import Conversation
    from desktop.features.chat.agent.message_tree import MessageTree
    from desktop.features.chat.agent.secrets import SessionSecrets
    from desktop.features.chat.agent.session_info import SessionInfo, SessionTerms
    from desktop.features.chat.agent.session_tools import SessionTools
    from desktop.features.chat.agent.transcript import Transcript
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.chat.llm.tool_choice import ToolChoice
    from desktop.features.models.messages import Image, Message
    from desktop.tools.approval_policy import ApprovalPolicy

STOP_LIMIT = 5.0
"""Seconds after which an `ask` that does not react to its cancellation is given up."""

_CLOSING = "the session ends"
NEW_TOOLS = translatable(
    "The model is told of the tools that there are now. What it thought before is not sent any "
    "more: it was tied to the earlier tools."
)

logger = logging.getLogger(__name__)


class SessionParts(Struct, frozen=True):
    """What a session owns; `event_emitted` is shared with the parts that emit events themselves."""

    conversation: Conversation
    tools: SessionTools
    policy: ApprovalPolicy
    secrets: SessionSecrets
    prompter: NotifyingPrompter
    transcript: Transcript
    event_emitted: Signal[[AgentEvent]]
    limits: Callable[[], SessionLimits] = SessionLimits


class AgentSession:
    """Answers one `ask` at a time; `event_emitted` reports all of it, in order, on the loop."""

    def __init__(self, about: SessionInfo, service: CompletionService, parts: SessionParts) -> None:
        self.about = about
        self.tools = parts.tools
        self.limits: SessionLimits | None = None
        """Bounds of the next `ask`; None for those of the settings."""
        self.event_emitted = parts.event_emitted
        self.closed: Signal[[]] = Signal()
        self.notices: list[str] = []
        """Sentences for the person that came before anybody could listen, and those since."""
        self._service = service
        self._conversation, self._transcript = parts.conversation, parts.transcript
        self._parts = parts
        self._work: asyncio.Task[TurnOutcome] | None = None
        self._is_closed = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._transcript.told.connect(self.notice)
        conversation, transcript = self._conversation, self._transcript
        conversation.added.connect(lambda each: transcript.add(each, conversation.place))
        conversation.moved.connect(transcript.move)
        conversation.shortened_changed.connect(transcript.shorten)
        self.tools.kept_changed.connect(transcript.keep_tools)
        self.tools.executor.stepped.connect(lambda step: self.event_emitted.send(CallStepped(step)))

    @property
    def id(self) -> str:
        return self.about.id

    @property
    def secrets(self) -> SessionSecrets:
        """What of it is not to be written anywhere."""
        return self._parts.secrets

    @property
    def messages(self) -> Sequence[Message]:
        return self._conversation.messages

    @property
    def is_running(self) -> bool:
        return self._work is not None

    @property
    def can_be_reopened(self) -> bool:
        """Whether all that was said is in its file, and can be read from there."""
        return self._transcript.is_saved and self._transcript.is_readable

    @property
    def tree(self) -> MessageTree:
        """All branches of the conversation; to be read."""
        return self._conversation.tree

    async def ask(
        self, text: str, images: tuple[Image, ...] = (), *, after: int | None = None
    ) -> TurnOutcome:
        """Send a message and let the model and its tools work until the model is done.

        Never raises for what the model, a tool or the network does: the outcome says it. Cancelling
        the caller stops the session as `stop` does, and the cancellation goes on.

        Args:
            text: what is asked.
            images: what is shown with it.
            after: the number of the message in `tree` that it is to follow, which begins a branch;
                None for the last one.

        Raises:
            UsageError: the session is at work, or closed.
            LookupError: there is no message `after`.
        """
        self._check_free()
        if after is not None:
            self._conversation.go_to(after)
        if not title_of(self.about.title) and (title := title_of(text) or text.strip()):
            self.rename(title)  # until then there was none, or a greeting
        self._conversation.add(UserMessage(text, images))
        self.event_emitted.send(QuestionAdded(self.tree.head))
        return await self._run()

    async def answer_again(self, after: int) -> TurnOutcome:
        """Let the model answer anew after a message of `tree`; otherwise as `ask`."""
        self._check_free()
        self._conversation.go_to(after)
        return await self._run()

    def go_to(self, number: int) -> None:
        """Go on with another branch, after this message of `tree`. Raises as `ask`."""
        self._check_free()
        self._conversation.go_to(number)

    def stop(self, *, is_closing: bool = False) -> None:
        """Cancel the running `ask`, without waiting; its calls are cancelled at their servers.

        Args: is_closing: whether the session ends, and no person wanted the `ask` to.
        """
        if self._work is not None:
            self._work.cancel(_CLOSING if is_closing else None)

    def cancel_call(self, call_id: str) -> bool:
        """Cancel one of the calls that run, by the id of its request; the model reads that it was.

        Returns: whether it was running. The other calls and the `ask` go on.
        """
        return self.tools.executor.cancel(call_id)

    def use(self, service: CompletionService, model: str) -> None:
        """Use another model from the next `ask` on. Raises `UsageError` while at work."""
        self._check_free()
        self._service = service
        self._describe(replace(self.about, provider=service.name, model=model))

    def choose(self, choice: ToolChoice) -> None:
        """Offer these of the service's tools from the next request on."""
        self.tools.choose(choice)
        self._describe(replace(self.about, choice=choice))

    def agree(self, terms: SessionTerms) -> None:
        """Be answered like this from the next request on."""
        self._parts.policy.approving = terms.approving
        self._describe(replace(self.about, terms=terms))

    def use_new_tools(self) -> None:
        """Tell the model of the tools that there are now. Raises `UsageError` while at work.

        What it thought with others is left out of what it is sent, and the person reads that.
        """
        self._check_free()
        self.tools.renew(self._conversation.tree.following)
        self.notice(NEW_TOOLS)

    @property
    def shortened(self) -> Shortened:
        """What of it the model is not sent any more."""
        return self._conversation.shortened

    async def summarise(self) -> str:
        """What a new conversation has to know of this one, in the words of its model.

        Raises `CompletionError`, and `UsageError` while at work.
        """
        self._check_free()
        model, service = self.about.model, self._service
        question = summary_question(self.messages, service.window(model))
        request = CompletionRequest(model, (UserMessage(question),))
        async with aclosing(service.stream(request)) as events:
            async for event in events:
                if isinstance(event, Completed) and event.message.text.strip():
                    return event.message.text.strip()
        raise CompletionError("provider", NOTHING)

    def rename(self, title: str) -> None:
        self._describe(replace(self.about, title=make_title(title)))

    def notice(self, sentence: str) -> None:
        """Tell the person something that is no part of the conversation."""
        self.notices.append(sentence)
        self.event_emitted.send(NoticePosted(sentence))

    async def close(self) -> None:
        """Stop what runs, end the session's servers, write what is left. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        self.stop(is_closing=True)
        with suppress(TimeoutError):
            # The conversation of a cancelled `ask` is put in order by that `ask`: let it finish.
            async with asyncio.timeout(STOP_LIMIT + 1.0):
                await self._idle.wait()
        await self.tools.close()
        await self._transcript.close()
        self.closed.send()

    async def _run(self) -> TurnOutcome:
        limits = self.limits or self._agreed_limits()
        clock = PausableTimeout(limits.seconds)
        about = self.about
        model = ModelRef(self._service, about.model, about.system, about.terms.effort)
        loop = AgentLoop(
            self._conversation,
            model,
            self.tools,
            self._parts.secrets,
            limits,
            self.event_emitted.send,
        )
        self._parts.prompter.clock = clock
        self._work = work = spawn(loop.run(clock), f"session {self.id}")
        self._idle.clear()
        try:
            await _wait_for_end(work)
        finally:
            outcome = _finish(loop, work)
            self._work = None
            if not self.about.title and (title := title_of(outcome.text)):
                self.rename(title)  # a picture alone was asked about
            self.event_emitted.send(Ended(outcome))
            self._idle.set()
        await self._transcript.flush()
        return outcome

    def _agreed_limits(self) -> SessionLimits:
        usual, terms = self._parts.limits(), self.about.terms
        turns, seconds = terms.turns or usual.turns, terms.seconds or usual.seconds
        return replace(usual, turns=turns, seconds=seconds)

    def _check_free(self) -> None:
        if self._is_closed:
            raise UsageError(
                translatable("The session is closed."), remedy=translatable("Open it again.")
            )
        if self.is_running:
            raise UsageError(
                translatable("The session is at work."),
                remedy=translatable("Wait for it, or stop it."),
            )

    def _describe(self, about: SessionInfo) -> None:
        self.about = about
        self._transcript.describe(about)


async def _wait_for_end(work: asyncio.Task[TurnOutcome]) -> None:
    """Wait until it is done; being cancelled cancels it."""
    try:
        await asyncio.wait({work})
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work}, timeout=STOP_LIMIT)


def _finish(loop: AgentLoop, work: asyncio.Task[TurnOutcome]) -> TurnOutcome:
    if not work.done():
        logger.error("%s did not stop within %g s", work.get_name(), STOP_LIMIT)
        return loop.finish(None)
    try:
        error = work.exception()
    except asyncio.CancelledError as cancelled:
        return loop.finish(None, is_closing=_CLOSING in cancelled.args)
    return loop.finish(work.result() if error is None else loop.fault_outcome(error))
