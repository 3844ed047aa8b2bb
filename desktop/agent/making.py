"""Puts a session together of its parts. The only place that knows all of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.approval_policy import ApprovalPolicy
from desktop.agent.asking import NotifyingPrompter
from desktop.agent.conversation import Conversation
from desktop.agent.events import NoticePosted
from desktop.agent.kept_results import LargeResultStore
from desktop.agent.library import SessionError
from desktop.agent.limits import SessionLimits
from desktop.agent.secrets import SessionSecrets
from desktop.agent.session import AgentSession
from desktop.agent.session_tools import SessionTools
from desktop.agent.transcript import Transcript
from desktop.errors import UsageError
from desktop.signals import Signal
from desktop.tools.loader import load_direct_mcp_tools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.agent.about import SessionInfo
    from desktop.agent.approvals import Approvals
    from desktop.agent.events import AgentEvent
    from desktop.agent.library import SessionStore
    from desktop.agent.question import ApprovalPrompter
    from desktop.agent.sessions import SessionContext
    from desktop.config.models import ServerConfig
    from desktop.llm.completion import CompletionService
    from desktop.llm.messages import Message


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
    for one in about.builtins:
        try:
            configs.append(shared.builtin(one))
        except UsageError as error:
            if not exists:
                raise
            notices.append(str(error))
    return configs, notices
