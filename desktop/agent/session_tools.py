"""The tools of one session: the service's, its built-in servers', and its own `read_result`.

Owns the session's built-in servers: one that crashes is restarted once, and the session is told.
The count starts anew after a minute of good connection, as `ServerConnection` does. Must not ask a
model or decide whether a call is allowed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.events import BuiltinLost, BuiltinReconnected
from desktop.agent.large_results import OWN_SERVER, ReadResultTool
from desktop.llm.tool_choice import ToolChoice, fetch_mcp_tools, setup_mcp_tools
from desktop.tasks import TaskGroup
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.events import AgentEvent
    from desktop.agent.large_results import LargeResultStore
    from desktop.llm.formats import ApiFormat, WireTools
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tool_types import Approver, ToolDefinition
    from desktop.tools.loader import DirectConnections
    from desktop.tools.validation.rules import Rules

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
    ) -> None:
        self._service = service
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(self.registry, approver=approver, rules=rules)
        self.connections = connections
        self.large_results = large_results
        self.choice = ToolChoice()
        self.watch = BuiltinMonitor(connections, tell)
        self._direct = connections.names | {OWN_SERVER}
        connections.follow(self.registry)
        self._loader = ToolsLoader(service, self.registry, without=self._direct)
        self.hides = OWN_SERVER if OWN_SERVER in service.connections else ""
        """A server of the person's that the session cannot offer, as its name is taken; or empty"""
        self._tables: dict[ApiFormat, WireTools] = {}
        self._unfollow = self.registry.changed.connect(self._tables.clear)

    def choose(self, choice: ToolChoice) -> None:
        """Offer these of the service's tools from the next request on; the session's own stay."""
        self.choice = choice
        self._tables.clear()

    def offered(self) -> list[ToolDefinition]:
        """What the next request would tell the model of."""
        return fetch_mcp_tools(self._service, self.choice, self._direct_tools())

    async def load(self, api_format: ApiFormat) -> WireTools:
        """The table for the next request; made anew only after a change."""
        await self.watch.settle()
        if len(self.large_results) and self.registry.get(ReadResultTool.definition.key) is None:
            self.registry.set_server(OWN_SERVER, [ReadResultTool(self.large_results)])
        table = self._tables.get(api_format)
        if table is None:
            table = await self._make(api_format)
        return table

    async def close(self) -> None:
        """End the session's servers; nothing can be called any more."""
        await self.watch.close()
        self._unfollow()
        self._loader.close()
        await self.connections.close()

    async def _make(self, api_format: ApiFormat) -> WireTools:
        arguments = (self._service, self.choice, api_format, self._direct_tools())
        changed = False

        def note() -> None:
            nonlocal changed
            changed = True

        unfollow = self.registry.changed.connect(note)
        try:
            if len(self.offered()) <= MAX_CONVERTED_ON_LOOP:
                table = setup_mcp_tools(*arguments)
            else:
                table = await asyncio.to_thread(setup_mcp_tools, *arguments)
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
        return tools | {server: [] for server in self._direct if server not in tools}
