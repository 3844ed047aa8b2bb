"""Joins the window: a tab of the page Activity, and a button below a chat that makes a case of it.

Imports the rest of the feature when a person comes near it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.features.chat.gui.feature import ChatFeature

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.evals.board import EvalBoard
    from desktop.gui.activity.page import ActivityPage
    from desktop.gui.page_factory import Pages

_LATER_MS: Final = 60
"""Milliseconds until the tab is added: after that of saved calls, whose folder it shares."""


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    feature = EvalsFeature(pages, core)
    pages.activity_made.append(feature.join_activity)
    pages.part(ChatFeature).page_made.append(feature.join_chat)


class EvalsFeature:
    """One for a window: tab and button share one `EvalBoard`."""

    def __init__(self, pages: Pages, core: Core) -> None:
        self._window, self._core = pages.window, core
        self._open_chat = pages.part(ChatFeature).open_chat

    @cached_property
    def board(self) -> EvalBoard:
        """The cases of the folder of saved calls; not read yet."""
        from desktop.features.evals.board import EvalBoard
        from desktop.features.saved_calls.gui.save_dialog import chosen_calls

        settings = self._window.state.settings
        return EvalBoard(self._core, lambda: chosen_calls(self._core, settings).folder)

    def join_activity(self, page: ActivityPage) -> None:
        """Add the tab a little later: no page waits for it."""
        from PySide6.QtCore import QTimer

        QTimer.singleShot(_LATER_MS, page, lambda: self._add_tab(page))

    def _add_tab(self, page: ActivityPage) -> None:
        from desktop.features.evals.gui.evals_view import EvalsView
        from desktop.gui.theme import space

        view = EvalsView(self._window.theme, self.board)
        view.setContentsMargins(0, space(3), 0, 0)
        view.chat_requested.connect(self._open_chat)
        page.add_tab(QCoreApplication.translate("EvalsFeature", "Cases"), view)

    def join_chat(self, page: ChatPage) -> None:
        """Put the button below the question."""
        from desktop.features.evals.gui.save_case import SaveCaseButton

        button = SaveCaseButton(page, lambda: self.board, self._core.registry)
        page.view.composer.add_control(button)
