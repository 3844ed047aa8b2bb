"""Joins the window: the tab *Model* of each tool, and on the servers page what the tools cost.

`pages.part(ModelsFeature)` is the one of a window. `TokenCounts` estimates off the loop while the
page is in sight. The converters are imported when something of them is first needed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal

from desktop.gui import bridge
from desktop.gui.widgets.token_words import ToolCosts

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.models.context_budget import ContextBudget
    from desktop.gui.page_factory import Pages
    from desktop.gui.servers.page import ServersPage
    from desktop.gui.theme import Theme
    from desktop.gui.tools.page import ToolsPage
    from desktop.gui.tools.schema_tabs import MadeTab
    from desktop.gui.tools.tool_view import ToolView
    from desktop.servers.service import McpService
    from desktop.values.tool_types import ToolDefinition

_FORMAT = "tools/format"
_SOON_MS = 200


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    feature, window = pages.part(ModelsFeature), pages.window
    pages.servers_made.append(feature.count_tokens)
    pages.tools_made.append(lambda page: add_model(page, window.theme, window.state.settings))


class ModelsFeature:
    """One for a window, for its whole run."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.chat_model: Callable[[], tuple[str, str]] = lambda: ("", "")
        """Provider and model of a new conversation: tools cost the same here and there."""

    def count_tokens(self, page: ServersPage) -> None:
        """Have the page say what the tools cost in a request."""
        core = self._pages.core
        counts = TokenCounts(core.store, core.service, page, lambda: self.chat_model())
        counts.estimated.connect(page.show_costs)


def add_model(page: ToolsPage, theme: Theme, settings: QSettings) -> None:
    """Have each tool of the page say what a model is sent of it."""
    translate = QCoreApplication.translate
    word, title = translate("ToolTabs", "Model"), translate("ToolTabs", "What the model sees")

    def add(view: ToolView) -> None:
        view.tabs.add(word, title, partial(make_tab, theme, settings), at=2)

    page.view_made.connect(add)


def make_tab(theme: Theme, settings: QSettings) -> MadeTab:
    """Shows what a model is sent of a tool; the provider is the one that was chosen last."""
    from desktop.features.models.gui.declaration_view import DeclarationView  # when first shown

    view = DeclarationView(theme)
    view.format_chosen.connect(partial(settings.setValue, _FORMAT))

    def show(tool: ToolDefinition) -> None:
        view.choose(str(settings.value(_FORMAT) or ""))
        view.show_tool(tool)

    return view, show


class TokenCounts(QObject):
    """Estimates while `page` is shown; `costs` is what came of it last."""

    estimated = Signal(object)
    """Other `ToolCosts` than before."""

    def __init__(
        self,
        store: ConfigStore,
        service: McpService,
        page: QWidget,
        chat_model: Callable[[], tuple[str, str]],
    ) -> None:
        """Estimate once the page is shown.

        Args: chat_model: the provider and model that a new conversation would begin with.
        """
        super().__init__(page)
        self._store, self._service = store, service
        self._chat_model = chat_model
        self._is_shown = self._is_estimating = self._is_stale = False
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._begin)
        self.costs = ToolCosts()
        bridge.connect(self, service.tools_changed, self._note)
        bridge.connect(self, service.state_changed, self._note)
        bridge.connect(self, service.servers_changed, self._note)
        bridge.connect(self, store.changed, self._note)
        page.installEventFilter(self)
        self._follow(is_shown=page.isVisible())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide) and not event.spontaneous():
            self._follow(is_shown=event.type() == QEvent.Type.Show)
        return False

    def _follow(self, *, is_shown: bool) -> None:
        """Nothing is estimated out of sight."""
        self._is_shown = is_shown
        self._note()

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
        from desktop.features.models.context_budget import estimate_budget
        from desktop.features.models.formats.declaration import ApiFormat, request_format

        connections = list(self._service.connections.values())
        tools = [tool for connection in connections for tool in connection.listed]
        name, model = self._chat_model()
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
        costs = _costs(listed, listed.only(lambda tool: tool.key in offered))
        if costs != self.costs:
            self.costs = costs
            self.estimated.emit(costs)
        if self._is_stale:
            self._is_stale = False
            self._note()


def _costs(listed: ContextBudget, offered: ContextBudget) -> ToolCosts:
    return ToolCosts(
        servers={server.server: server.tokens for server in offered.servers},
        tools={
            server.server: {tool.name: tool.tokens for tool in server.tools}
            for server in listed.servers
        },
        total=offered.tokens,
        model=offered.model,
        percent=offered.percent,
    )
