"""Joins the window: the details of a server that keeps tasks have a tab for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.gui.page_factory import Pages
    from desktop.gui.servers.details_view import MadeTab
    from desktop.gui.servers.page import ServersPage
    from desktop.gui.theme import Theme


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.servers_made.append(lambda page: add_tasks(page, pages.window.theme))


def add_tasks(page: ServersPage, theme: Theme) -> None:
    title = QCoreApplication.translate("TaskWords", "Tasks")
    page.details.add_tab(title, partial(_make, theme), lambda server: server.capabilities.tasks)


def _make(theme: Theme) -> MadeTab:
    from desktop.features.tasks.gui.tasks_view import TasksView  # few servers have tasks

    view = TasksView(theme)
    return view, view.show_server
