"""A list of what servers offer, with a search above it: rows of two lines, chosen by their key.

Searches names and short texts at once: a server lists thousands at most. Must not know what an
entry stands for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListView, QStackedLayout, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui import shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.theme import style
from desktop.gui.translations import counted
from desktop.gui.widgets.change_note import ChangeNote
from desktop.gui.widgets.empty_state import ListHint
from desktop.gui.widgets.row_layout import Badge, TwoLineRow
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.two_line_rows import (
    ENTRY_ROLE,
    TwoLineDelegate,
    TwoLineModel,
    first_line,
    show_two_line_rows,
    step_keys,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.theme import Theme

_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_MAX_SEARCHED = 1_000
"""Characters of a text that are searched."""


class Entry(Struct, frozen=True, dict=True):
    """One row; `key` is unique, `badge` says of what kind it is where that is not plain."""

    key: str
    title: str
    server: str
    text: str = ""
    badge: str = ""

    @cached_property
    def words(self) -> str:
        """What a search looks in."""
        texts = (self.title, self.server, self.text[:_MAX_SEARCHED])
        return "\n".join(texts).lower()


class OfferRows(TwoLineModel):
    """The rows of entries."""

    entries: Sequence[Entry] = ()

    def row_of(self, entry: Entry) -> TwoLineRow:
        badges = (Badge(entry.badge, "accent"),) if entry.badge else ()
        text = mark_hidden(first_line(entry.text))
        title, server = mark_hidden(entry.title), mark_hidden(entry.server)
        return TwoLineRow(title, server, text, badges, face=entry.server)

    def spoken(self, entry: Entry) -> str:
        return f"{mark_hidden(entry.title)}, {mark_hidden(entry.server)}"


class OfferList(QWidget):
    """The search field, the entries that have all of its words, and how many there are."""

    selected = Signal(str)
    """An entry was selected: show it."""
    activated = Signal(str)
    """Enter or double click: go on into it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self._key = ""
        self._is_restoring = False
        self._model = OfferRows(self)
        self.search_box = SearchField(self, exit_keys=tuple(step_keys(1)))
        self.view = QListView(self)
        self.count = QLabel(self)
        self.changes = ChangeNote(self)
        self._no_matches = ListHint(self)
        self._stack = QStackedLayout()
        self._set_up_view(theme)
        self._lay_out()
        self.search_box.textChanged.connect(self._filter)
        self.search_box.exited.connect(self._move)
        self.search_box.returnPressed.connect(self._activate_best)
        self.view.installEventFilter(self)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.doubleClicked.connect(self._activate)
        self._no_matches.step_requested.connect(self.search_box.clear)
        self.search_box.setToolTip(shortcuts.SEARCH_OFFERS.label)
        self._no_matches.set_text(
            self.tr("Nothing matches"),
            self.tr("Every word must match the name, the server or the line below it."),
            self.tr("Show all"),
        )
        self._show_count()

    @property
    def current_key(self) -> str:
        """That of the selected entry, also while the search hides it."""
        return self._key

    @property
    def shown(self) -> Sequence[Entry]:
        """The entries that match."""
        return self._model.entries

    def replace(self, entries: Sequence[Entry]) -> None:
        """Show these instead; the selection stays where its entry does."""
        if entries != self._entries:
            self._entries = entries
            self.changes.note((entry.server, entry.key) for entry in entries)
            self._filter()

    def select(self, key: str) -> None:
        """Select an entry without announcing it; the search goes where it hides it."""
        self._key = key
        if self.search_box.text() and key not in {entry.key for entry in self.shown}:
            self.search_box.clear()
        self._restore(scroll=True)

    def set_purpose(self, words: str, name: str) -> None:
        """Say what is searched, and what the list is of."""
        self.search_box.set_purpose(words)
        self.view.setAccessibleName(name)

    def focus_search(self) -> None:
        self.search_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_box.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _ENTER
            and not event.modifiers()
        ):
            self._activate()
            return True
        return super().eventFilter(watched, event)

    def _filter(self) -> None:
        words = self.search_box.text().lower().split()
        found = [entry for entry in self._entries if all(word in entry.words for word in words)]
        self._is_restoring = True
        self._model.replace(found)
        self._is_restoring = False
        self._restore(scroll=False)
        is_empty = bool(self._entries) and not found
        self._stack.setCurrentWidget(self._no_matches if is_empty else self.view)
        self._show_count()

    def _show_count(self) -> None:
        known, shown = len(self._entries), len(self.shown)
        one, many = self.tr("1 total"), self.tr("{count} total")
        if self.search_box.text().strip():
            one, many = self.tr("{shown} of 1"), self.tr("{shown} of {count}")
        self.count.setText(counted(known, one, many, shown=f"{shown:,}") if known else "")

    def _restore(self, *, scroll: bool) -> None:
        rows = (row for row, entry in enumerate(self.shown) if entry.key == self._key)
        row = next(rows, -1)
        self._is_restoring = True
        self.view.setAutoScroll(scroll)  # else the view scrolls to the row by itself
        self.view.setCurrentIndex(self._model.index(row) if row >= 0 else QModelIndex())
        self.view.setAutoScroll(True)
        self._is_restoring = False

    def _choose(self, current: QModelIndex) -> None:
        entry: Entry | None = current.data(ENTRY_ROLE) if current.isValid() else None
        if not self._is_restoring and entry is not None and entry.key != self._key:
            self._key = entry.key
            self.selected.emit(entry.key)

    def _activate(self) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self.activated.emit(self.shown[index.row()].key)

    def _activate_best(self) -> None:
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self._model.index(0))
        self._activate()

    def _move(self, key: Qt.Key) -> None:
        row, last = self.view.currentIndex().row(), len(self.shown) - 1
        page = max(1, self.view.viewport().height() // max(1, self.view.sizeHintForRow(0)))
        target = 0 if row < 0 else row + step_keys(page)[key]
        if last >= 0:
            self.view.setCurrentIndex(self._model.index(min(max(target, 0), last)))

    def _set_up_view(self, theme: Theme) -> None:
        self.view.setModel(self._model)
        show_two_line_rows(self.view, TwoLineDelegate(theme, self.view), theme)
        style(self.count, "muted", "small")
        self.count.setTextFormat(Qt.TextFormat.PlainText)

    def _lay_out(self) -> None:
        in_column(
            self, self.search_box, (self._stack, 1), self.count, self.changes, margins=(3, 3, 2, 2)
        )
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._no_matches)
