"""Puts a session together of its parts; the only place that knows all of them.

A module of its own because it imports what only a session needs (the loop, the converters):
`AgentSessions` imports it with the first session, and most runs have none.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from desktop.base.errors import UsageError
from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.config.launch_details import Launch
from desktop.features.chat.agent.events import NoticePosted, NotifyingPrompter
from desktop.features.chat.agent.large_results import READ_RESULT, LargeResultStore
from desktop.features.chat.agent.limits import SessionLimits
from desktop.features.chat.agent.loop import Conversation
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session import AgentSession, SessionParts
from desktop.features.chat.agent.session_store import SessionError
from desktop.features.chat.agent.session_tools import SessionTools
from desktop.features.chat.agent.transcript import Transcript
from desktop.tools.approval_policy import ApprovalPolicy
from desktop.tools.approvals import FileChange
from desktop.tools.loader import load_direct_mcp_tools

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.config.models import ServerConfig
    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.session_context import SessionContext, SessionRequest
    from desktop.features.chat.agent.session_store import SessionStore
    from desktop.servers.service import McpService
    from desktop.tools.loader import DirectConnections
    from desktop.values.tool_types import Decision, JsonObject, Origin, ToolDefinition


async def make_session(
    context: SessionContext, store: SessionStore, request: SessionRequest
) -> AgentSession:
    """A session whose servers are started. Being cancelled ends what was started.

    Raises:
        SessionError: it is open already.
        UsageError: a built-in server is not there; for a stored session that is a notice.
    """
    configs, notices = _builtin_configs(context, request)
    lock = store.lock(request.about.id)
    if not await asyncio.to_thread(lock.take):
        raise SessionError(
            translatable("The session is open already."),
            remedy=translatable("Close it there first."),
        )
    try:
        _, connections = await load_direct_mcp_tools(configs, context.surroundings)
    except BaseException:
        lock.release()
        raise
    parts = await _make_parts(context, store, request, connections)
    session = AgentSession(request.about, request.service, parts)
    for sentence in notices:
        session.notice(sentence)
    tools = parts.tools
    if tools.hides:
        session.notice(
            translatable(
                "The tools of your server “{server}” are not offered here: its name is that of the "
                "session's own tools. Give it another name.",
                server=tools.hides,
            )
        )
    session.closed.connect(lock.release)
    if context.record is not None:
        session.closed.connect(context.record(tools.executor, tools.registry))
    return session


def _builtin_configs(
    context: SessionContext, request: SessionRequest
) -> tuple[list[ServerConfig], list[str]]:
    """The session's own servers, and a notice for each that is not there any more."""
    configs: list[ServerConfig] = []
    notices: list[str] = []
    for builtin in request.about.builtins:
        try:
            configs.append(context.builtin(builtin))
        except UsageError as error:
            if not request.stored:
                raise
            notices.append(str(error))
    return configs, notices


async def _make_parts(
    context: SessionContext,
    store: SessionStore,
    request: SessionRequest,
    connections: DirectConnections,
) -> SessionParts:
    about = request.about
    event_emitted: Signal[[AgentEvent]] = Signal()
    emit = event_emitted.send
    prompter = NotifyingPrompter(request.prompter, emit)
    policy = _make_policy(context, prompter, connections)
    policy.approving = about.terms.approving
    large_results = LargeResultStore(store.results(about.id))
    if request.stored:
        await asyncio.to_thread(large_results.recover)
    approver = _NotedApprovals(policy)
    tools = SessionTools(
        context.service,
        connections,
        large_results,
        approver,
        context.rules,
        emit,
        spill=context.spill,
        client=context.surroundings.client,
    )
    tools.choose(about.choice)
    tools.recover(request.kept)
    if request.tree is not None:
        tools.remember(node.message for node in request.tree.path())
    traffic = context.surroundings.traffic
    secrets = SessionSecrets(tools.registry, lambda: traffic.redaction().secrets)
    conversation = Conversation(tree=request.tree, shortened=request.shortened)
    large_results.find_said = conversation.find_result
    transcript = Transcript(
        store.file(about.id),
        about,
        secrets,
        exists=request.stored,
        tree=conversation.tree,
        size_file=store.size_file(about.id),
        kept=request.kept,
        shortened=request.shortened,
    )
    approver.note_sending = transcript.note_sending
    return SessionParts(
        conversation=conversation,
        tools=tools,
        policy=policy,
        secrets=secrets,
        prompter=prompter,
        transcript=transcript,
        event_emitted=event_emitted,
        limits=lambda: limits_of(context),
    )


