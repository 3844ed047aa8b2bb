"""The Resources page: what all connected servers have to read, and templates of what they may have.

A URI goes to the server that listed it: nothing is fetched. Must not keep what was read.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTime, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QScrollArea, QSplitter, QWidget

from desktop.base.errors import UsageError
from desktop.base.uri_template import expand_template, template_variables
from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text
from desktop.gui import bridge
from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm, keep_draft
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.resources.reading import has_text
from desktop.gui.results.feed import as_result
from desktop.gui.results.result_view import ResultView
from desktop.gui.results.saving import proposed_name
from desktop.gui.results.structured import pictures_in
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.formatting import format_size
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
    from desktop.values.resource_types import ReadResult, ResourceTemplate

AGAIN_MS = 300
"""Updates within this time are one."""

# A template of resources: its variables as a form, and what it is expanded to below it.
#
# Expands by `desktop.base.uri_template`, which refuses another scheme than the template's own; the
# result goes to the server that gave the template, and nowhere else.


def template_arguments(template: ResourceTemplate) -> list[TextArgument]:
    """What the form of a template asks for. Raises `UsageError` for a pattern that is none."""
    variables = template_variables(template.uri_template)
    return [TextArgument(each.name, required=each.required) for each in variables]


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
        self.read.setToolTip(named_keys("Ctrl+Enter"))

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
            return template_arguments(self.template)
        except UsageError as error:
            self.read.setEnabled(False)
            self._say(spoken(str(error)))
            return []

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

    chat_requested = Signal(str, str, object)
    """A person wants it in their question to a model: the server, the URI, the `ReadResult`."""

    def __init__(
        self,
        theme: Theme,
        service: McpService,
        settings: QSettings,
        *,
        has_chat: bool = True,
    ) -> None:
        """Args: has_chat: whether there is a question to a model that something can go into."""
        super().__init__(theme, service, settings, service.resources_changed)
        self._has_chat = has_chat
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

    def show_offers(self) -> None:
        super().show_offers()
        if isinstance(view := self.view, ResourceView):
            known = self._known.get(f"{view.resource.server}{_MARK}{view.resource.uri}")
            if isinstance(known, Resource):  # it may have been opened before it was listed
                view.describe(known)

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
        if not self._has_chat:
            view.to_chat.hide()
        return view


class ResourceView(QWidget):
    """Reads when it is first shown."""

    read_ended = Signal()
    chat_requested = Signal(str, str, object)
    """A person wants it in their question to a model: the server, the URI, the `ReadResult`."""

    def __init__(
        self,
        theme: Theme,
        server: ServerConnection,
        resource: Resource,
        settings: QSettings | None = None,
    ) -> None:
        super().__init__()
        self._theme, self._server, self.resource = theme, server, resource
        self._reading: asyncio.Task[None] | None = None
        self._updated = ""
        self.read_result: ReadResult | None = None
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self.again, self.copy, self.to_chat = (QPushButton(self) for _ in range(3))
        self.subscribe = QPushButton(self)
        self.subscribe.setCheckable(True)
        self.facts = plain_label("", "small", "muted")
        self.updated = plain_label("", "small", "accent")
        self.problem = plain_label("", "danger")
        self.result = ResultView(theme, self, settings)
        self.result.hide()
        self._lay_out()
        self.again.clicked.connect(lambda: self.read())
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(resource.uri))
        self.to_chat.clicked.connect(self._quote)
        self.subscribe.clicked.connect(self._toggle)
        self._again.timeout.connect(lambda: self.read(is_asked_for=False))
        bridge.connect(self, server.resource_updated, self._note_update)
        bridge.connect(self, server.state_changed, self._show_subscription)
        self._set_texts()
        self.read()

    @property
    def is_reading(self) -> bool:
        return self._reading is not None and not self._reading.done()

    @property
    def _shows_markdown(self) -> bool:
        return self.result.text.as_markdown.isChecked()

    def describe(self, resource: Resource) -> None:
        """Say what its server says of it by now."""
        self.resource = resource
        self.title.setText(mark_hidden(resource.label))
        self._set_texts()

    def read(self, *, is_asked_for: bool = True) -> None:
        """Ask the server for it, anew."""
        if self.is_reading:
            self._again.start()  # what is under way may be from before the change
            return
        reading = self._read(is_asked_for=is_asked_for)
        self._reading = bridge.run(self, reading, self.tr("Read a resource"))

    async def _read(self, *, is_asked_for: bool) -> None:
        resources = self._server.resources
        read = await resources.read(self.resource.uri, is_asked_for=is_asked_for)
        await asyncio.sleep(0)  # a turn of its own for what is built here
        self._reading = None
        self.read_result = read
        name = proposed_name(self.resource.name or self.resource.uri, "", "resource")
        is_first = not self.result.isVisible()
        was_markdown = not is_first and self._shows_markdown
        self.result.show_result(as_result(read), name)
        self.result.show()
        mime = read.contents[0].mime.partition(";")[0].strip().lower() if read.contents else ""
        if was_markdown or (is_first and mime == "text/markdown"):
            self.result.text.as_markdown.setChecked(True)
        has_some = has_text(read) or pictures_in(read.contents)
        self.to_chat.setEnabled(bool(has_some))
        self.read_ended.emit()

    def _toggle(self) -> None:
        bridge.run(self, self._subscribe(self.subscribe.isChecked()), self.tr("Subscribe"))

    async def _subscribe(self, is_wanted: bool) -> None:
        self.subscribe.setEnabled(False)
        resources = self._server.resources
        change = resources.subscribe if is_wanted else resources.unsubscribe
        error = await change(self.resource.uri)
        self.subscribe.setEnabled(True)
        self.problem.setText(spoken(error.message) if error is not None else "")
        self.problem.setVisible(error is not None)
        self._show_subscription()

    def _show_subscription(self) -> None:
        is_on = self.resource.uri in self._server.resources.subscribed
        self.subscribe.setChecked(is_on)
        self.subscribe.setText(self.tr("Subscribed") if is_on else self.tr("Subscribe"))
        self.subscribe.setVisible(self._server.capabilities.subscriptions or is_on)

    def _note_update(self, uri: str) -> None:
        if uri.startswith(self.resource.uri):  # or a part of it
            self._updated = QTime.currentTime().toString("HH:mm:ss")
            self._set_texts()
            if not self._again.isActive():
                self._again.start()

    def _quote(self) -> None:
        if self.read_result is not None:
            resource = self.resource
            self.chat_requested.emit(resource.server, resource.uri, self.read_result)

    def _lay_out(self) -> None:
        resource = self.resource
        self.title = plain_label(mark_hidden(resource.label), "title")
        uri = plain_label(escape_hidden(resource.uri[:2_000]), "mono", "muted", "small")
        for button in (self.copy, self.to_chat):
            style(button, "link")
        style(self.subscribe, "chip")
        set_icon(self._theme, self.again, "restart", "text")
        self.to_chat.setEnabled(False)
        self.problem.hide()
        column = in_column(self, self.title, uri, self.facts, margins=(4, 4, 4, 3))
        if resource.description:
            column.addWidget(description_label(mark_hidden_text(resource.description)))
        in_row(column, self.again, self.subscribe, self.copy, self.to_chat, STRETCH, self.updated)
        column.addWidget(self.problem)
        column.addWidget(self.result, 1)
        column.addStretch(0)

    def _set_texts(self) -> None:
        self.again.setText(self.tr("Read again"))
        self.copy.setText(self.tr("Copy address"))
        self.to_chat.setText(self.tr("Add to chat"))
        self.to_chat.setToolTip(self.tr("Add it to your question"))
        self.subscribe.setToolTip(self.tr("Read it again whenever it changes"))
        words = self.tr("Changed at {time}").format(time=self._updated)
        self.updated.setText(words if self._updated else "")
        self.facts.setText(" · ".join(self._facts()))
        self._show_subscription()

    def _facts(self) -> list[str]:
        resource, found = self.resource, [mark_hidden(self.resource.server)]
        if resource.mime:
            found.append(mark_hidden(resource.mime))
        if resource.size is not None:
            found.append(format_size(resource.size))
        notes = resource.annotations
        if notes.last_modified:
            words = self.tr("changed {when}").format(when=mark_hidden(notes.last_modified))
            found.append(words)
        if notes.priority is not None:
            found.append(self.tr("priority {value}").format(value=f"{notes.priority:g}"))
        if notes.audience == ("assistant",):
            found.append(self.tr("for the model"))
        elif notes.audience == ("user",):
            found.append(self.tr("for people"))
        return found
