"""The tools of one session: the service's, its built-in servers', and its own `read_result`.

Owns the session's built-in servers: one that crashes is restarted once, and the session is told.
The count starts anew after a minute of good connection, as `ServerConnection` does. Must not ask a
model or decide whether a call is allowed.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from desktop.base.signals import Signal
from desktop.base.tasks import TaskGroup
from desktop.base.translatable import join_list, translatable
from desktop.features.chat.agent.events import (
    BuiltinLost,
    BuiltinReconnected,
    NoticePosted,
    ServersAwaited,
)
from desktop.features.chat.agent.kept_tools import KeptTools, ToolChanges
from desktop.features.chat.agent.large_results import OWN_SERVER, ReadResultTool
from desktop.features.chat.llm.tool_choice import ToolChoice, fetch_mcp_tools
from desktop.features.models.formats import make_wire_tools
from desktop.features.models.messages import AssistantMessage
from desktop.servers.service import why_away
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.large_results import LargeResultStore
    from desktop.features.models.formats import ApiFormat, WireTools
    from desktop.features.models.messages import Message
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tools.loader import DirectConnections
    from desktop.tools.result_spill import ResultSpill
    from desktop.tools.validation.rules import Rules
    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import Approver, ToolDefinition

BACK_LIMIT = 5.0
"""Seconds that the next request to the model waits for a server that is on its way back."""


class BuiltinMonitor:
    """Tells what happens to the servers of one session, until closed."""

    def __init__(self, connections: DirectConnections, tell: Callable[[AgentEvent], None]) -> None:
        self.lost: dict[str, str] = dict(connections.failed)
        """Why each server that is gone for good is gone, by its name."""
        self._tell = tell
        self._away: set[str] = set()
        self._ends: list[Callable[[], None]] = [
            connection.state_changed.connect(lambda server=connection: self._look(server))
            for connection in connections
        ]
        self._changed = asyncio.Event()
        self._tasks = TaskGroup("built-in servers")

    async def settle(self) -> None:
        """Wait until no server is on its way back, some seconds at most."""
        try:
            async with asyncio.timeout(BACK_LIMIT):
                while self._away:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return

    async def close(self) -> None:
        for end in self._ends:
            end()
        self._away.clear()
        self._changed.set()
        await self._tasks.close()

    def _look(self, server: ServerConnection) -> None:
        state = server.state
        match state.phase:
            case "reconnecting" if server.name not in self._away and server.name not in self.lost:
                self._crashed(server)
            case "reconnecting" if state.attempt > 1:
                self._give_up(server, state.error)
            case "connected" if server.name in self._away:
                self._away.discard(server.name)
                self._tell(BuiltinReconnected(server.name))
            case "failed" if server.name in self._away:
                self._give_up(server, state.error)
            case _:
                pass
        self._changed.set()

    def _crashed(self, server: ServerConnection) -> None:
        if server.state.attempt > 1:
            self._give_up(server, server.state.error)
            return
        self._away.add(server.name)
        self._tell(BuiltinLost(server.name, server.state.error, restarting=True))

    def _give_up(self, server: ServerConnection, error: str) -> None:
        if server.name in self.lost:
            return
        self._away.discard(server.name)
        self.lost[server.name] = error
        self._tell(BuiltinLost(server.name, error, restarting=False))
        # Not at once: the state may change outside of any task, and stopping needs a task.
        self._tasks.spawn(server.disconnect(), server.name)


START_LIMIT = 8.0
"""Seconds that a request waits for the person's servers that are being started."""


