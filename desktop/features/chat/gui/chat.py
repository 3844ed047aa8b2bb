"""`Chat`: the window's side of one agent session, new, stored or open. Must not import Qt.

The session and its servers exist from the first question until `close` or `let_go`; a stored chat
is shown without them. Answers arrive whether the chat is shown or not. An approval waits for a
person and is never answered by itself: whoever stops waiting takes the question back.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import join_list, translatable
from desktop.features.chat.gui.entries import EntryList

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from datetime import datetime

    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.agent.compaction import Shortened
    from desktop.features.chat.agent.events import AgentEvent, TurnOutcome
    from desktop.features.chat.agent.message_tree import MessageTree, Versions
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_info import ChatSettings
    from desktop.features.chat.agent.session_store import LoadedSession
    from desktop.features.chat.gui.attached_files import TextFile
    from desktop.features.chat.gui.entries import Entry, UserEntry
    from desktop.features.chat.gui.interfaces import Providers, Sessions
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.models.messages import Image, Message
    from desktop.gui.results.companion import Enclosures
    from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse


class WindowPrompter:
    """An `ApprovalPrompter`: each question waits until `answer` is called for it."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[ApprovalResponse]] = {}

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        """Wait for a person, without a limit; being cancelled takes the question back."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[question.call_id] = waiting
        try:
            return await waiting
        finally:
            self._waiting.pop(question.call_id, None)

    def answer(self, call_id: str, answer: ApprovalResponse) -> None:
        """Give the answer; one that nobody waits for any more is passed over."""
        waiting = self._waiting.get(call_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)


Phase: TypeAlias = Literal["idle", "starting", "running", "summarising", "stopping"]

RELEASE_LIMIT = 2.0
"""Seconds until the client of a provider is closed although the chat still works."""


class Unsent(Struct, frozen=True):
    """What a person wrote and attached, and has not sent."""

    text: str = ""
    images: tuple[Image, ...] = ()
    files: tuple[TextFile, ...] = ()


class Chat:
    """`changed` tells of title, setup, phase and questions; entries have signals of their own."""

    def __init__(
        self, sessions: Sessions, providers: Providers, setup: ChatSettings, *, stored: str = ""
    ) -> None:
        """Args: stored: the id of the session that is gone on with; empty for a new one."""
        self._sessions, self._providers = sessions, providers
        self.id, self.setup = stored, setup
        self.title = ""
        self.used: datetime | None = None
        self.problem = ""
        """Why the list says that it cannot be opened; empty where it says nothing."""
        self.is_read = not stored
        """Whether `entries` has what is stored of it."""
        self.load_error = ""
        """Why it could not be read; empty where it could, or nobody has tried."""
        self.place: tuple[int, int] | None = None
        """What was read of it last, as `MessageList.place`; None for its end."""
        self.unsent: Unsent | None = None
        """None where nobody wrote anything in this run."""
        self.phase: Phase = "idle"
        self.entries = EntryList()
        self.queue: list[tuple[str, tuple[Image, ...]]] = []
        """What is asked next, once the model is done: texts and their pictures."""
        self.prompter = WindowPrompter()
        self.enclosures: Enclosures | None = None
        """What a feature has for the next question; None where none has had anything yet."""
        self.session: AgentSession | None = None
        self.awaited: tuple[str, ...] = ()
        """Servers that the next request waits for."""
        self.silent_since = 0.0
        """When the model was asked, in seconds of `time.monotonic`; 0 once something came."""
        self._stored_tree: MessageTree | None = None
        self._branch_end: int | None = None
        self._shortened: Shortened | None = None
        self._kept: tuple[Entry, ...] = ()
        self._lost_servers: tuple[str, ...] = ()
        self._ending: asyncio.Task[None] | None = None
        self._find_key: Callable[[str], str] = lambda _: ""
        self.changed: Signal[[Chat]] = Signal()
        self.summarised: Signal[[Chat, str]] = Signal()
        """What a new conversation has to know of this one."""
        self._service: CompletionService | None = None
        self._served: ProviderSettings | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self.phase != "idle"

    @property
    def is_begun(self) -> bool:
        """Whether there is something in it: its built-in servers are chosen then."""
        return bool(self.id) or self.is_busy

    @property
    def questions(self) -> int:
        """How many calls wait for a person."""
        return len(self.entries.asking)

    @property
    def can_be_let_go(self) -> bool:
        """Whether nothing of it would be lost: all is stored, nothing works, nobody is asked."""
        is_stored = bool(self.id) and (self.session is None or self.session.can_be_reopened)
        has_enclosures = self.enclosures is not None and not self.enclosures.is_empty
        is_quiet = not (self.is_busy or self.questions or self.queue)
        return is_stored and is_quiet and not has_enclosures

    @property
    def tree(self) -> MessageTree | None:
        """All branches of the conversation; None while nothing of it is known."""
        return self.session.tree if self.session is not None else self._stored_tree

    def take_stored(
        self, stored: LoadedSession, find_key: Callable[[str], str] = lambda _: ""
    ) -> None:
        """Show what was stored. Args: find_key: as in `EntryList.load`."""
        self._stored_tree, self._find_key = stored.tree, find_key
        messages: Sequence[Message] = stored.messages
        if self._branch_end is not None:  # a branch that was chosen before it was let go of
            try:
                messages = self._go_to(stored.tree, self._branch_end)
            except LookupError:  # which is lost
                self._branch_end = None
        self.is_read, self.load_error = True, ""
        self._shortened = stored.shortened
        self.entries.load(messages, stored.tree, find_key, self._shortened)
        if stored.words:
            self.entries.notice(stored.words)
        kept, self._kept = self._kept, ()
        self.entries.add(kept)
        self.changed.send(self)

    def fail_to_load(self, why: str) -> None:
        """Show why it cannot be read in place of what was said."""
        self.load_error = why
        if not self.entries.entries:
            self.entries.fail(why, "")
        self.changed.send(self)

    def ask(self, text: str, images: tuple[Image, ...] = ()) -> None:
        """Say something; begins the session where there is none. Only while it is idle.

        What features have for the model goes with it, and is shown as a part of it.
        """
        if self.enclosures is not None:
            text = self.enclosures.enclose(text)
        self._ask_after(text, images, None)

    @property
    def waiting(self) -> list[str]:
        """The texts of what was put off."""
        return [text for text, _ in self.queue]

    def put_off(self, text: str, images: tuple[Image, ...] = ()) -> None:
        """Ask this once the model is done; after a stop or a failure it waits for a person."""
        if not self.is_busy:
            self.ask(text, images)
            return
        self.queue.append((text, images))
        self.changed.send(self)

    def take_back(self) -> tuple[str, tuple[Image, ...]]:
        """All that was put off, to be written on."""
        texts = self.waiting
        images = tuple(image for _, pictures in self.queue for image in pictures)
        self.queue.clear()
        self.changed.send(self)
        return "\n\n".join(texts), images

    def edit(self, entry: UserEntry, text: str) -> None:
        """Ask something else in place of an earlier question: a new branch. Only while idle."""
        tree = self.tree
        after = tree.parent(entry.number) if tree and entry.number is not None else None
        self.entries.drop_from(entry)
        self._ask_after(text, entry.images, after)

    def try_again(self) -> None:
        """Have the last question answered anew, or an answer that broke off brought to its end."""
        entry, tree = self.entries.last_question, self.tree
        if entry is None:
            return
        if entry.number is None or tree is None:  # it never reached a model
            self.entries.drop_from(entry)
            self._ask_after(entry.text.text, entry.images, None)
            return
        if self.entries.is_broken_off:
            after = tree.resume_point()
            self.entries.drop_broken_end()
        else:
            after = entry.number
            self.entries.drop_answer(entry)
        self._begin_work(lambda session: session.answer_again(after))

    def versions(self, entry: UserEntry) -> Versions | None:
        """The branches at a question; None where it has no place yet."""
        tree = self.tree
        return tree.versions(entry.number) if tree and entry.number is not None else None

    def show_version(self, entry: UserEntry, at: int) -> None:
        """Go on with another branch. Only while it is idle."""
        tree, versions = self.tree, self.versions(entry)
        if tree is None or versions is None or not 0 <= at < len(versions.starts):
            return
        end = tree.end(versions.starts[at])
        if self.session is not None:
            self.session.go_to(end)
            messages = self.session.messages
        else:
            self._branch_end = end
            messages = self._go_to(tree, end)
        shortened = self.session.shortened if self.session is not None else self._shortened
        self.entries.load(messages, tree, self._find_key, shortened)
        self.changed.send(self)

    def _go_to(self, tree: MessageTree, number: int) -> Sequence[Message]:
        from desktop.features.chat.agent.loop import repair_messages  # with the first session else

        tree.go_to(number)
        return repair_messages((node.message for node in tree.path()), tree.never_sent)

    def _ask_after(self, text: str, images: tuple[Image, ...], after: int | None) -> None:
        self.entries.say(text, images)
        self._begin_work(lambda session: session.ask(text, images, after=after))

    def _begin_work(self, work: Callable[[AgentSession], Coroutine[Any, Any, TurnOutcome]]) -> None:
        self._set_phase("starting")
        self._task = spawn(self._work(work), "chat")

    def stop(self) -> None:
        """Stop what runs, at any moment."""
        if self.phase in {"starting", "summarising"} and self._task is not None:
            self._task.cancel()
        elif self.phase == "running" and self.session is not None:
            self._set_phase("stopping")
            self.session.stop()

    def summarise(self) -> None:
        """Have the model write what a new conversation has to know. Only while it is idle."""
        if not self.is_busy:
            self._set_phase("summarising")
            self._task = spawn(self._work(self._summarise), "summary")

    async def _summarise(self, session: AgentSession) -> None:
        self.summarised.send(self, await session.summarise())

    def cancel_call(self, call_id: str) -> None:
        """Cancel one call, if it still runs; the model goes on without its result."""
        if self.session is not None:
            self.session.cancel_call(call_id)

    def choose(self, setup: ChatSettings) -> None:
        """Go on with this from the next request on; the model from the next question on."""
        self.setup = setup
        if self.session is not None and self.session.about.choice != setup.choice:
            self.session.choose(setup.choice)
        if self.session is not None and self.session.about.terms != setup.terms:
            self.session.agree(setup.terms)
        self.changed.send(self)

    def use_new_tools(self) -> None:
        """Tell the model of the tools that there are now. Only while it is idle."""
        if self.session is not None and not self.is_busy:
            self.session.use_new_tools()
            self.changed.send(self)

    async def rename(self, title: str) -> None:
        """Give it another title. Raises `DesktopError`."""
        if self.session is not None:
            self.session.rename(title)
        elif self.id:
            await self._sessions.store.rename(self.id, title)
        self.title = title
        self.changed.send(self)

    async def close(self) -> None:
        """End the session and its servers; the conversation stays, and can be gone on with."""
        self.stop()
        if (task := self._task) is not None:
            await asyncio.wait({task})
        if self.session is not None:
            self._stored_tree = self.session.tree
        self._end()
        await self.ended()
        self.changed.send(self)

    def let_go(self) -> None:
        """Keep no more of it than its row: the rest is read again when it is looked at.

        Its session ends, and with it the servers of its own; only where `can_be_let_go`.
        """
        self._lost_servers += tuple(self.session.tools.connections.names) if self.session else ()
        self._stored_tree, self.is_read = None, False
        self._kept = self.entries.unload()
        self._end()

    async def ended(self) -> None:
        """Wait until a session that is being ended has ended, and is written."""
        if self._ending is not None:
            await asyncio.wait({self._ending})

    def _end(self) -> None:
        session, self.session = self.session, None
        service, self._service = self._service, None
        before = self._ending

        async def end() -> None:
            if before is not None:
                await asyncio.wait({before})
            if session is not None:
                await session.close()
            if service is not None:
                await service.close()

        self._ending = spawn(end(), "end a chat")

    async def release(self) -> None:
        """Close the client of the provider; whoever owns the session has ended it before."""
        if (task := self._task) is not None:
            await asyncio.wait({task}, timeout=RELEASE_LIMIT)
        service, self._service = self._service, None
        if service is not None:
            await service.close()

    async def _work(self, work: Callable[[AgentSession], Coroutine[Any, Any, object]]) -> None:
        outcome: object = None
        try:
            session = await self._ready()
            if self.phase == "starting":
                self._set_phase("running")
            outcome = await work(session)
        except DesktopError as error:
            self.entries.fail(str(error), getattr(error, "kind", ""))
        except asyncio.CancelledError:
            if self.phase not in {"starting", "summarising"}:
                raise
            self.entries.fail("", "", is_stop=True)
        finally:
            self._task, self.awaited = None, ()
            self._set_phase("idle")
        if self.queue and getattr(outcome, "end", "") == "done":
            self.ask(*self.queue.pop(0))

    async def _ready(self) -> AgentSession:
        """The session, begun, reopened or given another model as the setup says."""
        from desktop.features.chat.agent.events import BuiltinLost

        await self.ended()
        service = await self._provider()
        model, session = self.setup.model, self.session
        if session is None:
            session = await self._begin(service, model)
            session.event_emitted.connect(self._apply)
            self._tell_servers(session)
            for name, words in session.tools.connections.failed.items():
                self._apply(BuiltinLost(name, words, restarting=False))
            self.session, self.id = session, session.id
            place, self._branch_end = self._branch_end, None
            if place is not None:
                session.go_to(place)
        elif session.about.model != model or session.about.provider != service.name:
            session.use(service, model)
        if session.about.choice != self.setup.choice:
            session.choose(self.setup.choice)
        if session.about.terms != self.setup.terms:
            session.agree(self.setup.terms)
        return session

    def _tell_servers(self, session: AgentSession) -> None:
        """Those that ended when the chat was let go of, and were started again now."""
        lost, self._lost_servers = self._lost_servers, ()
        if names := [name for name in session.tools.connections.names if name in lost]:
            words = translatable(
                "Started again for this conversation: {names}. What they remembered is gone.",
                names=join_list(sorted(names)),
            )
            self.entries.notice(words)

    async def _begin(self, service: CompletionService, model: str) -> AgentSession:
        if self.id:
            return await self._sessions.reopen(self.id, service, self.prompter, model=model)
        return await self._sessions.create(
            service,
            model,
            self.prompter,
            builtins=self.setup.builtins,
            choice=self.setup.choice,
            system=self.setup.system,
            terms=self.setup.terms,
        )

    async def _provider(self) -> CompletionService:
        """The service of the setup, kept until another one is wanted, or it was edited."""
        wanted = self._providers.get(self.setup.provider)
        if self._service is not None and self._served == wanted:
            return self._service
        service = self._providers.service(self.setup.provider)
        old, self._service, self._served = self._service, service, wanted
        if old is not None:
            if self.session is not None:
                self.session.use(service, self.setup.model)
            await old.close()
        return service

    def _apply(self, event: AgentEvent) -> None:
        from desktop.features.chat.agent.events import ServersAwaited

        before = self.questions
        self._note_silence(event)
        self.entries.apply(event)
        session = self.session
        if isinstance(event, ServersAwaited):
            self.awaited = event.names
            self.changed.send(self)
        elif self.questions != before or (
            session is not None and session.about.title != self.title
        ):
            self.title = session.about.title if session is not None else self.title
            self.changed.send(self)

    def _note_silence(self, event: AgentEvent) -> None:
        from desktop.features.chat.agent.events import CallStarted, Ended, TurnFinished, TurnStarted
        from desktop.features.chat.llm.completion import RequestDelta, TextDelta, ThinkingDelta

        if isinstance(event, TurnStarted):
            self.silent_since = time.monotonic()
        elif not self.silent_since:
            return
        elif isinstance(
            event, TextDelta | ThinkingDelta | RequestDelta | TurnFinished | CallStarted | Ended
        ):
            self.silent_since = 0.0
        else:
            return
        self.changed.send(self)

    def _set_phase(self, phase: Phase) -> None:
        self.phase = phase
        if self.session is not None and self.session.about.title:
            self.title = self.session.about.title
        self.changed.send(self)
