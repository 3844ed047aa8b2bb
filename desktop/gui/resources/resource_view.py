"""One resource: what its server says of it, what a read brought, and whether it is subscribed to.

Asks its server alone for the URI, whatever its scheme: nothing is fetched or opened here. An update
is read again, however many come at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTime, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.resources.reading import has_text, quotation
from desktop.gui.results.feed import as_result
from desktop.gui.results.result_view import ResultView
from desktop.gui.results.saving import proposed_name
from desktop.gui.results.structured import pictures_in
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label

if TYPE_CHECKING:
    import asyncio

    from PySide6.QtCore import QSettings

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.values.resource_types import ReadResult, Resource

AGAIN_MS = 300
"""Updates within this time are one."""


class ResourceView(QWidget):
    """Reads when it is first shown."""

    read_ended = Signal()
    chat_requested = Signal(str, object)
    """A person wants this text in their question to a model."""

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
        self._reading = None
        self.read_result = read
        name = proposed_name(self.resource.name or self.resource.uri, "", "resource")
        is_first, was_markdown = not self.result.isVisible(), self._shows_markdown
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
            server, uri = self.resource.server, self.resource.uri
            quoted = quotation(server, uri, self.read_result)
            self.chat_requested.emit(quoted, pictures_in(self.read_result.contents))

    def _lay_out(self) -> None:
        resource = self.resource
        title = plain_label(mark_hidden(resource.label), "title")
        uri = plain_label(escape_hidden(resource.uri[:2_000]), "mono", "muted", "small")
        for button in (self.copy, self.to_chat):
            style(button, "link")
        style(self.subscribe, "chip")
        set_icon(self._theme, self.again, "restart", "text")
        self.to_chat.setEnabled(False)
        self.problem.hide()
        column = in_column(self, title, uri, self.facts, margins=(4, 4, 4, 3))
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
