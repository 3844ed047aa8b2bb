"""Joins the window: the details of a server name what its sandbox refused it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.sandbox.gui.refusals_view import RefusalsView
    from desktop.gui.page_factory import Pages
    from desktop.gui.servers.page import ServersPage
    from desktop.servers.connection import ServerConnection


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.servers_made.append(lambda page: add_refusals(page, core))


def add_refusals(page: ServersPage, core: Core) -> None:
    """Put them below the error of the server, from the first one on that is in a sandbox."""
    view: RefusalsView | None = None

    def show(connection: ServerConnection | None) -> None:
        nonlocal view
        if view is None and connection is not None and connection.config.sandbox.is_on:
            from desktop.features.sandbox.gui.refusals_view import RefusalsView

            view = RefusalsView(page.theme, page, core.paths)
            page.details.add_below_error(view)
        if view is not None:
            view.show_server(connection)

    page.details.follow(show)
