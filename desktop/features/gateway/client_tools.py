"""`ClientTools`: the tools that programs outside of the app are given, and the way to call them.

For the gateway, which knows the SDK and must not know the registry. Under the names that models are
sent, so that a person's rules for a tool fit wherever it is called from; through the one executor,
so that whatever holds for a call of the app holds for theirs. What a server keeps for its own apps
is not theirs. Must not decide who is offered what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import ToolNotFoundError
from desktop.tools.wire_names import WireNames
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from desktop.base.signals import Signal
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.values.tool_types import JsonObject, Progress, ToolDefinition, ToolResult

_MAX_KEPT = 50
"""Selections of servers whose names are kept until the tools change."""


_MAX_KNOWN = 20_000
_MAX_CLIENT = 60
"""Characters of a client's name."""


class ClientTools:
    """The tools of one registry under their wire names; all selections of servers have their own.

    `changed` is sent when any of them came, went or is another one.
    """

    def __init__(self, registry: ToolRegistry, executor: ToolExecutor) -> None:
        self.changed: Signal[[]] = registry.changed
        self._registry = registry
        self._executor = executor
        self._offered: dict[frozenset[str] | None, tuple[WireNames, dict[str, ToolDefinition]]] = {}
        self._known: dict[str, ToolDefinition] = {}
        """What was offered once: a client may call it while its server is away."""
        self.close = registry.changed.connect(self._offered.clear)

    def offered(self, servers: Collection[str] | None) -> Mapping[str, ToolDefinition]:
        """The tools of these servers, or of all, by the names they are called by."""
        return self._of(servers)[1]

    def find(self, name: str, servers: Collection[str] | None) -> ToolDefinition:
        """The tool that a client means.

        Raises:
            ToolNotFoundError: none of these servers has it; the message lists the nearest.
        """
        names, offered = self._of(servers)
        if (tool := offered.get(name)) is not None:
            return tool
        if (pair := names.find(name)) is not None:  # in another case
            return offered[names.name(*pair)]
        known = self._known.get(name)
        if known is not None and (servers is None or known.server in servers):
            there = {tool.get_server_name() for tool in self._registry.all()}
            if known.server not in there:
                return known  # the executor says why it cannot be called, or waits for it
        raise ToolNotFoundError(names.unknown(name))

    async def call(
        self,
        tool: ToolDefinition,
        arguments: JsonObject,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        client: str = "",
    ) -> ToolResult:
        """Run it; every failure is a result. Cancelling the caller cancels it at its server."""
        call = ToolCall(tool.key, arguments, origin="client", model=client[:_MAX_CLIENT])
        return await self._executor.run(call, on_progress)

    @staticmethod
    def name_all(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, str]]:
        """Names of the same kind for (server, name) of something else: prompts."""
        pairs = list(pairs)
        names = WireNames(pairs)
        return {names.name(*pair): pair for pair in pairs}

    def _of(
        self, servers: Collection[str] | None
    ) -> tuple[WireNames, Mapping[str, ToolDefinition]]:
        chosen = None if servers is None else frozenset(servers)
        if (known := self._offered.get(chosen)) is not None:
            return known
        tools = [
            tool.definition
            for tool in self._registry.all()
            if tool.definition.is_for_models
            and (chosen is None or tool.get_server_name() in chosen)
        ]
        names = WireNames((tool.server, tool.name) for tool in tools)
        made = names, {names.name(tool.server, tool.name): tool for tool in tools}
        self._known |= made[1]
        if len(self._known) > _MAX_KNOWN:
            self._known = dict(made[1])
        if len(self._offered) >= _MAX_KEPT:
            self._offered.clear()
        self._offered[chosen] = made
        return made
