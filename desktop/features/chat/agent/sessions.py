"""`AgentSessions`: opens sessions, knows which are open, and closes all of them with the app.

Costs next to nothing at import: what a session needs is imported with the first one.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.features.chat.agent.session_context import SessionRequest
from desktop.tools.approvals import Approvals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.base.paths import Paths
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.agent.session_info import Builtin, SessionTerms
    from desktop.features.chat.agent.session_store import SessionStore
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.chat.llm.tool_choice import ToolChoice
    from desktop.tools.approvals import ApprovalPrompter
    from desktop.values.acting_client import ActingClient

OPENING_LIMIT = 3.0
"""Seconds that the end of the app waits for sessions that are just being opened."""

logger = logging.getLogger(__name__)


class AgentSessions:
    """The open sessions by their id, side by side."""

    def __init__(self, context: SessionContext) -> None:
        """Starts nothing and reads nothing."""
        self._context = context
        self._open: dict[str, AgentSession] = {}
        self._opening: dict[asyncio.Future[None], asyncio.Timeout] = {}
        self._store: SessionStore | None = None
        self._is_closed = False
        self.opened: Signal[[AgentSession]] = Signal()
        self.changed: Signal[[]] = Signal()

    def apart(self, paths: Paths, client: ActingClient | None = None) -> AgentSessions:
        """Sessions on the same servers that are kept elsewhere, and are not the person's own.

        They are the caller's to close, before these.

        Args:
            paths: where they are kept.
            client: whose model gets the tools and results; None for that of these sessions.
        """
        around = self._context.surroundings
        if client is not None:
            around = replace(around, client=client)
        return AgentSessions(
            replace(
                self._context,
                paths=paths,
                surroundings=around,
                approvals=Approvals(paths.approvals),
            )
        )

    @property
    def open(self) -> tuple[AgentSession, ...]:
        return tuple(self._open.values())

    @property
    def store(self) -> SessionStore:
        """The stored sessions, open or not."""
        if self._store is None:
            from desktop.features.chat.agent.session_store import open_session_store

            self._store = open_session_store(self._context.paths)
        return self._store

    async def create(
        self,
        service: CompletionService,
        model: str,
        prompter: ApprovalPrompter,
        *,
        builtins: Sequence[Builtin] = (),
        choice: ToolChoice | None = None,
        system: str = "",
        terms: SessionTerms | None = None,
    ) -> AgentSession:
        """Open a new session and start its servers; one that fails leaves the others.

        `service` stays the caller's to close, after the session. Bounds other than the usual ones
        are set on the session: `session.limits`.

        Raises:
            UsageError: there is no built-in server of such a name.
        """
        from datetime import UTC, datetime

        from desktop.features.chat.agent.session_info import USUAL, SessionInfo
        from desktop.features.chat.llm.tool_choice import ToolChoice

        about = SessionInfo(
            self.store.new_id(),
            datetime.now(UTC),
            service.name,
            model,
            system,
            tuple(builtins),
            choice or ToolChoice(),
            terms=terms or USUAL,
        )
        return await self._start(SessionRequest(about, service, prompter))

    async def reopen(
        self,
        session: str,
        service: CompletionService,
        prompter: ApprovalPrompter,
        *,
        model: str = "",
    ) -> AgentSession:
        """Go on with a stored session; its servers start anew, without a memory of it.

        No call is made again: the model is given the stored messages, and goes on from there.

        Args:
            session: its id.
            service: as in `create`; another provider than before is given the texts.
            prompter: as in `create`.
            model: another one than before, or empty.

        Raises:
            SessionError: it is not there, or open already, here or in another process.
        """
        loaded = await self.store.read(session)
        about = loaded.about
        now = replace(about, provider=service.name, model=model or about.model)
        request = SessionRequest(
            now, service, prompter, loaded.tree, loaded.kept, loaded.shortened, stored=True
        )
        reopened = await self._start(request)
        if loaded.words:
            reopened.notice(loaded.words)
        if now != about:
            reopened.use(service, now.model)
        return reopened

    def stop(self) -> None:
        """Begin to close all, without waiting; none can be opened any more."""
        if not self._is_closed:
            self._is_closed = True
            for opening in self._opening.values():
                opening.reschedule(asyncio.get_running_loop().time())
        for session in self.open:
            session.stop(is_closing=True)
            session.tools.connections.stop()

    async def close(self) -> None:
        """Close all sessions, side by side. Never raises; idempotent."""
        self.stop()
        await asyncio.gather(*(session.close() for session in self.open))
        if self._opening:
            await asyncio.wait(set(self._opening), timeout=OPENING_LIMIT)

    async def _start(self, request: SessionRequest) -> AgentSession:
        session = await self._make(request)
        self._open[session.id] = session
        session.closed.connect(lambda: self._forget(session))
        about = request.about
        logger.info(
            "session %s opened: %s, %d built-in servers",
            session.id,
            about.provider,
            len(about.builtins),
        )
        self.opened.send(session)
        self.changed.send()
        return session

    async def _make(self, request: SessionRequest) -> AgentSession:
        from desktop.features.chat.agent.session_factory import make_session

        if self._is_closed:
            raise UsageError(translatable("The app is closing."))
        done = asyncio.get_running_loop().create_future()
        # Without a limit of its own: `stop` lets it expire, which ends what was started.
        opening = asyncio.timeout(None)
        try:
            async with opening:
                self._opening[done] = opening
                session = await make_session(self._context, self.store, request)
                if self._is_closed:
                    await session.close()
                    raise UsageError(translatable("The app is closing."))
                return session
        except TimeoutError:
            if not opening.expired():
                raise
            raise UsageError(translatable("The app is closing.")) from None
        finally:
            self._opening.pop(done, None)
            done.set_result(None)

    def _forget(self, session: AgentSession) -> None:
        if self._open.pop(session.id, None) is not None:
            logger.info("session %s closed", session.id)
            self.changed.send()
