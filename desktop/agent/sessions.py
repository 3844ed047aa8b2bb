"""`AgentSessions`: makes sessions, knows which are open, and ends all of them with the app.

Costs nothing at import: what a session needs is imported with the first one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.errors import UsageError
from desktop.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop.agent.about import About, Builtin
    from desktop.agent.approvals import Approvals
    from desktop.agent.library import SessionLibrary
    from desktop.agent.limits import Limits
    from desktop.agent.question import Asker
    from desktop.agent.session import AgentSession
    from desktop.config.models import ServerConfig
    from desktop.llm.completion import CompletionService
    from desktop.llm.messages import Message
    from desktop.llm.tool_choice import ToolChoice
    from desktop.servers.service import McpService
    from desktop.servers.session import Surroundings
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.tools.rules import RuleBook


BEGIN_LIMIT = 3.0
"""Seconds that the end of the app waits for sessions that are just being made."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all sessions of one app share.

    `data` is the app's data folder. `builtin` gives the config of a built-in server, or raises
    `UsageError`. `record` has the calls of a session's executor recorded and returns what ends it.
    """

    service: McpService
    surroundings: Surroundings
    rules: RuleBook
    data: Path
    builtin: Callable[[Builtin], ServerConfig]
    record: Callable[[ToolExecutor, ToolRegistry], Callable[[], None]] | None = None


class AgentSessions:
    """The open sessions by their id, side by side."""

    def __init__(self, shared: Shared) -> None:
        """Starts nothing and reads nothing."""
        self._shared = shared
        self._open: dict[str, AgentSession] = {}
        self._beginning: set[asyncio.Future[None]] = set()
        self._library: SessionLibrary | None = None
        self._approvals: Approvals | None = None
        self._is_closed = False
        self.opened: Signal[[AgentSession]] = Signal()
        self.changed: Signal[[]] = Signal()

    @property
    def open(self) -> tuple[AgentSession, ...]:
        return tuple(self._open.values())

    @property
    def library(self) -> SessionLibrary:
        """The stored sessions, open or not."""
        if self._library is None:
            from desktop.agent.library import SessionLibrary

            self._library = SessionLibrary(self._shared.data / "sessions")
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
        asker: Asker,
        *,
        builtins: Sequence[Builtin] = (),
        choice: ToolChoice | None = None,
        system: str = "",
        limits: Limits | None = None,
    ) -> AgentSession:
        """Begin a session and start its servers; one that fails leaves the others.

        `service` stays the caller's to close, after the session.

        Raises:
            UsageError: there is no built-in server of such a name.
        """
        from datetime import UTC, datetime

        from desktop.agent.about import About
        from desktop.llm.tool_choice import ToolChoice

        about = About(
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
        asker: Asker,
        *,
        model: str = "",
        limits: Limits | None = None,
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
        """Begin to end all, without waiting; nothing can be begun any more."""
        self._is_closed = True
        for session in self.open:
            session.stop()
            session.tools.connections.stop()

    async def close(self) -> None:
        """End all sessions, side by side. Never raises; idempotent."""
        self.stop()
        await asyncio.gather(*(one.close() for one in self.open))
        if self._beginning:  # each is closed by whoever began it, as soon as it is there
            await asyncio.wait(self._beginning, timeout=BEGIN_LIMIT)

    async def _begin(
        self,
        about: About,
        messages: Sequence[Message],
        service: CompletionService,
        asker: Asker,
        limits: Limits | None,
        *,
        exists: bool = False,
    ) -> AgentSession:
        begun = asyncio.get_running_loop().create_future()
        self._beginning.add(begun)
        try:
            return await self._make(about, messages, service, asker, limits, exists=exists)
        finally:
            self._beginning.discard(begun)
            begun.set_result(None)

    async def _make(
        self,
        about: About,
        messages: Sequence[Message],
        service: CompletionService,
        asker: Asker,
        limits: Limits | None,
        *,
        exists: bool,
    ) -> AgentSession:
        from desktop.agent.making import make_session

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
        self.opened.send(session)
        self.changed.send()
        return session

    def _left(self, session: AgentSession) -> None:
        if self._open.pop(session.id, None) is not None:
            self.changed.send()
