"""Makes the card of an app for a result, where its tool has one; tells apps of the window's look.

The one place that decides whether a result has an app. Must not open one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QLocale, QObject, QTimeZone, Signal

from desktop.gui.apps.embedded import embedding
from desktop.mcp_apps.host_context import HostContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.gui.apps.app_card import AppCard
    from desktop.gui.theme import Theme
    from desktop.mcp_apps.model_context import ModelContexts
    from desktop.mcp_apps.views import AppViews
    from desktop.tools.registry import ToolSource
    from desktop.values.tool_types import JsonObject, ToolResult


class CardSource(Protocol):
    """Makes the card for a result."""

    def card(
        self, key: str, arguments: JsonObject, result: ToolResult, parent: QWidget
    ) -> AppCard | None: ...


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
        key: str,
        arguments: JsonObject,
        result: ToolResult,
        parent: QWidget,
        contexts: ModelContexts | None = None,
    ) -> AppCard | None:
        """The card for a result; None where its tool has no app, or nothing came of the call.

        `contexts` are those of the conversation that the result is part of.
        """
        tool = self._registry.get(key)
        if tool is None or not tool.definition.app_uri or not result.success:
            return None
        from desktop.gui.apps.app_card import AppCard  # few tools have apps, and it serves HTTP
        from desktop.mcp_apps.bridge import ShownCall

        self._has_any = True
        self._tell_context()
        shown = ShownCall(tool.definition, arguments, result)
        embed = embedding(self._theme)
        slot = contexts.slot(result, tool.definition) if contexts is not None else None
        card = AppCard(self._theme, self._views(), shown, parent, embed=embed, for_model=slot)
        card.history_requested.connect(self.history_requested)
        return card

    def within(self, contexts: ModelContexts) -> CardSource:
        """The same for the results of one conversation, whose model apps may tell something."""
        return _ConversationCards(self, contexts)

    def _tell_context(self) -> None:
        if self._has_any:
            zone = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
            theme = "dark" if self._theme.is_dark else "light"
            self._views().change_context(HostContext(theme, QLocale().bcp47Name(), zone))


class _ConversationCards:
    def __init__(self, cards: AppCards, contexts: ModelContexts) -> None:
        self._cards, self._contexts = cards, contexts

    def card(
        self, key: str, arguments: JsonObject, result: ToolResult, parent: QWidget
    ) -> AppCard | None:
        return self._cards.card(key, arguments, result, parent, self._contexts)
