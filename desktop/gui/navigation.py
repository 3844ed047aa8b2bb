"""Leads to what a person asked for, on the page that shows it.

For the palette, and for pages that send a person to another one. Changes nothing but what a page
itself would change at a click.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.gui.main_window import MainWindow
    from desktop.gui.servers.page import ServersPage
    from desktop.gui.tools.tool_view import ToolView
    from desktop.values.tool_types import JsonObject


class Stored(NamedTuple):
    """What a feature keeps under a name: a call for the form of its tool, or a conversation."""

    kind: Literal["call", "chat"]
    id: str  # the same in the next run
    name: str
    detail: str
    open: Callable[[], object]
    server: str = ""  # whose face it has


class Action(NamedTuple):
    """Something that a person can ask for by its words."""

    id: str  # the same in the next run
    words: str
    act: Callable[[], object]


class Navigation:
    """Knows the window and its pages; one that was not built yet is built."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.stored: list[Callable[[], Awaitable[list[Stored]]]] = []
        """Each reads what a feature keeps."""
        self.actions: list[Action] = []
        """What features have a person do from anywhere."""

    def open_tool(self, key: str) -> None:
        """Show a tool's form, with the focus in it."""
        from desktop.gui.tools.page import ToolsPage

        if (tools := self._window.open_page("tools", ToolsPage)) is not None:
            tools.show_tool(key)
            if tools.view is not None:
                tools.view.focus_form()

    def show_servers(self) -> ServersPage | None:
        """Show the page of the servers."""
        from desktop.gui.servers.page import ServersPage

        return self._window.open_page("servers", ServersPage)

    def open_server(self, name: str) -> None:
        """Select a server on its page, with the focus on it."""
        if (page := self.show_servers()) is not None:
            page.list.select(name)
            page.list.focus_selected()

    def switch_server(self, name: str, *, enabled: bool) -> None:
        """Switch a server on or off, and show it."""
        self.open_server(name)
        if (page := self.show_servers()) is not None:
            page.set_enabled(name, enabled)

    def add_server(self) -> None:
        """Open the dialog that adds a server."""
        if (page := self.show_servers()) is not None:
            page.add_server()

    def import_servers(self) -> None:
        """Open the dialog that imports servers."""
        if (page := self.show_servers()) is not None:
            page.flow.open()

    def open_call(self, key: str, arguments: JsonObject) -> None:
        """Show a tool's form with these arguments, to be changed and run."""
        self._open_form(key, arguments)

    def open_first_call(self, key: str, arguments: JsonObject) -> None:
        """Show a tool's form so that one key runs it."""
        if (view := self._open_form(key, arguments)) is not None:
            view.bar.run.setFocus()

    def _open_form(self, key: str, arguments: JsonObject) -> ToolView | None:
        from desktop.gui.tools.page import ToolsPage

        tools = self._window.open_page("tools", ToolsPage)
        if tools is None:
            return None
        tools.open_call(key, arguments)
        return tools.view
