"""Mentions in a question: the list while one is typed, and the panel that fetches what is chosen.

The keyboard stays in the question while the list is open; Esc closes it. What is chosen takes the
place of what was typed. A prompt becomes text of the question, to be read and changed; a resource
goes with it as a file. Must not send a question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QListView, QPushButton

from desktop.base.errors import UsageError
from desktop.base.uri_template import expand_template
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.features.mentions.mentions import (
    Mention,
    Sign,
    address,
    best_offers,
    find_mention,
    list_once,
    offers_of,
    unlisted,
)
from desktop.gui import bridge
from desktop.gui.form.text_arguments import TextArgumentsForm
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.prompts.page import conversation_text, text_arguments
from desktop.gui.resources.page import template_arguments
from desktop.gui.results.error_card import ErrorCard
from desktop.gui.results.structured import pictures_in
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import description_label, plain_label, plain_line
from desktop.gui.widgets.offer_list import Entry, OfferRows
from desktop.gui.widgets.text_editors import is_composing
from desktop.gui.widgets.two_line_rows import TwoLineDelegate, show_two_line_rows, step_keys
from desktop.gui.widgets.visibility import WholeArea, discard
from desktop.values.prompt_types import Prompt
from desktop.values.resource_types import Resource, ResourceTemplate
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.chat_view import ChatView
    from desktop.features.chat.gui.composer import Composer
    from desktop.features.mentions.mentions import Offer
    from desktop.gui.form.text_arguments import TextArgument
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService

_ROWS: Final = 7
_STEPS: Final = step_keys(_ROWS)
_CHOOSE: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_KEEP: Final = QTextCursor.MoveMode.KeepAnchor
_MOST: Final = space(60)
"""Pixels of a form: what is above and the question stay in sight."""


class MentionList(QFrame):
    """The offers that fit, over what stands above the question; hidden while there are none."""

    def __init__(self, theme: Theme, view: ChatView) -> None:
        super().__init__(view)
        self._view, self._above = view, view.composer
        self.offers: Sequence[Offer] = ()
        style(self, "card", "selected")
        self.rows, self.list = OfferRows(self), QListView(self)
        self.list.setModel(self.rows)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)
        show_two_line_rows(self.list, TwoLineDelegate(theme, self.list), theme)
        self.note = plain_label("", "muted", "small")
        in_column(self, (self.list, 1), self.note, margins=1, spacing=1)
        self.note.setContentsMargins(space(2), 0, space(2), space(1))
        self.hide()

    @property
    def current(self) -> Offer | None:
        """The one that Enter chooses."""
        row = self.list.currentIndex().row()
        return self.offers[row] if 0 <= row < len(self.offers) else None

    def show_offers(self, offers: Sequence[Offer], note: str) -> None:
        """Show these, the best chosen. Args: note: a line below them."""
        chosen = self.current
        if offers != self.offers:
            self.offers = offers
            self.rows.replace([self._entry(offer) for offer in offers])
        row = offers.index(chosen) if chosen is not None and chosen in offers else 0
        self.list.setCurrentIndex(self.rows.index(row))
        self.list.setVisible(bool(offers))
        self.note.setText(note)
        self.place()
        self.show()
        self.raise_()

    def move_by(self, rows: int) -> None:
        """Choose another one, where there is any."""
        row = self.list.currentIndex().row() + rows
        self.list.setCurrentIndex(self.rows.index(min(max(row, 0), len(self.offers) - 1)))

    def place(self) -> None:
        """Stand above the question, as wide as it."""
        corner = self._above.mapTo(self._view, QPoint(0, 0))
        rows = min(len(self.offers), _ROWS)
        height = rows * self.list.sizeHintForRow(0) if rows else 0
        height += self.note.heightForWidth(self._above.width() - space(4)) + space(4)
        height = min(height, corner.y() - space(2))
        self.setGeometry(corner.x(), corner.y() - height - space(1), self._above.width(), height)

    def _entry(self, offer: Offer) -> Entry:
        badge = self.tr("template") if isinstance(offer, ResourceTemplate) else ""
        text = offer.description if isinstance(offer, Prompt) else address(offer)
        return Entry(address(offer), offer.label, offer.server, text or offer.name, badge)


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
        style(self.form)
        self._fields = WholeArea(self.form, self, least=28)
        self._fields.setMaximumHeight(_MOST)
        self._fields.setVisible(bool(self.form.fields))
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
            return text_arguments(offer)
        try:
            return template_arguments(offer)
        except UsageError:
            return ()  # expanding it says why

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
        column = in_column(self, head, self._fields, self.error, row, margins=3, spacing=2)
        if offer.description:
            column.insertWidget(1, description_label(mark_hidden_text(offer.description)))


class Mentions(QObject):
    """One for a question: follows what is typed, and puts in what is chosen."""

    listed = Signal()
    """Servers that were never asked have said what they have, or that they cannot."""
    closed = Signal()
    """What was chosen is in the question, or is not wanted any more."""

    def __init__(self, view: ChatView, theme: Theme, service: McpService) -> None:
        super().__init__(view)
        self._view, self._theme, self._service = view, theme, service
        self._edit = view.composer.edit
        self.list = MentionList(theme, view)
        self.panel: MentionPanel | None = None
        self._typed: Mention | None = None
        self._left = ""  # the sign of the mention whose list was closed by Esc
        self._asked: set[tuple[Sign, int]] = set()
        self._failures: dict[Sign, list[str]] = {}
        self._reading = 0
        view.composer.add_hint(self.tr("/ for a prompt, @ for a resource"))
        self._edit.cursorPositionChanged.connect(self._look)  # which typing changes, too
        self._edit.installEventFilter(self)
        view.installEventFilter(self)
        self.list.list.clicked.connect(self._take)
        view.shown.connect(self._note_shown)
        bridge.connect(self, service.state_changed, self._note_server)
        self._chat: Chat | None = view.chat

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._edit and not self.list.isHidden():
            if isinstance(event, QKeyEvent):
                return self._hear(event)
            if event.type() == QEvent.Type.FocusOut:
                self.list.hide()
        elif event.type() == QEvent.Type.Resize and not self.list.isHidden():
            self.list.place()
        return super().eventFilter(watched, event)

    def _hear(self, event: QKeyEvent) -> bool:
        """Whether a key is the list's; one that the window would take is claimed first."""
        key = event.key()
        has_more = self.list.current is not None or not (self._typed and self._typed.words)
        is_ours = key == Qt.Key.Key_Escape or (has_more and key in (*_STEPS, *_CHOOSE))
        if not is_ours or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if is_composing(self._edit):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self._press(Qt.Key(key))
        return event.type() == QEvent.Type.KeyPress

    def _press(self, key: Qt.Key) -> None:
        if key == Qt.Key.Key_Escape:
            self._left = self._typed.sign if self._typed is not None else ""
            self.list.hide()
        elif key in _STEPS:
            self.list.move_by(_STEPS[key])
        else:
            self._take()

    @property
    def _servers(self) -> list[ServerConnection]:
        names = self._service.get_connected_servers()
        return [self._service.connection(name) for name in names]

    def _look(self) -> None:
        """Show what fits the mention that is typed, if one is."""
        cursor = QTextCursor(self._edit.textCursor())
        is_first = cursor.blockNumber() == 0
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, _KEEP)
        mention = find_mention(cursor.selectedText(), is_first=is_first)
        if mention is None and not self._reading:
            self._asked.clear()  # the next mention asks those again that failed
        self._typed = mention if self._edit.hasFocus() else None
        if mention is None or mention.sign != self._left:
            self._left = ""
        if self._typed is None or self._left:
            self.list.hide()
            return
        self._ask(self._typed.sign)
        self._show(self._typed)

    def _note_server(self, _name: str) -> None:
        """One that is ready now may have what is typed already."""
        if self._typed is not None:
            self._look()

    def _show(self, mention: Mention) -> None:
        found = best_offers(offers_of(self._servers, mention.sign), mention.words)
        note = self._note(mention.sign)
        if found or self._reading or not mention.words:
            self.list.show_offers(found, note or self.tr("Enter inserts, Esc closes"))
        else:
            self.list.hide()

    def _note(self, sign: Sign) -> str:
        if failures := self._failures.get(sign):
            return mark_hidden("\n".join(map(spoken, failures))[:500])
        if offers_of(self._servers, sign):
            return ""
        if self._reading:
            return self.tr("Reading the lists…")
        if sign == "/":
            return self.tr("No connected server offers prompts.")
        return self.tr("No connected server offers resources.")

    def _ask(self, sign: Sign) -> None:
        """Have servers list what they have that have not; one that fails, once a mention."""
        missing = unlisted(self._servers, sign)
        new = [each for each in missing if (sign, id(each)) not in self._asked]
        if new:
            self._asked.update((sign, id(each)) for each in new)
            self._reading += 1
            bridge.run(self, self._read(new, sign), self.tr("Read a list"))

    async def _read(self, servers: list[ServerConnection], sign: Sign) -> None:
        self._failures[sign] = await list_once(servers, sign)
        self._reading -= 1
        if self._typed is not None and self._typed.sign == sign and not self._left:
            self._show(self._typed)
        self.listed.emit()

    def _take(self) -> None:
        """Put the name of what is chosen where its mention stands, and fetch it."""
        offer, mention = self.list.current, self._typed
        if offer is None or mention is None:
            return
        cursor = self._edit.textCursor()
        length = len(f"{mention.sign}{mention.words}".encode("utf-16-le")) // 2
        cursor.setPosition(cursor.position() - length, _KEEP)
        cursor.insertText("" if isinstance(offer, Prompt) else f"{mark_hidden(offer.label)} ")
        self.list.hide()
        self._open(offer)

    def _open(self, offer: Offer) -> None:
        self._close_panel()
        connection = self._service.connections.get(offer.server)
        if connection is None:
            return
        self.panel = MentionPanel(self._theme, connection, offer, self._view.composer)
        self.panel.ended.connect(self._close_panel)
        self._view.put_above_question(self.panel)
        self.panel.show()
        self.panel.begin()

    def _close_panel(self) -> None:
        panel, self.panel = self.panel, None
        if panel is not None:
            self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
            discard(panel)
            self.closed.emit()

    def _note_shown(self, chat: Chat) -> None:
        """Another conversation is shown: what was asked for in the one before goes with it."""
        if chat is not self._chat:
            self._chat = chat
            self.list.hide()
            if self.panel is not None:
                discard(self.panel)
                self.panel = None