class StartingServers:
    """Waits for the person's servers that a model is to be offered, once for each start."""

    def __init__(self, service: McpService, tell: Callable[[AgentEvent], None]) -> None:
        self._service, self._tell = service, tell
        self._late: set[ServerConnection] = set()

    async def settle(self, is_offered: Callable[[str], bool], *, is_begun: bool) -> None:
        """Wait until none is being started, some seconds at most, and tell who is late.

        Args:
            is_offered: whether the tools of a server are waited for.
            is_begun: whether the model knows of them already.
        """
        waiting = self._starting(is_offered)
        if not waiting:
            return
        changed = asyncio.Event()
        unfollow = self._service.state_changed.connect(lambda _: changed.set())
        told: tuple[str, ...] = ()
        try:
            async with asyncio.timeout(START_LIMIT):
                while waiting := self._starting(is_offered):
                    if (names := tuple(server.name for server in waiting)) != told:
                        told = names
                        self._tell(ServersAwaited(names))
                    changed.clear()
                    await changed.wait()
        except TimeoutError:
            self._late.update(waiting)
            names = join_list(server.name for server in waiting)
            words = translatable("Not offered yet, because still starting: {names}.", names=names)
            if is_begun:
                words = translatable("Cannot be called yet, still starting: {names}.", names=names)
            self._tell(NoticePosted(words))
        finally:
            unfollow()
            self._tell(ServersAwaited())

    def _starting(self, is_offered: Callable[[str], bool]) -> list[ServerConnection]:
        servers = self._service.connections.values()
        starting = [server for server in servers if server.state.is_starting]
        self._late.intersection_update(starting)
        return [each for each in starting if each not in self._late and is_offered(each.name)]


def _removed(server: str) -> str:
    return translatable(
        'The server "{server}" of this tool was removed. Go on without it.', server=server
    )


def _not_chosen(key: str) -> str:
    return translatable(
        'The tool "{tool}" is not available now: the person took it out of this conversation. '
        "Go on without it.",
        tool=key,
    )


def _not_available(key: str) -> str:
    return translatable(
        'The tool "{tool}" is not available now: its server does not list it any more. Go on '
        "without it.",
        tool=key,
    )


MAX_REASON_LENGTH = 300
"""Characters of why a server is not there."""
MAX_CONVERTED_ON_LOOP = 40
"""Tools that are converted at once; more are converted in a thread."""


