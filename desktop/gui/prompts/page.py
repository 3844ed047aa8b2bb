"""The Prompts page: what all connected servers have to begin a conversation with.

A prompt is a stranger's text: it is shown, and goes to a model only when a person sends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSplitter, QWidget

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui import bridge
from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm, keep_draft
from desktop.gui.layouts import Stretch, in_column
from desktop.gui.results.audio import AudioCard
from desktop.gui.results.bytes_card import BytesCard
from desktop.gui.results.content_cards import CardColumn, ContentCard
from desktop.gui.results.error_card import ErrorCard
from desktop.gui.results.image import ImageCard
from desktop.gui.results.structured import content_text, content_view, pictures_in
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.bounded_text import BoundedText
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label
from desktop.gui.widgets.offer_list import Entry
from desktop.gui.widgets.offers_page import OffersPage

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.prompt_types import Prompt, PromptMessage, PromptResult

# One prompt: its arguments as a form, and below it the messages that its server makes of them.
#
# The messages are shown as plain text and sent to nobody: *To the chat* only puts them where a
# person writes.


_LINES = 24


def conversation_text(messages: Sequence[PromptMessage]) -> str:
    """The texts of a prompt; who says what, where it is not the user alone."""
    texts = [(message.role, content_text(message.content)[:]) for message in messages]
    kept = [(role, text) for role, text in texts if text]
    if all(role == "user" for role, _ in kept):
        return "\n\n".join(text for _, text in kept)
    names = {"user": "User", "assistant": "Assistant"}
    return "\n\n".join(f"{names[role]}: {text}" for role, text in kept)


def text_arguments(prompt: Prompt) -> list[TextArgument]:
    """What the form of a prompt asks for."""
    return [
        TextArgument(each.name, each.label, each.description, each.required)
        for each in prompt.arguments
    ]


class PromptView(QWidget):
    """*Get* asks the server; what comes back can be copied or put into the chat."""

    got = Signal()
    chat_requested = Signal(str, object)
    """A person wants this text, and these pictures, in their question to a model."""

    def __init__(self, theme: Theme, server: ServerConnection, prompt: Prompt) -> None:
        super().__init__()
        self._theme, self._server, self.prompt = theme, server, prompt
        self._getting: asyncio.Task[None] | None = None
        self.result: PromptResult | None = None
        self.has_chat = True
        self.form = TextArgumentsForm(text_arguments(prompt), self.propose, self)
        self.get_button = QPushButton(self.tr("Get"), self)
        style(self.get_button, "primary")
        set_icon(theme, self.get_button, "play", "accent_text")
        self.error = ErrorCard(theme, self)
        self.messages = CardColumn(self.tr("Messages"), self)
        self.note = plain_label(
            self.tr("Only text and images are added to the chat."), "small", "muted"
        )
        self.below = QWidget(self)
        tools = ActionRow(self.below)
        self.copy, self.to_chat = tools.link("", self._copy), tools.link("", self._to_chat)
        tools.addStretch(1)
        self._lay_out(tools)
        self.get_button.clicked.connect(self.get)
        self.form.submitted.connect(self.get)
        self.get_button.setToolTip(named_keys("Ctrl+Enter"))
        self.copy.setText(self.tr("Copy"))
        self.to_chat.setText(self.tr("Add to chat"))
        self.to_chat.setToolTip(self.tr("Add it to your question"))

    @property
    def is_getting(self) -> bool:
        return self._getting is not None and not self._getting.done()

    @property
    def text(self) -> str:
        """What is copied, and put into the chat."""
        return conversation_text(self.result.messages) if self.result is not None else ""

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """What is put into the chat beside the text."""
        messages = self.result.messages if self.result is not None else ()
        return pictures_in(message.content for message in messages)

    def get(self) -> None:
        """Have the server make its messages, if nothing is missing."""
        if not self.is_getting and not self.form.reveal_missing():
            self._getting = bridge.run(self, self._get(), self.tr("Get a prompt"))

    def focus_form(self) -> None:
        """Put the keyboard into the first field, or onto *Get* where there is none."""
        if self.form.fields:
            self.form.focus_first()
        else:
            self.get_button.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _get(self) -> None:
        self.result = result = await self._server.prompts.get(self.prompt.name, self.form.values())
        self.error.setVisible(result.error is not None)
        if result.error is not None:
            self.error.show_error(result.error)
        self.messages.show_cards(result.messages, self._card)
        for widget in (self.messages, self.copy):
            widget.setVisible(bool(result.messages))
        self.to_chat.setVisible(bool(result.messages) and self.has_chat)
        self.copy.setEnabled(bool(self.text))
        self.to_chat.setEnabled(bool(self.text or self.pictures))
        texts = sum(bool(content_text(message.content)) for message in result.messages)
        is_left_out = texts + len(self.pictures) < len(result.messages)
        self.note.setVisible(is_left_out and self.has_chat)
        self.below.show()
        self.got.emit()

    def _card(self, message: PromptMessage) -> QWidget:
        card = QFrame()
        style(card, "card")
        is_user = message.role == "user"
        role = plain_label(self.tr("User") if is_user else self.tr("Model"), "heading")
        in_column(card, role, self._body(message), margins=(3, 2, 3, 3))
        return card

    def _body(self, message: PromptMessage) -> QWidget:
        content = message.content
        match content_view(content):
            case "text":
                shown = BoundedText("well", lines=_LINES)
                shown.setAccessibleName(self.tr("Text of a message"))
                shown.show_text(mark_hidden_text(content.text))
                return shown
            case "image":
                return ImageCard(content)
            case "audio":
                return AudioCard(self._theme, content)
            case _ if content.data and not content_text(content):
                return BytesCard(self._theme, content)
            case _:
                return ContentCard(self._theme, content)

    async def propose(self, name: str, typed: str, others: dict[str, str]) -> Sequence[str]:
        """The values that the server proposes for one of them."""
        found = await self._server.prompts.complete(self.prompt, name, typed, others)
        return found.values

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    def _to_chat(self) -> None:
        self.chat_requested.emit(self.text, self.pictures)

    def _lay_out(self, tools: ActionRow) -> None:
        prompt = self.prompt
        inside = QWidget()
        style(inside)
        facts = dict.fromkeys((mark_hidden(prompt.server), mark_hidden(prompt.name)))
        column = in_column(
            inside,
            plain_label(mark_hidden(prompt.label), "title"),
            plain_label(" · ".join(facts), "small", "muted"),
            margins=(4, 4, 4, 3),
        )
        if prompt.description:
            column.addWidget(description_label(mark_hidden_text(prompt.description)))
        column.addSpacing(space(1))
        column.addWidget(self.form)
        column.addWidget(self.get_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        in_column(
            self.below,
            tools.bar,
            self.note,
            self.error,
            (self.messages, 1),
            Stretch(0),
            margins=(4, 2, 4, 3),
        )
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(area)
        splitter.addWidget(self.below)
        splitter.setStretchFactor(1, 1)
        self.below.hide()
        in_column(self, splitter)


class PromptsPage(OffersPage):
    """Named by `server:prompt`."""

    NAME = "prompts"

    chat_requested = Signal(str, object)
    """A person wants this text, and these pictures, in their question to a model."""

    def __init__(
        self,
        theme: Theme,
        service: McpService,
        settings: QSettings,
        *,
        has_chat: bool = True,
    ) -> None:
        """Args: has_chat: whether there is a question to a model that something can go into."""
        super().__init__(theme, service, settings, service.prompts_changed)
        self._has_chat = has_chat
        self._known: dict[str, Prompt] = {}
        self._drafts: dict[str, dict[str, str]] = {}
        self._wanted = ""
        self.refreshed.connect(self._open_wanted)
        self.set_texts()

    def set_texts(self) -> None:
        self.list.set_purpose(self.tr("Search prompts"), self.tr("Prompts"))
        self.nothing_chosen.set_text(
            self.tr("Choose a prompt"), self.tr("Its form and its messages appear here.")
        )
        self.say_nothing_there(
            self.tr("No prompts yet"),
            self.tr("Prompts appear here once a connected server offers some."),
            self.tr("None of the connected servers offers prompts."),
        )

    def open_prompt(self, key: str, arguments: dict[str, str]) -> None:
        """Show a prompt with these arguments, once its server has listed it."""
        self._drafts[key] = arguments
        self._wanted = key
        self._open_wanted()

    def _open_wanted(self) -> None:
        if (view := self.make_view(self._wanted)) is not None:
            self.place(view)
            self.list.select(self._wanted)
            self._wanted = ""

    def entries(self) -> Sequence[Entry]:
        prompts = [prompt for server in self.connected for prompt in server.prompts.listed]
        self._known = {prompt.key: prompt for prompt in prompts}
        return [
            Entry(prompt.key, prompt.label, prompt.server, prompt.description or prompt.name)
            for prompt in prompts
        ]

    async def read_list(self, server: ServerConnection) -> None:
        await server.prompts.list()

    def make_view(self, key: str) -> QWidget | None:
        prompt = self._known.get(key)
        server = self._service.connections.get(prompt.server) if prompt is not None else None
        if prompt is None or server is None:
            return None
        view = PromptView(self._theme, server, prompt)
        view.chat_requested.connect(self.chat_requested)
        view.has_chat = self._has_chat
        keep_draft(view.form, self._drafts, key)
        return view

    def focus_view(self, view: QWidget) -> None:
        if isinstance(view, PromptView):
            view.focus_form()
