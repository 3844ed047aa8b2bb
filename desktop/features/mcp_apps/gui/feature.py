"""Joins the window: a card beside each result whose tool has an app; apps know the window's look.

The one place that decides whether a result has an app; the rest is imported with the first that has
one. Must not open one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QTimeZone, Signal

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.features.mcp_apps.gui.app_card import AppCard
    from desktop.features.mcp_apps.model_context import ContextSlot
    from desktop.features.mcp_apps.views import AppViews
    from desktop.gui.page_factory import Pages
    from desktop.gui.results.companion import ShownConversation
    from desktop.gui.theme import Theme
    from desktop.tools.registry import ToolSource
    from desktop.values.tool_types import JsonObject, ToolDefinition, ToolResult


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    window = pages.window
    cards = AppCards(window.theme, cache(lambda: _open_views(pages, core)), core.registry, window)
    cards.history_requested.connect(pages.show_history)
    pages.add_companion(cards.card)


def _open_views(pages: Pages, core: Core) -> AppViews:
    """Their calls are logged, and their messages come into the chat."""
    from desktop.features.mcp_apps.views import views_of

    views = views_of(core)
    if pages.open_question is not None:
        views.say_in_chat = pages.quote_in_chat
    views.opened.connect(lambda view: pages.follow_calls(view.executor))
    return views


class AppCards(QObject):
    """One for a window."""

    history_requested = Signal(str)

    def __init__(
        self,
        theme: Theme,
        views: Callable[[], AppViews],
        registry: ToolSource,
        parent: QObject,
    ) -> None:
        """Make none yet.

        Args:
            theme: the look, which apps are told of.
            views: the open apps; made with the first that is needed.
            registry: the tools as they are now.
            parent: as for every object of Qt.
        """
        super().__init__(parent)
        self._theme, self._views, self._registry = theme, views, registry
        self._has_any = False
        theme.changed.connect(self._tell_context)

    def card(
        self,
        conversation: ShownConversation | None,
        key: str,
        arguments: JsonObject,
        result: ToolResult,
        parent: QWidget,
    ) -> AppCard | None:
        """The card for a result; None where its tool has no app, or nothing came of the call.

        `conversation` is what the result is part of: its model may be told something.
        """
        tool = self._registry.get(key)
        if tool is None or not tool.definition.app_uri or not result.success:
            return None
        from desktop.features.mcp_apps.bridge import ShownCall
        from desktop.features.mcp_apps.gui.app_card import AppCard
        from desktop.features.mcp_apps.gui.embedded import embedding

        self._has_any = True
        self._tell_context()
        shown = ShownCall(tool.definition, arguments, result)
        embed = embedding(self._theme)
        slot = None
        if conversation is not None:
            slot = slot_of(conversation, result, tool.definition)
        card = AppCard(self._theme, self._views(), shown, parent, embed=embed, for_model=slot)
        card.history_requested.connect(self.history_requested)
        return card

    def _tell_context(self) -> None:
        if self._has_any:
            from desktop.features.mcp_apps.host_context import HostContext

            zone = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
            theme = "dark" if self._theme.is_dark else "light"
            self._views().change_context(HostContext(theme, QLocale().bcp47Name(), zone))


def slot_of(
    conversation: ShownConversation, result: ToolResult, tool: ToolDefinition
) -> ContextSlot:
    """Where the app of a result puts what it wants the model of a conversation to know."""
    from desktop.features.mcp_apps.gui.app_contexts import ShownContexts

    if not isinstance(contexts := conversation.enclosures, ShownContexts):
        contexts = conversation.enclosures = ShownContexts()
    return contexts.slot(result, tool)