class SessionTools:
    """What can be called in the session now, and how a model is told of it."""

    def __init__(
        self,
        service: McpService,
        connections: DirectConnections,
        large_results: LargeResultStore,
        approver: Approver,
        rules: Rules,
        tell: Callable[[AgentEvent], None],
        *,
        spill: ResultSpill | None = None,
        client: ActingClient | None = None,
    ) -> None:
        self._service = service
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(
            self.registry,
            approver=approver,
            rules=rules,
            spill=spill,
            away=partial(why_away, service),
            client=client,
        )
        self.connections = connections
        self.large_results = large_results
        self.choice = ToolChoice()
        self.watch = BuiltinMonitor(connections, tell)
        self._starting = StartingServers(service, tell)
        self._keys: dict[str, str] = {}
        self._direct = connections.names | {OWN_SERVER}
        connections.follow(self.registry)
        self._loader = ToolsLoader(service, self.registry, without=self._direct)
        self.registry.set_server(OWN_SERVER, [ReadResultTool(large_results)])
        self.kept: KeptTools | None = None
        """What the conversation has told a model of; None before its first answer."""
        self.kept_changed: Signal[[KeptTools]] = Signal()
        self._tables: dict[ApiFormat, WireTools] = {}
        self._unfollow = self.registry.changed.connect(self._tables.clear)

    @property
    def hides(self) -> str:
        """A server of the person's that the session cannot offer, as its name is taken; or none."""
        return OWN_SERVER if OWN_SERVER in self._service.connections else ""

    @property
    def since(self) -> int:
        """As `KeptTools.since`."""
        return self.kept.since if self.kept is not None else 0

    def choose(self, choice: ToolChoice) -> None:
        """Allow these of the service's tools; the session's own stay.

        A conversation that has begun goes on being told of those it keeps.
        """
        self.choice = choice
        self._tables.clear()

    def offered(self) -> list[ToolDefinition]:
        """What a conversation that begins now would tell the model of."""
        found = fetch_mcp_tools(self._service, self.choice, self._direct_tools())
        client = self.executor.client
        return found if client is None else client.offered(found)

    def told(self) -> list[ToolDefinition]:
        """What the next request tells the model of."""
        return list(self.kept.definitions) if self.kept is not None else self.offered()

    def changes(self) -> ToolChanges:
        """What differs from the tools that the conversation keeps."""
        return self.kept.changes(self.offered()) if self.kept is not None else ToolChanges()

    def keep(self, table: WireTools) -> None:
        """The model has answered to this table: the conversation keeps it from now on."""
        if self.kept is None:
            self._keep(KeptTools(table.definitions))

    def recover(self, kept: KeptTools | None) -> None:
        """Go on with what a stored conversation keeps."""
        self.kept = kept

    def renew(self, since: int) -> None:
        """Tell of the tools that there are now, from message number `since` on."""
        self._keep(KeptTools(tuple(self.offered()), since))

    def unbind(self, since: int) -> bool:
        """Keep the tools, but what was thought before message `since` is not sent any more.

        Returns: whether that changes anything.
        """
        if self.since >= since:
            return False
        self._keep(KeptTools(tuple(self.told()), since))
        return True

    def _keep(self, kept: KeptTools) -> None:
        self.kept = kept
        self._tables.clear()
        self.kept_changed.send(kept)

    async def load(self, api_format: ApiFormat) -> WireTools:
        """The table for the next request: the same for the whole conversation."""
        await self.watch.settle()
        await self._starting.settle(self._is_awaited, is_begun=self.kept is not None)
        table = self._tables.get(api_format)
        if table is None:
            table = await self._make(api_format)
        self._keys.update((each.wire_name, each.key) for each in table.declarations)
        return table

    def _is_awaited(self, server: str) -> bool:
        if server in self._direct or not self.choice.includes(server):
            return False
        return self.kept is None or any(tool.server == server for tool in self.kept.definitions)

    def key_of(self, wire_name: str) -> str:
        """The tool that a name stood for earlier in the session, empty where for none."""
        return self._keys.get(wire_name, "")

    def remember(self, messages: Iterable[Message]) -> None:
        """Learn the names in what is stored of the session."""
        for message in messages:
            if isinstance(message, AssistantMessage):
                self._keys.update(
                    (request.wire_name, request.key) for request in message.requests if request.key
                )

    def why_away(self, key: str) -> str:
        """Why a tool that there was cannot be called now; empty where it can, or never was."""
        name = key.partition(":")[0]
        if key and self.registry.get(key) is not None:
            is_chosen = name in self._direct or self.choice.includes(name)
            return "" if is_chosen else _not_chosen(key)
        if not key:
            return ""
        if name in self._direct:
            server = next((each for each in self.connections if each.name == name), None)
        else:
            server = self._service.connections.get(name)
        if server is None:
            return "" if name == OWN_SERVER else _removed(name)
        if server.is_connected:
            return _not_available(key)
        if not server.is_enabled:
            return translatable(
                'The server "{server}" of this tool is switched off. Go on without it.', server=name
            )
        reason = self.watch.lost.get(name, "") if name in self._direct else ""
        state = (reason or server.state.words).partition("\n")[0][:MAX_REASON_LENGTH]
        return translatable(
            'The server "{server}" of this tool is not connected now ({state}). Its tools work '
            "again once it is; until then go on without them.",
            server=name,
            state=state,
        )

    async def close(self) -> None:
        """End the session's servers; nothing can be called any more."""
        await self.watch.close()
        self._unfollow()
        self._loader.close()
        await self.connections.close()

    async def _make(self, api_format: ApiFormat) -> WireTools:
        client = self.executor.client
        naming = client.wire_name if client is not None else None
        told, direct = self.told(), self._direct
        make = partial(make_wire_tools, told, api_format, direct=direct, naming=naming)
        changed = False

        def note() -> None:
            nonlocal changed
            changed = True

        unfollow = self.registry.changed.connect(note)
        try:
            if len(told) <= MAX_CONVERTED_ON_LOOP:
                table = make()
            else:
                table = await asyncio.to_thread(make)
        finally:
            unfollow()
        if not changed:
            self._tables[api_format] = table
        return table

    def _direct_tools(self) -> dict[str, list[ToolDefinition]]:
        """The session's own tools by server; a server without tools still hides a shared one."""
        tools: dict[str, list[ToolDefinition]] = {}
        for tool in self.registry.all():
            if (server := tool.get_server_name()) in self._direct:
                tools.setdefault(server, []).append(tool.definition)
        own = tools.pop(OWN_SERVER, [])
        tools |= {server: [] for server in self._direct if server not in tools}
        if fetch_mcp_tools(self._service, self.choice, tools):
            tools[OWN_SERVER] = own  # without any tool there is no result to read on in
        return tools
