"""What the tools of all servers cost in a request to the model that new conversations start with.

Follows the service while the page is in sight, and estimates off the loop. Shows nothing. Imports
the converters when it estimates for the first time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.config.store import ConfigStore
    from desktop.llm.context_budget import ContextBudget
    from desktop.servers.service import McpService

_SOON_MS = 200


class TokenCounts(QObject):
    """`listed` has all listed tools, `offered` those that are switched on; None until estimated."""

    changed = Signal()

    def __init__(
        self,
        store: ConfigStore,
        service: McpService,
        parent: QObject,
        chat_model: Callable[[], tuple[str, str]],
    ) -> None:
        """Estimate once it is shown.

        Args: chat_model: the provider and model that a new conversation would begin with.
        """
        super().__init__(parent)
        self._store, self._service, self.chat_model = store, service, chat_model
        self._is_shown = self._is_estimating = self._is_stale = False
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._begin)
        self.listed: ContextBudget | None = None
        self.offered: ContextBudget | None = None
        bridge.connect(self, service.tools_changed, self._note)
        bridge.connect(self, service.state_changed, self._note)
        bridge.connect(self, service.servers_changed, self._note)
        bridge.connect(self, store.changed, self._note)

    def follow(self, *, is_shown: bool) -> None:
        """Nothing is estimated out of sight."""
        self._is_shown = is_shown
        self._note()

    def of_tools(self, server: str) -> Mapping[str, int]:
        """Tokens of each listed tool of a server, by its name; empty until they are known."""
        if self.listed is None:
            return {}
        return {tool.name: tool.tokens for tool in self.listed.server(server).tools}

    def of_servers(self) -> Mapping[str, int]:
        """Tokens of what each server offers; of those alone that have tools."""
        if self.offered is None:
            return {}
        return {server.server: server.tokens for server in self.offered.servers}

    def _note(self, _: str = "") -> None:
        if self._is_shown:
            self._soon.start()  # anew: while lists still arrive, they need the processor more

    def _begin(self) -> None:
        if self._is_estimating:
            self._is_stale = True
        elif self._is_shown and not self._is_list_arriving():
            self._is_estimating = True
            bridge.run(self, self._estimate(), "estimate the tokens of the tools")

    def _is_list_arriving(self) -> bool:
        """Its first page is there; the state changes once the others are, and is noted."""
        connections = self._service.connections.values()
        return any(each.state.phase == "starting" and each.listed for each in connections)

    async def _estimate(self) -> None:
        from desktop.llm.context_budget import estimate_budget
        from desktop.llm.formats.declaration import ApiFormat, request_format

        connections = list(self._service.connections.values())
        tools = [tool for connection in connections for tool in connection.listed]
        name, model = self.chat_model()
        providers = self._store.providers
        provider = providers.get(name) or next(
            (one for one in providers.values() if one.model), next(iter(providers.values()), None)
        )
        api_format = ApiFormat.ANTHROPIC  # has the schemas as they are
        if provider is not None:
            api_format = request_format(provider.kind, speaks_responses=provider.speaks_responses)
        try:
            if provider is not None and (provider.name != name or not model):
                model = provider.model
            listed = await estimate_budget(tools, api_format, model if provider else "")
        finally:
            self._is_estimating = False
        offered = {tool.key for connection in connections for tool in connection.tools}
        before = self.listed, self.offered
        self.listed, self.offered = listed, listed.only(lambda tool: tool.key in offered)
        if (self.listed, self.offered) != before:
            self.changed.emit()
        if self._is_stale:
            self._is_stale = False
            self._note()
