"""Joins the window: `/` and `@` in the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.gui.feature import ChatFeature

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from desktop.gui.page_factory import Pages
    from desktop.gui.theme import Theme


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.part(ChatFeature).page_made.append(
        lambda page: add_mentions(page, core, pages.window.theme)
    )


def add_mentions(page: ChatPage, core: Core, theme: Theme) -> None:
    """Have the question of the page know mentions."""
    from desktop.features.mentions.gui.mentions_view import Mentions

    Mentions(page.view, theme, core.service)
