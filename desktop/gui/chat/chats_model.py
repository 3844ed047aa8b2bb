"""The conversations as rows of a list: title, when and with whom, and what is going on in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.gui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtGui import QIcon

    from desktop.gui.chat.chat import Chat
    from desktop.gui.theme import Theme

    Index = QModelIndex | QPersistentModelIndex

_LONGEST = 120


class ChatListModel(QAbstractListModel):
    """Two lines a row; a title that is edited is announced, not kept."""

    renamed = Signal(object, str)
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
        rows = [row for row, one in enumerate(self._keys) if one is chat]
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
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not title:
            return False
        self.renamed.emit(self._keys[index.row()], title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def _title(self, chat: Chat) -> str:
        return " ".join(chat.title.split())[:_LONGEST] or self.tr("New conversation")

    def _below(self, chat: Chat) -> str:
        if chat.questions:
            return self.tr("Asks for you")
        if chat.is_busy:
            return self.tr("At work…")
        when = _moment(chat.used) if chat.used is not None else self.tr("Now")
        return " · ".join(filter(None, (when, chat.setup.model[:_LONGEST])))

    def _sign(self, chat: Chat) -> QIcon:
        if chat.questions:
            return icon(self._theme, "warning", "warning")
        if chat.is_busy:
            return icon(self._theme, "play", "accent")
        return icon(self._theme, "chat", "accent" if chat.session is not None else "muted")


def _moment(when: datetime) -> str:
    local = QDateTime.fromSecsSinceEpoch(int(when.timestamp()))
    if local.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(local.time(), "HH:mm")
    return QLocale().toString(local.date(), QLocale.FormatType.ShortFormat)
