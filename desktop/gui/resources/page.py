"""The Resources page: what all connected servers have to read, and templates of what they may have.

A URI goes to the server that listed it: nothing is fetched. Must not keep what was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from desktop.gui.form.text_arguments import keep_draft
from desktop.gui.resources.resource_view import ResourceView
from desktop.gui.resources.template_view import TemplateView
from desktop.gui.widgets.offer_list import Entry
from desktop.gui.widgets.offers_page import OffersPage
from desktop.values.resource_types import Resource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.resource_types import ResourceTemplate

_MARK = "\n"
"""Between the name of a server and a URI: in neither of them."""


class ResourcesPage(OffersPage):
    """Templates stand below the resources of their server."""

    NAME = "resources"

    chat_requested = Signal(str, object)
    """A person wants this text in their question to a model."""

    def __init__(self, theme: Theme, service: McpService, settings: QSettings) -> None:
        super().__init__(theme, service, settings, service.resources_changed)
        self._known: dict[str, Resource | ResourceTemplate] = {}
        self._drafts: dict[str, dict[str, str]] = {}
        self.set_texts()

    def set_texts(self) -> None:
        self.list.set_purpose(self.tr("Search resources"), self.tr("Resources"))
        self.nothing_chosen.set_text(
            self.tr("Choose a resource"), self.tr("Its content appears here.")
        )
        self.say_nothing_there(
            self.tr("No resources yet"),
            self.tr("Resources appear here once a connected server offers some."),
            self.tr("None of the connected servers offers resources."),
        )

    def open_uri(self, server: str, uri: str) -> None:
        """Read what a result or a template leads to, listed or not."""
        key = f"{server}{_MARK}{uri}"
        connection = self._service.connections.get(server)
        if connection is None:
            return
        known = self._known.get(key)
        resource = known if isinstance(known, Resource) else Resource(server, uri, "")
        self.place(self._view_of(connection, resource))
        self.list.select(key)

    def entries(self) -> Sequence[Entry]:
        self._known = {}
        found: list[Entry] = []
        for server in self.connected:
            for resource in server.resources.listed:
                key = f"{server.name}{_MARK}{resource.uri}"
                self._known[key] = resource
                found.append(Entry(key, resource.label, server.name, resource.uri))
            for template in server.resources.templates:
                key = f"{server.name}{_MARK}{_MARK}{template.uri_template}"
                self._known[key] = template
                pattern, badge = template.uri_template, self.tr("template")
                found.append(Entry(key, template.label, server.name, pattern, badge))
        return found

    async def read_list(self, server: ServerConnection) -> None:
        await server.resources.list()

    def make_view(self, key: str) -> QWidget | None:
        known = self._known.get(key)
        server = self._service.connections.get(known.server) if known is not None else None
        if known is None or server is None:
            return None
        if isinstance(known, Resource):
            return self._view_of(server, known)
        name = known.label
        view = TemplateView(
            self._theme,
            server,
            known,
            lambda uri: self._view_of(server, Resource(server.name, uri, name)),
        )
        keep_draft(view.form, self._drafts, key)
        return view

    def focus_view(self, view: QWidget) -> None:
        if isinstance(view, TemplateView):
            view.form.focus_first()
        elif isinstance(view, ResourceView):
            view.again.setFocus()

    def _view_of(self, server: ServerConnection, resource: Resource) -> ResourceView:
        view = ResourceView(self._theme, server, resource, self._settings)
        view.chat_requested.connect(self.chat_requested)
        return view
