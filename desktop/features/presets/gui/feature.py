"""Joins the window: beside the question, the setup of the conversation and the presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.gui.feature import ChatFeature

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from desktop.gui.page_factory import Pages


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.part(ChatFeature).page_made.append(lambda page: add_setup(page, core))


def add_setup(page: ChatPage, core: Core) -> None:
    """Put the button below the question."""
    from desktop.features.presets.gui.setup import SetupButton
    from desktop.features.presets.presets import Presets

    page.view.composer.add_control(SetupButton(page, Presets(core.paths)))