def _make_policy(
    context: SessionContext, prompter: NotifyingPrompter, connections: DirectConnections
) -> ApprovalPolicy:
    service = context.service
    return ApprovalPolicy(
        context.approvals,
        prompter,
        lambda sentence: prompter.tell(NoticePosted(sentence)),
        lambda server: _launch_of(server, connections, service),
        lambda tool, arguments: find_file_change(
            _config_of(tool.server, connections, service), tool.name, arguments
        ),
        READ_RESULT,
    )


def limits_of(context: SessionContext) -> SessionLimits:
    """What the settings say of one `ask`."""
    if context.settings is None:
        return SessionLimits()
    now = context.settings()
    return SessionLimits(turns=now.chat_turns, seconds=now.chat_seconds)


class _NotedApprovals:
    """Has each allowed call written down before it is sent."""

    def __init__(self, policy: ApprovalPolicy) -> None:
        self._policy = policy
        self.note_sending: Callable[[str], Awaitable[None]] = _note_nothing

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        decision = await self._policy.approve(definition, arguments, call_id=call_id, origin=origin)
        if decision.allowed:
            await self.note_sending(call_id)
        return decision


async def _note_nothing(_: str) -> None:
    """Until there is a transcript."""


def _launch_of(server: str, connections: DirectConnections, service: McpService) -> Launch | None:
    """What a server's name stands for in a session, whose own servers come first."""
    config = _config_of(server, connections, service)
    if config is None:
        return None
    is_given_for_session = server in connections.names and bool(config.builtin)
    return Launch(config, with_args=not is_given_for_session)


def _config_of(
    server: str, connections: DirectConnections, service: McpService
) -> ServerConfig | None:
    own = next((each.config for each in connections if each.name == server), None)
    shared = service.connections.get(server)
    return own or (shared.config if shared is not None else None)


# --- what a call would make of a file, before a person allows it ----------------------------------


MAX_COMPARED_LENGTH: Final = 400_000
"""Characters of a file, before and after, of which a difference is made."""
MAX_COMPARED_LINES: Final = 3_000
"""Lines of them: the time that a difference takes grows with their square."""
_WRITING: Final = ("write_file", "edit_file")


async def find_file_change(
    config: ServerConfig | None, tool: str, arguments: JsonObject
) -> FileChange | None:
    """What the file becomes, for the built-in filesystem alone; None where that cannot be told.

    Uses the code of that server, which reads no other file than the call would write.
    """
    if config is None or config.builtin != "filesystem" or tool not in _WRITING:
        return None
    return await asyncio.to_thread(_find_in, config.args, tool, arguments)


def _find_in(args: tuple[str, ...], tool: str, arguments: JsonObject) -> FileChange | None:
    from builtin_servers.files.operations import apply_edits, make_diff, read_for_edit
    from builtin_servers.files.roots import Roots
    from builtin_servers.framework.arguments import parse_arguments
    from builtin_servers.framework.tool import ArgumentError, ToolCallError

    try:
        folders = parse_arguments(args, switches=["--read-only"]).rest
        with Roots(folders).resolve(arguments["path"]) as rooted:
            path, is_new = rooted.path, rooted.stat() is None
            before = "" if is_new else read_for_edit(rooted).decode("utf-8")
        is_whole = tool == "write_file"
        after = arguments["content"] if is_whole else apply_edits(before, arguments["edits"])
        if not isinstance(after, str) or (is_new and not is_whole):
            return None
        lines = max(before.count("\n"), after.count("\n"))
        if max(len(before), len(after)) > MAX_COMPARED_LENGTH or lines > MAX_COMPARED_LINES:
            return None
        return FileChange(path, make_diff(before, after, path), is_new)
    except (ArgumentError, ToolCallError, OSError, ValueError, LookupError, TypeError):
        return None  # the server says what is wrong
