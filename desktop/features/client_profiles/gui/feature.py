"""Joins the window: beside *What the model sees* is what other clients make of a tool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.gui.page_factory import Pages
    from desktop.gui.theme import Theme
    from desktop.gui.tools.page import ToolsPage
    from desktop.gui.tools.schema_tabs import MadeTab
    from desktop.gui.tools.tool_view import ToolView


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.tools_made.append(lambda page: add_clients(page, core, pages.window.theme))


def add_clients(page: ToolsPage, core: Core, theme: Theme) -> None:
    translate = QCoreApplication.translate
    title = translate("ClientWords", "How it comes through in other clients")
    word, make = translate("ClientWords", "Clients"), partial(_make, core, theme)

    def add(view: ToolView) -> None:
        view.tabs.add(word, title, make)

    page.view_made.connect(add)


def _make(core: Core, theme: Theme) -> MadeTab:
    from desktop.features.client_profiles.gui.clients_view import ClientsView  # when first shown

    view = ClientsView(theme, core.service, core.history)
    return view, view.show_tool
