"""The tools of one session: the service's, those of its own servers, and one of the session itself.

Owns the session's servers. Must not ask a model or decide whether a call is allowed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.builtin_watch import BuiltinWatch
from desktop.agent.kept_results import OWN_SERVER, ReadResult
from desktop.llm.formats import make_wire_tools
from desktop.llm.tool_choice import ToolChoice
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from desktop.tools.selection import select_tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.events import AgentEvent
    from desktop.agent.kept_results import KeptResults
    from desktop.llm.formats import ApiFormat, WireTools
    from desktop.servers.service import McpService
    from desktop.tools.approval import Approver
    from desktop.tools.definition import ToolDefinition
    from desktop.tools.direct_servers import DirectConnections
    from desktop.tools.rules import RuleBook

FEW = 40
"""Tools that are converted at once; more are converted in a thread."""


class SessionTools:
    """What can be called in the session now, and how a model is told of it."""

    def __init__(
        self,
        service: McpService,
        connections: DirectConnections,
        kept: KeptResults,
        approver: Approver,
        rules: RuleBook,
        tell: Callable[[AgentEvent], None],
    ) -> None:
        self.registry = ToolRegistry()
        self.executor = ToolExecutor(self.registry, approver=approver, rules=rules)
        self.connections = connections
        self.kept = kept
        self.choice = ToolChoice()
        self.watch = BuiltinWatch(connections, tell)
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
        chosen = select_tools(self.registry, self.choice.mode, self.choice.servers)
        keys = {tool.definition.key for tool in chosen}
        return [
            tool.definition
            for tool in self.registry.all()
            if tool.definition.key in keys or tool.definition.server in self._direct
        ]

    async def load(self, api_format: ApiFormat) -> WireTools:
        """The table for the next request; made anew only after a change."""
        await self.watch.settle()
        if len(self.kept) and self.registry.get(ReadResult.definition.key) is None:
            self.registry.set_server(OWN_SERVER, [ReadResult(self.kept)])
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
        offered = self.offered()
        changed = False

        def note() -> None:
            nonlocal changed
            changed = True

        unfollow = self.registry.changed.connect(note)
        try:
            if len(offered) <= FEW:
                table = make_wire_tools(offered, api_format, direct=self._direct)
            else:
                table = await asyncio.to_thread(
                    make_wire_tools, offered, api_format, direct=self._direct
                )
        finally:
            unfollow()
        if not changed:
            self._tables[api_format] = table
        return table
