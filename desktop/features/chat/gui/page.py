"""The Chat page: the chats at the left, one of them at the right.

Shows the `Chats`, which outlive it; remembers sizes, the last settings and drafts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QSplitter,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden_text
from desktop.config.providers import find_effort
from desktop.features.chat.agent.session_info import Builtin, ChatSettings, SessionTerms
from desktop.features.chat.gui import keys
from desktop.features.chat.gui.chat import Unsent
from desktop.features.chat.gui.chat_view import ChatView
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.gui import bridge
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.results.saving import SaveDialog, proposed_name, save_as
from desktop.gui.shortcuts import bind, give, named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.icons import icon, set_icon
from desktop.gui.widgets.labels import plain_label, plain_tip
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QFocusEvent, QHideEvent, QIcon, QShowEvent

    from desktop.features.chat.agent.session_store import SessionMatches
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.results.companion import MakeCompanion
    from desktop.gui.theme import Theme
    from desktop.tools.registry import ToolSource

    Index = QModelIndex | QPersistentModelIndex

MAX_DRAFT_LENGTH = 50_000
"""Characters of a draft that are kept."""
_SIZES = "chat/columns"
_BATCH_MS = 40
_DRAFT_MS = 400
_MAX_LENGTH = 120


class ChatPage(QFrame):
    """List and conversation, side by side."""

    open_call_requested = Signal(str, object)
    """Key and arguments of a call to be shown in its form."""
    settings_requested = Signal()
    """A model provider is to be mended."""
    refreshed = Signal()
    """The list is as the conversations are, and what waits to be asked is stored."""
    loaded = Signal()
    """The conversation that was chosen is read, or could not be."""

    def __init__(
        self,
        theme: Theme,
        chats: Chats,
        tools: ToolSource,
        builtins: Callable[[], Mapping[str, str]],
        settings: QSettings,
        *,
        configured: Callable[[str], tuple[str, ...]] = lambda _: (),
        companion_of: MakeCompanion | None = None,
    ) -> None:
        """Args: builtins, configured: as in `ChatHeader`. companion_of: as in `ChatView`."""
        super().__init__()
        self._chats, self._settings = chats, settings
        self._preferences = ChatPreferences(settings)
        self._fresh: Chat | None = None
        self._waiting: dict[str, list[str]] = {}
        self.banners = BannerArea(theme)
        self.list = ChatList(theme, self)
        self.search = ChatSearch(self.list.search, chats)
        self.view = ChatView(
            theme,
            chats.providers,
            tools,
            builtins,
            self,
            configured=configured,
            companion_of=companion_of,
        )
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._soon = QTimer(self, singleShot=True, interval=_BATCH_MS)
        self._drafting = QTimer(self, singleShot=True, interval=_DRAFT_MS)
        self._lay_out()
        self._connect()
        self.new_chat()

    def show_error(self, message: str) -> None:
        """Where the bridge shows failures, too."""
        self.banners.show_banner("error", "error", message)

    def new_chat(self) -> Chat:
        """Show a conversation that is still to be begun; there is one at a time."""
        if self._fresh is None or self._fresh.is_begun:
            self._fresh = self._chats.new(self._first_setup())
        self._show(self._fresh)
        self.view.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        return self._fresh

    def go_on(self, chat: Chat, summary: str) -> None:
        """Begin a conversation like another one, which knows of it what is written there."""
        from desktop.features.chat.agent.compaction import goes_on  # its session has brought it

        self._fresh = self._chats.new(chat.setup)
        self._fresh.unsent = Unsent(f"{spoken(goes_on(summary))}\n\n")
        self._show(self._fresh)
        self.view.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_chat(self, chat: Chat) -> None:
        """Show a conversation of the list; a stored one is read first."""
        self._show(chat)
        bridge.run(self, self._load(chat), self.tr("Open a conversation"))

    def open_stored(self, session: str) -> None:
        """Show the conversation with this id; the list may not have been read yet."""
        bridge.run(self, self._open_stored(session), self.tr("Open a conversation"))

    async def _open_stored(self, session: str) -> None:
        await self._chats.refresh()
        found = next((chat for chat in self._chats.chats if chat.id == session), None)
        if found is not None:
            self.show_chat(found)

    def export_chat(self, chat: Chat) -> SaveDialog:
        """Ask for a file and write the stored conversation as Markdown."""
        name = proposed_name(chat.title.replace("/", "-"), "text/markdown", "conversation")

        async def document() -> bytes:
            from desktop.features.chat.agent.session_store import to_markdown

            opened = await self._chats.sessions.store.read(chat.id)
            return to_markdown(opened).encode("utf-8", "replace")

        return save_as(self, name, document)

    def show_file(self, chat: Chat) -> None:
        """Show the folder that has its file, for one that cannot be opened here."""
        folder = self._chats.sessions.store.file(chat.id).parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        bridge.run(self, self._chats.refresh(), self.tr("List the conversations"))
        bridge.run(self, self._chats.providers.look_for_keys(), self.tr("Look for keys"))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_draft()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        edit, button = self.view.composer.edit, self.view.add_provider
        (button if button.isVisible() else edit).setFocus(Qt.FocusReason.OtherFocusReason)

    def _first_setup(self) -> ChatSettings:
        """That of the last time; else with the first provider that can be asked."""
        from msgspec.structs import replace

        setup, providers = self._preferences.setup, self._chats.providers
        if providers.get(setup.provider) is not None:
            return setup
        usable = ("keyring", "environment", "unneeded")
        known = [
            provider for provider in providers.all() if providers.key_place(provider.name) in usable
        ]
        first = next(iter(known), None)
        if first is None:
            return replace(setup, provider="", model="")
        return replace(setup, provider=first.name, model=first.model)

    def _show(self, chat: Chat) -> None:
        self._keep_draft()
        self._chats.look_at(chat)
        self.view.show_chat(chat)
        draft = Unsent(self._preferences.draft(chat.id))
        self.view.composer.put_back(draft if chat.unsent is None else chat.unsent)
        self.list.select(chat)

    async def _load(self, chat: Chat) -> None:
        try:
            was_empty = not chat.entries.entries
            await self._chats.load(chat)
            if chat is self.view.chat and was_empty:
                self.view.show_loaded()
        except DesktopError:
            return  # which the conversation itself says
        finally:
            self.loaded.emit()

    def _keep_draft(self) -> None:
        self._drafting.stop()
        if (chat := self.view.chat) is not None:
            chat.unsent = self.view.composer.unsent
            self._store_draft(chat)

    def _store_draft(self, chat: Chat) -> None:
        """What another run shows in the question: what waits to be asked goes before the rest."""
        self._waiting[chat.id] = waiting = chat.waiting
        rest = chat.unsent.text if chat.unsent is not None else ""
        self._preferences.keep_draft(chat.id, "\n\n".join(filter(None, (*waiting, rest))))

    def _store_waiting(self) -> None:
        """Questions that wait outlive this run, those of other conversations as well."""
        for chat in self._chats.chats:
            if chat.id and chat.waiting != self._waiting.get(chat.id, []):
                self._store_draft(chat)

    def _note(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _refresh(self) -> None:
        self._store_waiting()
        self.list.show_chats(self.search.wanted(), self.view.chat, is_whole=self.search.is_whole)
        self._stop_key.setEnabled(self.view.chat is not None and self.view.chat.is_busy)
        self.refreshed.emit()

    def _note_asked(self, chat: Chat) -> None:
        chat.unsent = None
        self._preferences.keep_draft("", "")
        if chat.id:
            self._store_draft(chat)
        self._preferences.remember(chat.setup)
        self._refresh()

    def _note_setup(self, setup: ChatSettings) -> None:
        if self.view.chat is self._fresh:
            self._preferences.remember(setup)

    def _take_provider(self) -> None:
        """The first provider that is added is the one a new conversation begins with."""
        fresh = self._fresh
        if fresh is not None and not fresh.is_begun and not fresh.setup.provider:
            fresh.choose(self._first_setup())

    def _rename(self, chat: Chat, title: str) -> None:
        bridge.run(self, chat.rename(title), self.tr("Rename a conversation"))

    def _end(self, chat: Chat) -> None:
        bridge.run(self, chat.close(), self.tr("End a conversation"))

    def _delete(self, chat: Chat) -> None:
        if chat is self.view.chat:
            self.new_chat()
        self._preferences.keep_draft(chat.id, "")
        bridge.run(self, self._chats.delete(chat), self.tr("Delete a conversation"))

    def _connect(self) -> None:
        bridge.connect(self, self._chats.changed, self._note)
        bridge.connect(self, self._chats.providers.changed, self._take_provider)
        self._soon.timeout.connect(self._refresh)
        self._drafting.timeout.connect(self._keep_draft)
        self.search.found.connect(self._refresh)
        self.view.composer.changed.connect(self._drafting.start)
        self.view.open_call_requested.connect(self.open_call_requested)
        self.view.settings_requested.connect(self.settings_requested)
        self.view.prompt_sent.connect(self._note_asked)
        self.view.summarised.connect(self.go_on)
        self.view.setup_changed.connect(self._note_setup)
        self.list.new_requested.connect(self.new_chat)
        self.list.chat_requested.connect(self.show_chat)
        self.list.rename_requested.connect(self._rename)
        self.list.delete_requested.connect(self._delete)
        self.list.export_requested.connect(self.export_chat)
        self.list.file_requested.connect(self.show_file)
        self.list.close_requested.connect(self._end)
        self.splitter.splitterMoved.connect(self._remember_sizes)
        self._stop_key = bind(self, keys.STOP_ANSWER, self.view.stop)[0]
        self._stop_key.setEnabled(False)
        bind(self, keys.NEW_CHAT, self.new_chat)
        bind(self, keys.REVIEW, self.view.go_to_question)
        bind(self, keys.COMPOSE, self.view.composer.edit.setFocus)

    def _remember_sizes(self) -> None:
        self._settings.setValue(_SIZES, self.splitter.saveState())

    def _lay_out(self) -> None:
        style(self, "page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(self.view)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        self.list.setMinimumWidth(space(45))
        self.splitter.setSizes([space(62), space(230)])
        if isinstance(saved := self._settings.value(_SIZES), QByteArray):
            self.splitter.restoreState(saved)
        in_column(self, self.banners, (self.splitter, 1), spacing=0)


class ChatSearch(QObject):
    """Which conversations have what is typed: titles at once, what was said a little later."""

    found = Signal()
    """Others are wanted now."""
    searched = Signal()
    """What was said was looked through."""

    def __init__(self, field: SearchField, chats: Chats) -> None:
        super().__init__(field)
        self._field, self._chats = field, chats
        self._said: SessionMatches | None = None
        self._soon = QTimer(self, singleShot=True, interval=_DRAFT_MS)
        self._soon.timeout.connect(self._search)
        field.textChanged.connect(self._begin)

    def wanted(self) -> list[Chat]:
        """Those that have it in their title or in what was said; all where nothing is typed."""
        words = self._field.text().strip().casefold()
        said = self._said.sessions if self._said is not None else ()
        return [
            chat
            for chat in self._chats.chats
            if not words or words in chat.title.casefold() or chat.id in said
        ]

    @property
    def is_whole(self) -> bool:
        """Whether all of what was said was looked through, or is to be."""
        return self._said is None or self._said.is_whole

    def _begin(self) -> None:
        self._said: SessionMatches | None = None
        self._soon.start()
        self.found.emit()

    def _search(self) -> None:
        if words := self._field.text().strip():
            bridge.run(self._field, self._find(words), self.tr("Search conversations"))

    async def _find(self, words: str) -> None:
        said = await self._chats.sessions.store.search(words)
        if words == self._field.text().strip():
            self._said = said
            self.found.emit()
            self.searched.emit()


class ChatListModel(QAbstractListModel):
    """Two lines a row; a title that is edited is announced, not kept."""

    rename_requested = Signal(object, str)
    """The `Chat`, and the title a person typed."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keys: list[Chat] = []
        theme.changed.connect(self.tell_changed)

    @property
    def chats(self) -> Sequence[Chat]:
        return self._keys

    def show_chats(self, chats: Sequence[Chat]) -> None:
        """Show these; rows that only changed keep their place in the view."""
        if list(chats) == self._keys:
            self.tell_changed()
            return
        self.beginResetModel()
        self._keys = list(chats)
        self.endResetModel()

    def tell_changed(self) -> None:
        if self._keys:
            self.dataChanged.emit(self.index(0), self.index(len(self._keys) - 1))

    def place(self, chat: Chat | None) -> QModelIndex:
        """The index of a conversation, an invalid one where it is not in the list."""
        rows = [row for row, key in enumerate(self._keys) if key is chat]
        return self.index(rows[0]) if rows else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        chat = self._keys[index.row()]
        roles = Qt.ItemDataRole
        if role == roles.DisplayRole:
            return f"{self._title(chat)}\n{self._below(chat)}"
        if role == roles.EditRole:
            return chat.title
        if role == roles.AccessibleTextRole:
            return f"{self._title(chat)}, {self._below(chat)}"
        if role == roles.DecorationRole:
            return self._sign(chat)
        if role == roles.ToolTipRole and chat.problem:
            return plain_tip(mark_hidden_text(spoken(chat.problem)))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not title:
            return False
        self.rename_requested.emit(self._keys[index.row()], title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def _title(self, chat: Chat) -> str:
        return " ".join(chat.title.split())[:_MAX_LENGTH] or self.tr("New conversation")

    def _below(self, chat: Chat) -> str:
        if chat.questions:
            return self.tr("Needs approval")
        if chat.is_busy:
            return self.tr("Working…")
        if chat.problem:
            return self.tr("Damaged or unreadable")
        when = _moment(chat.used) if chat.used is not None else self.tr("Now")
        return " · ".join(filter(None, (when, chat.setup.model[:_MAX_LENGTH])))

    def _sign(self, chat: Chat) -> QIcon:
        if chat.questions or chat.problem:
            return icon(self._theme, "warning", "warning")
        if chat.is_busy:
            return icon(self._theme, "play", "accent")
        return icon(self._theme, "chat", "accent" if chat.session is not None else "muted")


def _moment(when: datetime) -> str:
    local = QDateTime.fromSecsSinceEpoch(int(when.timestamp()))
    if local.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(local.time(), "HH:mm")
    return QLocale().toString(local.date(), "yyyy-MM-dd")


class ChatList(QWidget):
    """A title, a button for a new conversation, and the list."""

    new_requested = Signal()
    chat_requested = Signal(object)
    """A `Chat` to be shown."""
    rename_requested = Signal(object, str)
    delete_requested = Signal(object)
    """A `Chat`; the person said yes."""
    export_requested = Signal(object)
    file_requested = Signal(object)
    """A `Chat` whose file is to be shown."""
    close_requested = Signal(object)
    """A `Chat` whose servers are to be ended; the conversation stays."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(self.tr("Chat"), self)
        style(self.title, "title")
        self.new = QPushButton(self.tr("New"), self)
        set_icon(theme, self.new, "plus", "text")
        self.model = ChatListModel(theme, self)
        self.search = SearchField(self)
        self.search.set_purpose(self.tr("Search conversations"))
        self.view = QListView(self)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hint = plain_label("", "muted", "small")
        unread = self.tr("The search took too long: older conversations were not searched.")
        self.rest = plain_label(unread, "muted", "small")
        self.rest.hide()
        self.delete = QAction(self.tr("Delete…"), self)
        self.rename = QAction(self.tr("Rename"), self)
        self.end = QAction(self.tr("Stop its servers"), self)
        self.file = QAction(self.tr("Show its file"), self)
        self.export = QAction(self.tr("Export…"), self)
        self._lay_out()
        self._connect()
        self.new.setToolTip(named_keys(self.tr("New conversation (Ctrl+N)")))
        self.view.setAccessibleName(self.tr("Conversations"))

    @property
    def current(self) -> Chat | None:
        row = self.view.currentIndex().row()
        return self.model.chats[row] if row >= 0 else None

    def show_chats(
        self, chats: Sequence[Chat], chosen: Chat | None, *, is_whole: bool = True
    ) -> None:
        """Show these, with `chosen` selected, unannounced.

        Args: is_whole: whether a search went through all conversations.
        """
        self.model.show_chats(chats)
        nothing = self.tr("No conversations yet. They appear here after the first question.")
        none = self.tr("No conversation has this in its title, questions, answers or results.")
        self.hint.setText(none if self.search.text() else nothing)
        self.hint.setVisible(not chats)
        self.rest.setVisible(not is_whole)
        self.select(chosen)

    def select(self, chat: Chat | None) -> None:
        place = self.model.place(chat)
        if place != self.view.currentIndex():
            selection = self.view.selectionModel()
            selection.blockSignals(True)
            self.view.setCurrentIndex(place)
            if not place.isValid():
                self.view.clearSelection()
            selection.blockSignals(False)
            self.view.viewport().update()

    def open_menu(self, position: QPoint) -> QMenu | None:
        """The menu of a row, at a place of the list."""
        if not self.view.indexAt(position).isValid() or self.current is None:
            return None
        self.end.setEnabled(self.current.session is not None)
        self.file.setEnabled(bool(self.current.id))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.rename, self.export, self.file, self.end])
        menu.addSeparator()
        menu.addAction(self.delete)
        menu.popup(self.view.viewport().mapToGlobal(position))
        return menu

    def ask_delete(self) -> QuestionDialog | None:
        """Ask whether the chosen conversation is to go."""
        chat = self.current
        if chat is None:
            return None
        question = self.tr("Delete “{title}”?").format(title=chat.title or self.tr("this"))
        meaning = self.tr("Its messages and results are removed from this computer.")
        dialog = QuestionDialog(self, question, meaning, self.tr("Delete"))
        dialog.setWindowTitle(self.tr("Delete conversation"))
        dialog.accepted.connect(
            bridge.if_alive(self, lambda shown: shown.delete_requested.emit(chat))
        )
        dialog.open()
        return dialog

    def _edit(self) -> None:
        if self.current is not None:
            self.view.edit(self.view.currentIndex())

    def _choose(self) -> None:
        if (chat := self.current) is not None:
            self.chat_requested.emit(chat)

    def _connect(self) -> None:
        self.new.clicked.connect(self.new_requested)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.customContextMenuRequested.connect(self.open_menu)
        self.model.rename_requested.connect(self.rename_requested)
        self.rename.triggered.connect(self._edit)
        self.delete.triggered.connect(self.ask_delete)
        self.export.triggered.connect(lambda: self.export_requested.emit(self.current))
        self.file.triggered.connect(lambda: self.file_requested.emit(self.current))
        self.end.triggered.connect(lambda: self.close_requested.emit(self.current))
        give(self.rename, keys.RENAME_CHAT)
        give(self.delete, keys.DELETE_CHAT)
        for action in (self.rename, self.delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.view.addActions([self.rename, self.export, self.file, self.end, self.delete])

    def _lay_out(self) -> None:
        head = InnerRow((self.title, 1), self.new, spacing=3)
        in_column(
            self, head, self.search, self.rest, (self.view, 1), margins=(4, 4, 3, 3), spacing=3
        )
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_column(self.view, self.hint, margins=3)


class ChatPreferences:
    """What the page remembers from run to run: the last settings, and text not yet sent.

    Reads and writes a `QSettings`; what it cannot read counts as nothing.
    """

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def setup(self) -> ChatSettings:
        """What the last conversation was begun with."""
        mode = self._text("mode")
        return ChatSettings(
            self._text("provider"),
            self._text("model"),
            tuple(_builtins(self._texts("builtins"))),
            ToolChoice(
                mode if mode == "off" or mode == "manual" else "auto", tuple(self._texts("servers"))
            ),
            terms=SessionTerms(effort=find_effort(self._text("effort"))),
        )

    def remember(self, setup: ChatSettings) -> None:
        self._settings.setValue("chat/provider", setup.provider)
        self._settings.setValue("chat/model", setup.model)
        self._settings.setValue("chat/builtins", [str(builtin) for builtin in setup.builtins])
        self._settings.setValue("chat/mode", setup.choice.mode)
        self._settings.setValue("chat/servers", list(setup.choice.servers))
        self._settings.setValue("chat/effort", setup.terms.effort or "")

    def draft(self, session: str) -> str:
        """What was typed for a session, or for a new one where it is empty."""
        return self._text(f"drafts/{session or 'new'}")

    def keep_draft(self, session: str, text: str) -> None:
        key = f"chat/drafts/{session or 'new'}"
        if text.strip():
            self._settings.setValue(key, text[:MAX_DRAFT_LENGTH])
        else:
            self._settings.remove(key)

    def _text(self, name: str) -> str:
        return str(self._settings.value(f"chat/{name}") or "")

    def _texts(self, name: str) -> list[str]:
        value: object = self._settings.value(f"chat/{name}")
        if isinstance(value, list):  # a list of one comes back as its only text
            return [str(item) for item in cast("list[object]", value)]
        return [str(value)] if value else []


def _builtins(texts: list[str]) -> list[Builtin]:
    read: list[Builtin] = []
    for text in texts:
        try:
            read.append(Builtin.read(text))
        except DesktopError:
            continue
    return read
