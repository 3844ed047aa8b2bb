"""The list of conversations at the left: new, open, rename, delete, export.

Announces what a person wants; asks before something is deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.chat.chats_model import ChatListModel
from desktop.gui.form.labels import plain_label
from desktop.gui.icons import set_icon
from desktop.gui.question_dialog import QuestionDialog
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.chat.chat import Chat
    from desktop.gui.theme import Theme


class ChatList(QWidget):
    """A title, a button for a new conversation, and the list."""

    new_wanted = Signal()
    chosen = Signal(object)
    """A `Chat` to be shown."""
    renamed = Signal(object, str)
    delete_wanted = Signal(object)
    """A `Chat`; the person said yes."""
    export_wanted = Signal(object)
    end_wanted = Signal(object)
    """A `Chat` whose servers are to be ended; the conversation stays."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(self)
        style(self.title, "title")
        self.new = QPushButton(self)
        set_icon(theme, self.new, "plus", "text")
        self.model = ChatListModel(theme, self)
        self.view = QListView(self)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hint = plain_label("", "muted", "small")
        self.rename, self.delete = QAction(self), QAction(self)
        self.export, self.end = QAction(self), QAction(self)
        self._lay_out()
        self._connect()
        self._translate()

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
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.rename, self.export, self.end])
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
        dialog.accepted.connect(lambda: self.delete_wanted.emit(chat))
        dialog.open()
        return dialog

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self.model.tell_changed()
        super().changeEvent(event)

    def _edit(self) -> None:
        if self.current is not None:
            self.view.edit(self.view.currentIndex())

    def _choose(self) -> None:
        if (chat := self.current) is not None:
            self.chosen.emit(chat)

    def _connect(self) -> None:
        self.new.clicked.connect(self.new_wanted)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.customContextMenuRequested.connect(self.open_menu)
        self.model.renamed.connect(self.renamed)
        self.rename.triggered.connect(self._edit)
        self.delete.triggered.connect(self.ask_delete)
        self.export.triggered.connect(lambda: self.export_wanted.emit(self.current))
        self.end.triggered.connect(lambda: self.end_wanted.emit(self.current))
        self.rename.setShortcut(QKeySequence("F2"))
        self.delete.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        for action in (self.rename, self.delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.view.addActions([self.rename, self.export, self.end, self.delete])

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.new)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(4), space(4), space(3), space(3))
        column.setSpacing(space(3))
        column.addLayout(head)
        column.addWidget(self.view, 1)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inside = QVBoxLayout(self.view)
        inside.setContentsMargins(space(3), space(3), space(3), space(3))
        inside.addWidget(self.hint)

    def _translate(self) -> None:
        self.title.setText(self.tr("Chat"))
        self.new.setText(self.tr("New"))
        self.new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self.view.setAccessibleName(self.tr("Conversations"))
        self.hint.setText(
            self.tr("No conversation yet. It is kept here from its first question on.")
        )
        self.rename.setText(self.tr("Rename"))
        self.delete.setText(self.tr("Delete…"))
        self.export.setText(self.tr("Export…"))
        self.end.setText(self.tr("End its servers"))
