"""`AgentSession`: a conversation with a model, the tools it may call, and servers of its own.

Sessions share the service's servers and nothing else; what one started ends with it. Must not show
anything: the window and the terminal follow `happened`. Made by `AgentSessions`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.agent.events import CallStepped, Ended, NoticePosted
from desktop.agent.limits import PausableTimeout
from desktop.agent.loop import AgentLoop, ModelRef
from desktop.agent.session_info import title_of
from desktop.errors import UsageError
from desktop.llm.messages import UserMessage
from desktop.signals import Signal
from desktop.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.agent.approvals import NotifyingPrompter
    from desktop.agent.events import AgentEvent, TurnOutcome
    from desktop.agent.limits import SessionLimits
    from desktop.agent.loop import Conversation
    from desktop.agent.secrets import SessionSecrets
    from desktop.agent.session_file import Transcript
    from desktop.agent.session_info import SessionInfo
    from desktop.agent.session_tools import SessionTools
    from desktop.llm.completion import CompletionService
    from desktop.llm.messages import Image, Message
    from desktop.llm.tool_choice import ToolChoice

STOP_LIMIT = 5.0
"""Seconds until a run that was told to stop is left alone."""

logger = logging.getLogger(__name__)


class AgentSession:
    """One at work at a time; `happened` tells all of it, in order, on the loop."""

    def __init__(
        self,
        about: SessionInfo,
        service: CompletionService,
        conversation: Conversation,
        tools: SessionTools,
        secrets: SessionSecrets,
        asker: NotifyingPrompter,
        transcript: Transcript,
        limits: SessionLimits,
        happened: Signal[[AgentEvent]],
    ) -> None:
        self.about = about
        self.tools = tools
        self.limits = limits
        self.happened = happened
        self.closed: Signal[[]] = Signal()
        self.notices: list[str] = []
        """What was to be said while perhaps nobody listened yet."""
        self._service, self._conversation, self._secrets = service, conversation, secrets
        self._asker, self._transcript = asker, transcript
        self._work: asyncio.Task[TurnOutcome] | None = None
        self._is_closed = False
        self._idle = asyncio.Event()
        self._idle.set()
        transcript.failed.connect(self.notice)
        conversation.added.connect(transcript.add)
        tools.executor.stepped.connect(lambda step: happened.send(CallStepped(step)))

    @property
    def id(self) -> str:
        return self.about.id

    @property
    def messages(self) -> Sequence[Message]:
        return self._conversation.messages

    @property
    def is_running(self) -> bool:
        return self._work is not None

    async def ask(self, text: str, images: tuple[Image, ...] = ()) -> TurnOutcome:
        """Say something and let the model and its tools work until it is done.

        Never raises for what the model, a tool or the network does: the outcome says it. Cancelling
        the caller is a `stop` that raises on.

        Raises:
            UsageError: it is at work, or closed.
        """
        self._check_free()
        if not self.about.title:
            self.rename(title_of(text))
        self._conversation.add(UserMessage(text, images))
        return await self._run()

    def stop(self) -> None:
        """Stop what runs, without waiting: calls are cancelled at their servers, `ask` returns."""
        if self._work is not None:
            self._work.cancel()

    def use(self, service: CompletionService, model: str) -> None:
        """Go on with another model from the next ask on. Raises `UsageError` while at work."""
        self._check_free()
        self._service = service
        self._tell_about(replace(self.about, provider=service.name, model=model))

    def choose(self, choice: ToolChoice) -> None:
        """Offer these of the service's tools from the next request on."""
        self.tools.choose(choice)
        self._tell_about(replace(self.about, choice=choice))

    def rename(self, title: str) -> None:
        self._tell_about(replace(self.about, title=title_of(title)))

    def notice(self, sentence: str) -> None:
        """Tell the person something beside the conversation; kept in `notices`, too."""
        self.notices.append(sentence)
        self.happened.send(NoticePosted(sentence))

    async def close(self) -> None:
        """End it: what runs is stopped, its servers end, the rest is written. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        self.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_LIMIT + 1.0):
                await self._idle.wait()  # what was cut short is put in order by whoever asked
        await self.tools.close()
        await self._transcript.close()
        self.closed.send()

    async def _run(self) -> TurnOutcome:
        clock = PausableTimeout(self.limits.seconds)
        model = ModelRef(self._service, self.about.model, self.about.system)
        run = AgentLoop(
            self._conversation, model, self.tools, self._secrets, self.limits, self.happened.send
        )
        self._asker.clock = clock
        self._work = work = spawn(run.go(clock), f"session {self.id}")
        self._idle.clear()
        try:
            await _ended(work)
        finally:
            outcome = _end(run, work)
            self._work = None
            self.happened.send(Ended(outcome))
            self._idle.set()
        await self._transcript.flush()
        return outcome

    def _check_free(self) -> None:
        if self._is_closed:
            raise UsageError("The session is closed.", remedy="Open it again.")
        if self.is_running:
            raise UsageError("The session is at work.", remedy="Wait for it, or stop it.")

    def _tell_about(self, about: SessionInfo) -> None:
        self.about = about
        self._transcript.describe(about)


async def _ended(work: asyncio.Task[TurnOutcome]) -> None:
    """Wait for its end; being cancelled ends it."""
    try:
        await asyncio.wait({work})
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work}, timeout=STOP_LIMIT)


def _end(run: AgentLoop, work: asyncio.Task[TurnOutcome]) -> TurnOutcome:
    if not work.done():
        logger.error("%s did not stop within %g s", work.get_name(), STOP_LIMIT)
        return run.end(None)
    if work.cancelled():
        return run.end(None)
    error = work.exception()
    return run.end(work.result() if error is None else run.broke(error))
