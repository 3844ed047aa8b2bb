"""The Resources page: what all connected servers have to read, and templates of what they may have.

A URI goes to the server that listed it: nothing is fetched. Must not keep what was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QSplitter, QWidget

from desktop.base.errors import UsageError
from desktop.base.uri_template import expand_template, template_variables
from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text
from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm, keep_draft
from desktop.gui.layouts import in_column
from desktop.gui.resources.resource_view import ResourceView
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label
from desktop.gui.widgets.offer_list import Entry
from desktop.gui.widgets.offers_page import OffersPage
from desktop.gui.widgets.visibility import discard
from desktop.values.resource_types import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QSettings

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.resource_types import ResourceTemplate

# A template of resources: its variables as a form, and what it is expanded to below it.
#
# Expands by `desktop.base.uri_template`, which refuses another scheme than the template's own; the
# result goes to the server that gave the template, and nowhere else.


class TemplateView(QWidget):
    """What is read is shown below the form, so that other values can be tried."""

    def __init__(
        self,
        theme: Theme,
        server: ServerConnection,
        template: ResourceTemplate,
        make_view: Callable[[str], ResourceView],
    ) -> None:
        """Args: make_view: the view of the resource that a URI leads to."""
        super().__init__()
        self._server, self.template, self._make_view = server, template, make_view
        self.shown: ResourceView | None = None
        self.uri = plain_label("", "mono", "small")
        self.problem = plain_label("", "danger")
        self.read = QPushButton(self.tr("Read"), self)
        style(self.read, "primary")
        set_icon(theme, self.read, "play", "accent_text")
        self.form = TextArgumentsForm(self._arguments(), self.propose, self)
        self._lay_out()
        self.read.clicked.connect(self.request)
        self.form.submitted.connect(self.request)
        self.form.changed.connect(self._show_uri)
        self.read.setToolTip("Ctrl+Enter")

    def request(self) -> None:
        """Read what the values lead to, if they lead anywhere."""
        if self.form.reveal_missing():
            return
        try:
            uri = expand_template(self.template.uri_template, self.form.values())
        except UsageError as error:
            self._say(spoken(str(error)))
            return
        if self.shown is not None:
            discard(self.shown)
        self.shown = self._make_view(uri)
        self._splitter.addWidget(self.shown)
        self._splitter.setStretchFactor(1, 1)

    def _arguments(self) -> list[TextArgument]:
        try:
            variables = template_variables(self.template.uri_template)
        except UsageError as error:
            self.read.setEnabled(False)
            self._say(spoken(str(error)))
            return []
        return [TextArgument(each.name, required=each.required) for each in variables]

    async def propose(self, name: str, typed: str, others: dict[str, str]) -> Sequence[str]:
        """The values that the server proposes for one of them."""
        found = await self._server.prompts.complete(self.template, name, typed, others)
        return found.values

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def _show_uri(self) -> None:
        """What would be read now; nothing while something is missing."""
        self._say("")
        try:
            uri = expand_template(self.template.uri_template, self.form.values())
        except UsageError as error:
            self.uri.setText("")
            if not self.form.missing:
                self._say(spoken(str(error)))
        else:
            self.uri.setText(escape_hidden(uri[:2_000]))

    def _lay_out(self) -> None:
        template = self.template
        inside = QWidget()
        style(inside)
        pattern = escape_hidden(template.uri_template[:2_000])
        facts = filter(None, (mark_hidden(template.server), mark_hidden(template.mime)))
        column = in_column(
            inside,
            plain_label(mark_hidden(template.label), "title"),
            plain_label(pattern, "mono", "muted", "small"),
            plain_label(" · ".join(facts), "small", "muted"),
            margins=(4, 4, 4, 3),
        )
        if template.description:
            column.addWidget(description_label(mark_hidden_text(template.description)))
        column.addSpacing(space(1))
        for widget in (self.form, self.uri, self.problem):
            column.addWidget(widget)
        column.addWidget(self.read, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.setChildrenCollapsible(False)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        self._splitter.addWidget(area)
        in_column(self, self._splitter)
        self.problem.setVisible(bool(self.problem.text()))


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
