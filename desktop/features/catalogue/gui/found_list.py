"""The left side of the catalogue: the search, what was found, and how to see more of it.

Shows rows and says what a person asks for; must not ask a registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QListView,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.features.catalogue.gui.labels import face_key, kinds_label
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.row_layout import Badge, TwoLineRow
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.two_line_rows import TwoLineDelegate, first_line, show_two_line_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop.features.catalogue.catalogue import Update
    from desktop.features.catalogue.entry import CatalogueEntry
    from desktop.gui.theme import Theme

_ROW = Qt.ItemDataRole.UserRole
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class FoundRow(Struct, frozen=True):
    """A server of the registry; with `update`, one that is here already."""

    entry: CatalogueEntry
    update: Update | None = None
    is_installed: bool = False


class _Model(QStringListModel):
    rows: Sequence[FoundRow] = ()

    def replace(self, rows: Sequence[FoundRow]) -> None:
        self.rows = rows
        self.setStringList([row.entry.name for row in rows])

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        at = index.row()
        if not 0 <= at < len(self.rows):
            return None
        row = self.rows[at]
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return mark_hidden(row.entry.label)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            entry = row.entry
            parts = (entry.label, entry.publisher, kinds_label(entry), entry.description)
            return listed(mark_hidden(part) for part in parts if part)
        return None


class _Delegate(TwoLineDelegate):
    def __init__(self, theme: Theme, owner: FoundList) -> None:
        super().__init__(theme, owner)
        self._owner = owner

    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> TwoLineRow | None:
        row: FoundRow | None = index.data(_ROW)
        if row is None:
            return None
        entry = row.entry
        return TwoLineRow(
            mark_hidden(entry.label),
            mark_hidden(entry.publisher),
            mark_hidden(first_line(entry.description)),
            tuple(self._owner.badges(row)),
            face=face_key(entry),
        )


class _View(QListView):
    """Enter goes on into what is selected."""

    entered_row = Signal()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() in _ENTER:
            event.accept()  # else the dialog would take it for its own
            self.entered_row.emit()
        else:
            super().keyPressEvent(event)


class FoundList(QWidget):
    """Rows of two lines below a search field; a sentence in their place while there are none."""

    search_requested = Signal(str)
    more_requested = Signal()
    selected = Signal(object)
    """A `FoundRow`, or None."""
    entered = Signal()
    """Enter or double click on a row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._count = 0
        self.search_box = SearchField(exit_keys=(Qt.Key.Key_Down,))
        self.search = QPushButton(self.tr("Search"))
        self.view, self._model = _View(), _Model(self)
        self.message = plain_label("", "muted")
        self.count = plain_label("", "muted", "small")
        self.more = QPushButton(self.tr("Show more"))
        self._stack = QStackedLayout()
        set_icon(theme, self.search, "search")
        self._set_up(theme)
        self.search_box.set_purpose(self.tr("Search the registry"))
        self.view.setAccessibleName(self.tr("Servers in the registry"))
        self._show_count()
        self.view.viewport().update()

    @property
    def rows(self) -> Sequence[FoundRow]:
        return self._model.rows

    def show_rows(self, rows: Sequence[FoundRow], *, has_more: bool, select: int = 0) -> None:
        """Be these rows; the one at `select` is chosen, where there is one."""
        self._model.replace(rows)
        self._count = len(rows)
        self.more.setVisible(has_more)
        self._stack.setCurrentIndex(1)
        self._show_count()
        if rows:
            self.view.setCurrentIndex(self._model.index(min(select, len(rows) - 1)))
        else:
            self.selected.emit(None)

    def show_message(self, words: str, *, is_error: bool = False) -> None:
        """Say this in the place of the rows."""
        self._model.replace(())
        self._count = 0
        self.more.hide()
        self._show_count()
        self.message.setText(words)
        style(self.message, "danger" if is_error else "muted")
        self._stack.setCurrentIndex(0)
        self.selected.emit(None)

    def set_busy(self, is_busy: bool) -> None:
        """While the registry is asked, it is not asked for more of the same."""
        self.more.setEnabled(not is_busy)
        self.more.setText(self.tr("Loading…") if is_busy else self.tr("Show more"))

    def badges(self, row: FoundRow) -> list[Badge]:
        if row.update is not None and row.update.is_offered:
            words = self.tr("Update to {version}").format(version=row.entry.version[:12])
            return [Badge(mark_hidden(words), "accent")]
        if row.update is not None:
            return [Badge(self.tr("Look at it"), "danger")]
        if row.entry.status == "deprecated":
            return [Badge(self.tr("Deprecated"), "danger")]
        if row.is_installed:
            return [Badge(self.tr("Added"), "success")]
        kinds = kinds_label(row.entry)
        return [Badge(kinds, "accent")] if kinds else []

    def _show_count(self) -> None:
        words = counted(self._count, self.tr("1 server"), self.tr("{count} servers"))
        self.count.setText(words if self._count else "")

    def _choose(self, current: QModelIndex) -> None:
        self.selected.emit(current.data(_ROW) if current.isValid() else None)

    def _request(self) -> None:
        self.search_requested.emit(self.search_box.text().strip())

    def _go_down(self, _: Qt.Key) -> None:
        if self._count:
            self.view.setFocus(Qt.FocusReason.TabFocusReason)

    def _set_up(self, theme: Theme) -> None:
        self.view.setModel(self._model)
        show_two_line_rows(self.view, _Delegate(theme, self), theme)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.doubleClicked.connect(self.entered)
        self.view.entered_row.connect(self.entered)
        self.search_box.returnPressed.connect(self._request)
        self.search_box.exited.connect(self._go_down)
        self.search.clicked.connect(self._request)
        self.more.clicked.connect(self.more_requested)
        self.more.hide()
        for button in (self.search, self.more):
            button.setAutoDefault(False)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.message.setContentsMargins(space(2), space(4), space(2), space(2))
        self._stack.addWidget(self.message)
        self._stack.addWidget(self.view)
        line = InnerRow((self.search_box, 1), self.search)
        below = InnerRow((self.count, 1), self.more)
        in_column(self, line, (self._stack, 1), below, margins=(0, 0, 3, 0))
