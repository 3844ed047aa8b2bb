"""`AgentSessions`: makes sessions, knows which are open, and ends all of them with the app.

Costs nothing at import: what a session needs is imported with the first one.

Puts a session together of its parts. The only place that knows all of them.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.agent.approvals import ApprovalPolicy, NotifyingPrompter
from desktop.agent.events import NoticePosted
from desktop.agent.large_results import LargeResultStore
from desktop.agent.limits import SessionLimits
from desktop.agent.loop import Conversation
from desktop.agent.secrets import SessionSecrets
from desktop.agent.session import AgentSession
from desktop.agent.session_file import Transcript
from desktop.agent.session_store import SessionError
from desktop.agent.session_tools import SessionTools
from desktop.errors import UsageError
from desktop.signals import Signal
from desktop.tools.loader import load_direct_mcp_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop.agent.approvals import Approvals
    from desktop.agent.events import AgentEvent, ApprovalPrompter
    from desktop.agent.session_info import Builtin, SessionInfo
    from desktop.agent.session_store import SessionStore
    from desktop.config.models import ServerConfig
    from desktop.llm.completion import CompletionService
    from desktop.llm.messages import Message
    from desktop.llm.tool_choice import ToolChoice
    from desktop.servers.context import ConnectionContext
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.tools.validation.rules import Rules

logger = logging.getLogger(__name__)


async def make_session(
    shared: SessionContext,
    library: SessionStore,
    approvals: Approvals,
    about: SessionInfo,
    messages: Sequence[Message],
    service: CompletionService,
    asker: ApprovalPrompter,
    limits: SessionLimits | None,
    *,
    exists: bool,
) -> AgentSession:
    """A session whose servers are started. Being cancelled ends what was started.

    Raises:
        SessionError: it is open already.
        UsageError: a built-in server is not there; of a stored session that is a notice.
    """
    configs, notices = _configs(shared, about, exists=exists)
    lock = library.lock(about.id)
    if not await asyncio.to_thread(lock.take):
        raise SessionError("The session is open already.", remedy="Close it there first.")
    try:
        _, connections = await load_direct_mcp_tools(configs, shared.surroundings)
    except BaseException:
        lock.release()
        raise
    limits = limits or SessionLimits()
    happened: Signal[[AgentEvent]] = Signal()
    told = NotifyingPrompter(asker, happened.send)
    kept = LargeResultStore(library.results(about.id), most=limits.result, together=limits.kept)
    if exists:
        await asyncio.to_thread(kept.recover)
    policy = ApprovalPolicy(approvals, told, lambda words: happened.send(NoticePosted(words)))
    tools = SessionTools(shared.service, connections, kept, policy, shared.rules, happened.send)
    tools.choose(about.choice)
    secrets = SessionSecrets(tools.registry)
    transcript = Transcript(library.file(about.id), about, secrets, exists=exists)
    session = AgentSession(
        about, service, Conversation(messages), tools, secrets, told, transcript, limits, happened
    )
    for sentence in notices:
        session.notice(sentence)
    if tools.hides:
        session.notice(
            f"The tools of your server {tools.hides!r} are not offered here: its name is that of "
            "the session's own tools. Give it another name."
        )
    session.closed.connect(lock.release)
    if shared.record is not None:
        session.closed.connect(shared.record(tools.executor, tools.registry))
    return session


def _configs(
    shared: SessionContext, about: SessionInfo, *, exists: bool
) -> tuple[list[ServerConfig], list[str]]:
    configs: list[ServerConfig] = []
    notices: list[str] = []
    for builtin in about.builtins:
        try:
            configs.append(shared.builtin(builtin))
        except UsageError as error:
            if not exists:
                raise
            notices.append(str(error))
    return configs, notices


BEGIN_LIMIT = 3.0
"""Seconds that the end of the app waits for sessions that are just being made."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What all sessions of one app share.

    `data` is the app's data folder. `builtin` gives the config of a built-in server, or raises
    `UsageError`. `record` has the calls of a session's executor recorded and returns what ends it.
    """

    service: McpService
    surroundings: ConnectionContext
    rules: Rules
    data: Path
    builtin: Callable[[Builtin], ServerConfig]
    record: Callable[[ToolExecutor, ToolRegistry], Callable[[], None]] | None = None


class AgentSessions:
    """The open sessions by their id, side by side."""

    def __init__(self, shared: SessionContext) -> None:
        """Starts nothing and reads nothing."""
        self._shared = shared
        self._open: dict[str, AgentSession] = {}
        self._beginning: dict[asyncio.Future[None], asyncio.Timeout] = {}
        self._library: SessionStore | None = None
        self._approvals: Approvals | None = None
        self._is_closed = False
        self.opened: Signal[[AgentSession]] = Signal()
        self.changed: Signal[[]] = Signal()

    @property
    def open(self) -> tuple[AgentSession, ...]:
        return tuple(self._open.values())

    @property
    def library(self) -> SessionStore:
        """The stored sessions, open or not."""
        if self._library is None:
            from desktop.agent.session_store import SessionStore

            self._library = SessionStore(self._shared.data / "sessions")
        return self._library

    @property
    def approvals(self) -> Approvals:
        """What the person decided about tools, for all sessions."""
        if self._approvals is None:
            from desktop.agent.approvals import Approvals

            self._approvals = Approvals(self._shared.data / "approvals.json")
        return self._approvals

    async def create(
        self,
        service: CompletionService,
        model: str,
        asker: ApprovalPrompter,
        *,
        builtins: Sequence[Builtin] = (),
        choice: ToolChoice | None = None,
        system: str = "",
        limits: SessionLimits | None = None,
    ) -> AgentSession:
        """Begin a session and start its servers; one that fails leaves the others.

        `service` stays the caller's to close, after the session.

        Raises:
            UsageError: there is no built-in server of such a name.
        """
        from datetime import UTC, datetime

        from desktop.agent.session_info import SessionInfo
        from desktop.llm.tool_choice import ToolChoice

        about = SessionInfo(
            self.library.new_id(),
            datetime.now(UTC),
            service.name,
            model,
            system,
            tuple(builtins),
            choice or ToolChoice(),
        )
        return await self._begin(about, (), service, asker, limits)

    async def reopen(
        self,
        session: str,
        service: CompletionService,
        asker: ApprovalPrompter,
        *,
        model: str = "",
        limits: SessionLimits | None = None,
    ) -> AgentSession:
        """Go on with a stored session; its servers start anew, with an empty memory of it.

        No call is made again: the model is given what was said, and goes on from there.

        Args:
            session: its id.
            service: as in `create`; another provider than before is given the texts.
            asker: as in `create`.
            model: another one than before, or empty.
            limits: as in `create`.

        Raises:
            SessionError: it is not there, or open already, here or in another process.
        """
        opened = await self.library.read(session)
        about = opened.about
        now = replace(about, provider=service.name, model=model or about.model)
        made = await self._begin(now, opened.messages, service, asker, limits, exists=True)
        if opened.words:
            made.notice(opened.words)
        if now != about:
            made.use(service, now.model)
        return made

    def stop(self) -> None:
        """Begin to end all sessions, without waiting; none can be begun any more."""
        if not self._is_closed:
            self._is_closed = True
            for making in self._beginning.values():
                making.reschedule(asyncio.get_running_loop().time())
        for session in self.open:
            session.stop()
            session.tools.connections.stop()

    async def close(self) -> None:
        """End all sessions, side by side. Never raises; idempotent."""
        self.stop()
        await asyncio.gather(*(session.close() for session in self.open))
        if self._beginning:
            await asyncio.wait(set(self._beginning), timeout=BEGIN_LIMIT)

    async def _begin(
        self,
        about: SessionInfo,
        messages: Sequence[Message],
        service: CompletionService,
        asker: ApprovalPrompter,
        limits: SessionLimits | None,
        *,
        exists: bool = False,
    ) -> AgentSession:
        begun = asyncio.get_running_loop().create_future()
        if self._is_closed:
            raise UsageError("The app is closing.")
        try:
            # Without a limit of its own: `stop` lets it expire, which ends what was started.
            async with asyncio.timeout(None) as making:
                self._beginning[begun] = making
                return await self._make(about, messages, service, asker, limits, exists=exists)
        except TimeoutError:
            if not making.expired():
                raise
            raise UsageError("The app is closing.") from None
        finally:
            self._beginning.pop(begun, None)
            begun.set_result(None)

    async def _make(
        self,
        about: SessionInfo,
        messages: Sequence[Message],
        service: CompletionService,
        asker: ApprovalPrompter,
        limits: SessionLimits | None,
        *,
        exists: bool,
    ) -> AgentSession:
        session = await make_session(
            self._shared,
            self.library,
            self.approvals,
            about,
            messages,
            service,
            asker,
            limits,
            exists=exists,
        )
        if self._is_closed:
            await session.close()
            raise UsageError("The app is closing.")
        self._open[session.id] = session
        session.closed.connect(lambda: self._left(session))
        logger.info(
            "session %s opened: %s, %d built-in servers",
            session.id,
            about.provider,
            len(about.builtins),
        )
        self.opened.send(session)
        self.changed.send()
        return session

    def _left(self, session: AgentSession) -> None:
        if self._open.pop(session.id, None) is not None:
            logger.info("session %s closed", session.id)
            self.changed.send()
