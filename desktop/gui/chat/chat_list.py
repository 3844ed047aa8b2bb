"""The list of chats at the left: new, open, rename, delete, export, show the file.

Emits what a person asks for; asks before something is deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QWidget,
)

from desktop.base.visible_text import mark_hidden_text
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.shortcuts import give
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import icon, set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtGui import QIcon

    from desktop.gui.chat.chat import Chat
    from desktop.gui.theme import Theme

    Index = QModelIndex | QPersistentModelIndex

_MAX_LENGTH = 120


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
            return mark_hidden_text(spoken(chat.problem))
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
    return QLocale().toString(local.date(), QLocale.FormatType.ShortFormat)


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
        self.view = QListView(self)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hint = plain_label(
            self.tr("No conversations yet. They appear here after the first question."),
            "muted",
            "small",
        )
        self.delete = QAction(self.tr("Delete…"), self)
        self.rename = QAction(self.tr("Rename"), self)
        self.end = QAction(self.tr("Stop its servers"), self)
        self.file = QAction(self.tr("Show its file"), self)
        self.export = QAction(self.tr("Export…"), self)
        self._lay_out()
        self._connect()
        self.new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self.view.setAccessibleName(self.tr("Conversations"))

    @property
    def current(self) -> Chat | None:
        row = self.view.currentIndex().row()
        return self.model.chats[row] if row >= 0 else None

    def show_chats(self, chats: Sequence[Chat], chosen: Chat | None) -> None:
        """Show these, with `chosen` selected, unannounced."""
        self.model.show_chats(chats)
        self.hint.setVisible(not chats)
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
        give(self.rename, shortcuts.RENAME_CHAT)
        give(self.delete, shortcuts.DELETE_CHAT)
        for action in (self.rename, self.delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.view.addActions([self.rename, self.export, self.file, self.end, self.delete])

    def _lay_out(self) -> None:
        head = InnerRow((self.title, 1), self.new, spacing=3)
        in_column(self, head, (self.view, 1), margins=(4, 4, 3, 3), spacing=3)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_column(self.view, self.hint, margins=3)
