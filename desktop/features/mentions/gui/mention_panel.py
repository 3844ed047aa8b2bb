"""The panel above the question that fetches a mention: its arguments, then its texts and pictures.

A prompt goes into the question as text, to be read and changed; a resource goes with it as a file.
Nothing is sent to a model here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton

from desktop.base.errors import UsageError
from desktop.base.uri_template import expand_template, template_variables
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.features.mentions.mentions import address
from desktop.gui import bridge
from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.prompts.page import conversation_text
from desktop.gui.results.error_card import ErrorCard
from desktop.gui.results.structured import pictures_in
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import style
from desktop.gui.widgets.labels import description_label, plain_label, plain_line
from desktop.values.prompt_types import Prompt
from desktop.values.resource_types import Resource
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from desktop.features.mentions.mentions import Offer
    from desktop.gui.chat.composer import Composer
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection


class MentionPanel(QFrame):
    """`begin` fetches at once what takes no arguments. Esc leaves the question as it is."""

    ended = Signal()
    """It was put into the question, or is not wanted."""
    failed = Signal()
    """The server has nothing for the question; the panel says why."""

    def __init__(
        self, theme: Theme, server: ServerConnection, offer: Offer, composer: Composer
    ) -> None:
        super().__init__(composer.parentWidget())
        self._server, self.offer, self._composer = server, offer, composer
        self._fetching: asyncio.Task[None] | None = None
        style(self, "card")
        self.error = ErrorCard(theme, self)
        self.error.hide()
        self.form = TextArgumentsForm(self._arguments(), self._propose, self)
        self.form.setVisible(bool(self.form.fields))
        self.state = plain_label("", "muted", "small")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.insert = QPushButton(self.tr("Insert"), self)
        style(self.insert, "primary")
        self.insert.setToolTip(named_keys("Ctrl+Enter"))
        self._lay_out()
        self.form.submitted.connect(self.fetch)
        self.insert.clicked.connect(self.fetch)
        self.cancel.clicked.connect(self.ended)

    def begin(self) -> None:
        """Go to the first argument, or fetch where there is none."""
        if self.form.fields:
            self.form.focus_first()
        else:
            self.fetch()

    def fetch(self) -> None:
        """Ask the server, unless an argument is missing."""
        if self._fetching is not None or self.form.reveal_missing():
            return
        self.error.hide()
        self.state.setText(self.tr("Waiting for {server}…").format(server=self._server.name))
        self.insert.setEnabled(False)
        self._fetching = bridge.run(self, self._fetch(), self.tr("Insert into the question"))

    def event(self, event: QEvent) -> bool:
        """Esc leaves it; the answer of a model goes on."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self.ended.emit()
            event.accept()
            return True
        return super().event(event)

    async def _fetch(self) -> None:
        error = await (
            self._fill() if isinstance(self.offer, Prompt) else self._read(self._address())
        )
        self._fetching = None
        self.state.setText("")
        self.insert.setEnabled(True)
        if error is None:
            self.ended.emit()
        else:
            self.insert.setText(self.tr("Try again"))
            self.error.show_error(error)
            self.error.show()
            self.failed.emit()

    async def _fill(self) -> ToolError | None:
        filled = await self._server.prompts.get(self.offer.name, self.form.values())
        text = conversation_text(filled.messages)
        pictures = pictures_in(message.content for message in filled.messages)
        if filled.error is not None or not (text or pictures):
            return filled.error or self._nothing()
        self._composer.add_text(text)
        self._composer.attach_pictures(pictures)
        return None

    async def _read(self, uri: str | ToolError) -> ToolError | None:
        if isinstance(uri, ToolError):
            return uri
        read = await self._server.resources.read(uri)
        if read.error is not None:
            return read.error
        was_taken = self._composer.attach_resource(self._server.name, uri, read)
        return None if was_taken else self._nothing()

    def _nothing(self) -> ToolError:
        words = self.tr("{name} has no text and no image that a question can take.")
        name = mark_hidden(self.offer.label)
        return ToolError("Empty", words.format(name=name), ErrorCode.TOOL_ERROR)

    def _address(self) -> str | ToolError:
        if isinstance(self.offer, Resource):
            return self.offer.uri
        try:
            return expand_template(address(self.offer), self.form.values())
        except UsageError as error:
            return ToolError("UsageError", str(error), ErrorCode.INVALID_ARGUMENTS)

    def _arguments(self) -> Sequence[TextArgument]:
        offer = self.offer
        if isinstance(offer, Resource):
            return ()
        if isinstance(offer, Prompt):
            return [
                TextArgument(each.name, each.label, each.description, each.required)
                for each in offer.arguments
            ]
        try:
            variables = template_variables(offer.uri_template)
        except UsageError:
            return ()  # expanding it says why
        return [TextArgument(each.name, required=each.required) for each in variables]

    async def _propose(self, name: str, typed: str, others: dict[str, str]) -> Sequence[str]:
        """The values that the server proposes for one of them."""
        if isinstance(self.offer, Resource):
            return ()
        return (await self._server.prompts.complete(self.offer, name, typed, others)).values

    def _lay_out(self) -> None:
        offer = self.offer
        head = InnerRow(
            plain_line(mark_hidden(offer.label), "heading"),
            plain_line(mark_hidden(offer.server), "muted", "small"),
            STRETCH,
        )
        row = InnerRow((self.state, 1), self.cancel, self.insert)
        column = in_column(self, head, self.form, self.error, row, margins=3, spacing=2)
        if offer.description:
            column.insertWidget(1, description_label(mark_hidden_text(offer.description)))
